// A dictionary is searched with the capacity of its array instead of its length.
#include <stdio.h>
#include <stdlib.h>

struct entry {
    int key;
    int value;
};

static int compare(const void *key, const void *entry)
{
    int k = *(const int *)key, e = ((const struct entry *)entry)->key; // expect: heap-buffer-overflow read
    return (k > e) - (k < e);
}

int main(void)
{
    int length = 10;
    struct entry *entries = malloc(length * sizeof *entries);
    for (int i = 0; i < length; i++)
        entries[i] = (struct entry){ 3 * i, i * i };
    int wanted[] = { 12, 27, 28, 99 };
    for (int i = 0; i < 4; i++) {
        struct entry *found = bsearch(&wanted[i], entries, length + 1, sizeof *entries, compare);
        printf("%d: %d\n", wanted[i], found ? found->value : -1);
    }
    free(entries);
    return 0;
}
