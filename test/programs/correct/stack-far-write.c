// A slot number is reduced to the size of the local table.
// stdout: 3
#include <stdio.h>

#define SLOTS 31

static unsigned hash(const char *key)
{
    unsigned h = 7;
    while (*key)
        h = h * 16777619u + (unsigned char)*key++;
    return h;
}

int main(void)
{
    static const char *keys[] = { "a", "b", "ab" };
    int counts[SLOTS] = { 0 };
    int largest = 0;
    for (int i = 0; i < 3; i++) {
        unsigned slot = hash(keys[i]) % SLOTS;
        counts[slot] = i + 1;
        if (counts[slot] > largest)
            largest = counts[slot];
    }
    printf("%d\n", largest);
    return 0;
}
