// A report averages its samples.
// stdout: 25.67
#include <stdio.h>
#include <stdlib.h>

struct series {
    int count;
    int *samples;
};

static struct series make(int count)
{
    struct series s = { count, malloc(count * sizeof(int)) };
    for (int i = 0; i < count; i++)
        s.samples[i] = i * i - 3 * i;
    return s;
}

static double average(const struct series *s)
{
    long sum = 0;
    for (int i = 0; i < s->count; i++)
        sum += s->samples[i];
    return (double)sum / s->count;
}

int main(void)
{
    struct series s = make(12);
    printf("%.2f\n", average(&s));
    free(s.samples);
    return 0;
}
