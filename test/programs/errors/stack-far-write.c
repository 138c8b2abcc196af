// A slot number computed from an unchecked key lands far outside of the local table.
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
        unsigned slot = hash(keys[i]);
        counts[slot] = i + 1; // expect: stack-buffer-overflow|wild-access write
        if (counts[slot] > largest)
            largest = counts[slot];
    }
    printf("%d\n", largest);
    return 0;
}
