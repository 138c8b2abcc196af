// Dynamic programming: edit distance and longest common subsequence over rows on the heap and on the stack.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int least(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

static int distance(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    int *previous = malloc((m + 1) * sizeof *previous), *current = malloc((m + 1) * sizeof *current);
    for (int j = 0; j <= m; j++)
        previous[j] = j;
    for (int i = 1; i <= n; i++) {
        current[0] = i;
        for (int j = 1; j <= m; j++)
            current[j] = least(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] != b[j - 1]));
        int *t = previous;
        previous = current;
        current = t;
    }
    int result = previous[m];
    free(previous);
    free(current);
    return result;
}

static int common(const char *a, const char *b)
{
    int n = (int)strlen(a), m = (int)strlen(b);
    short table[m + 1];
    memset(table, 0, sizeof table);
    for (int i = 0; i < n; i++) {
        short corner = 0;
        for (int j = 1; j <= m; j++) {
            short above = table[j];
            if (a[i] == b[j - 1])
                table[j] = corner + 1;
            else if (table[j - 1] > above)
                table[j] = table[j - 1];
            corner = above;
        }
    }
    return table[m];
}

static void random_text(char *out, int n, unsigned *seed)
{
    for (int i = 0; i < n; i++)
        out[i] = "acgt"[(*seed = *seed * 1664525 + 1013904223) >> 30];
    out[n] = 0;
}

int main(void)
{
    enum { N = 2500 };
    char a[N + 1], b[N + 1];
    unsigned seed = 13, sum = 0;
    for (int round = 0; round < 12; round++) {
        random_text(a, N - round * 17, &seed);
        random_text(b, N - round * 5, &seed);
        sum = sum * 31 + distance(a, b);
        sum = sum * 31 + common(a, b);
    }
    printf("%u\n", sum);
    return 0;
}
