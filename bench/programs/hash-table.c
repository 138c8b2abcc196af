// A chained hash table of strings with malloc'ed nodes: insertion, lookup, deletion, growth.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    uint32_t hash;
    int value;
    char key[];
};
struct table {
    struct entry **buckets;
    size_t size, count;
};

static uint32_t hash(const char *key)
{
    uint32_t h = 2166136261u;
    while (*key)
        h = (h ^ (unsigned char)*key++) * 16777619u;
    return h;
}

static struct entry **find(struct table *t, const char *key, uint32_t h)
{
    struct entry **e = &t->buckets[h & (t->size - 1)];
    while (*e && ((*e)->hash != h || strcmp((*e)->key, key) != 0))
        e = &(*e)->next;
    return e;
}

static void grow(struct table *t)
{
    size_t size = t->size * 2;
    struct entry **buckets = calloc(size, sizeof *buckets);
    for (size_t i = 0; i < t->size; i++)
        for (struct entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = buckets[e->hash & (size - 1)];
            buckets[e->hash & (size - 1)] = e;
        }
    free(t->buckets);
    t->buckets = buckets;
    t->size = size;
}

static void put(struct table *t, const char *key, int value)
{
    uint32_t h = hash(key);
    struct entry **e = find(t, key, h);
    if (!*e) {
        size_t n = strlen(key) + 1;
        struct entry *fresh = malloc(sizeof *fresh + n);
        fresh->next = NULL;
        fresh->hash = h;
        memcpy(fresh->key, key, n);
        *e = fresh;
        if (++t->count > t->size) {
            fresh->value = value;
            grow(t);
            return;
        }
    }
    (*e)->value = value;
}

static int get(struct table *t, const char *key)
{
    struct entry *e = *find(t, key, hash(key));
    return e ? e->value : -1;
}

static int drop(struct table *t, const char *key)
{
    struct entry **e = find(t, key, hash(key)), *gone = *e;
    if (!gone)
        return 0;
    *e = gone->next;
    free(gone);
    t->count--;
    return 1;
}

static void name(char *out, uint32_t n)
{
    for (int i = 0; i < 3; i++)
        *out++ = 'k';
    do
        *out++ = 'a' + n % 26;
    while (n /= 26);
    *out = 0;
}

int main(void)
{
    struct table t = { calloc(16, sizeof(struct entry *)), 16, 0 };
    char key[16];
    uint32_t seed = 5, sum = 0;
    for (int i = 0; i < 2000000; i++) {
        seed = seed * 1664525 + 1013904223;
        name(key, (seed >> 8) % 100000);
        switch (seed >> 29) {
        case 0: case 1: case 2: put(&t, key, i); break;
        case 3: sum = sum * 3 + drop(&t, key); break;
        default: sum = sum * 3 + get(&t, key);
        }
    }
    printf("%08x %zu\n", sum, t.count);
    for (size_t i = 0; i < t.size; i++)
        for (struct entry *e = t.buckets[i], *next; e; e = next) {
            next = e->next;
            free(e);
        }
    free(t.buckets);
    return 0;
}
