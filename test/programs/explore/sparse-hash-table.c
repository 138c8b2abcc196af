// Names in a hash table of 65,537 places, ten of them taken: which place a word leads to is one expression, and the words
// of the table are found through it. A bucket a run would need as many runs as there are buckets.
// run: explore --sym-stdin 4 --max-paths 60
// twin: -DFIXED
// limited: yes
// witness: stdin "incl"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct entry {
    const char *name;
    int value;
};
static struct entry *table[65537];
static const char *names[] = {"defi", "incl", "ifel", "dive", "unde", "push", "popd", "len", "inde", "subs"};

static unsigned long hash(const char *s)
{
    unsigned long h = 0;
    for (; *s; s++) h = (h << 7) + (h >> 57) + (unsigned char)*s;
    return h;
}

int main(void)
{
    for (int i = 0; i < 10; i++) {
        struct entry *e = malloc(sizeof *e);
        if (!e) return 1;
        e->name = names[i];
        e->value = i;
        table[hash(names[i]) % 65537] = e;
    }
    char word[5] = {0};
    if (read(0, word, 4) != 4) return 1;
    struct entry *e = table[hash(word) % 65537];
    if (!e) return 2;
    if (strcmp(e->name, word)) return 3;
#ifndef FIXED
    assert(e->value != 1); // expect: assertion-failure
#endif
    return 0;
}
