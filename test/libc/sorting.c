// Sorting: sorted, nothing lost, and equal elements in the order in which the native libc leaves them (the sums below were
// printed by a native build). Random numbers likewise.
#define _GNU_SOURCE
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct pair { int key, id; };
struct odd { char key, id[2]; };

static uint64_t comparisons;
static int by_key(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    comparisons = comparisons * 31 + (uint64_t)(x->id * 7 + y->id);
    return (x->key > y->key) - (x->key < y->key);
}
static int by_char(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static int counted(const void *a, const void *b, void *count)
{
    ++*(int *)count;
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    uint64_t order = 1;
    for (int round = 0; round < 120; round++) {
        int n = round < 60 ? round : (int)(random_number() % (round % 10 ? 200 : 3000)), shape = round % 6;
        struct pair *items = malloc(n * sizeof *items + 1);
        for (int i = 0; i < n; i++) {
            items[i].id = i;
            items[i].key = shape == 0 ? i : shape == 1 ? n - i : shape == 2 ? i % 7 : shape == 3 ? i * 7919 % 101
                         : shape == 4 ? (i < n / 2 ? i : n - i) : (int)(random_number() % 50);
        }
        qsort(items, n, sizeof *items, by_key);
        for (int i = 1; i < n; i++) CHECK(items[i - 1].key <= items[i].key);
        char *seen = calloc(n + 1, 1);
        for (int i = 0; i < n; i++) {
            CHECK(!seen[items[i].id]++);
            order = order * 1099511628211u + (uint64_t)items[i].id;
        }
        if (n) CHECK(((struct pair *)bsearch(&items[n / 3], items, n, sizeof *items, by_key))->key == items[n / 3].key);
        struct pair absent = {-5, 0};
        CHECK(bsearch(&absent, items, n, sizeof *items, by_key) == NULL);
        free(seen);
        free(items);
        struct odd small[50];
        for (int i = 0; i < 50; i++) small[i] = (struct odd){(char)(random_number() % 5), {(char)i, 0}};
        qsort(small, 50, sizeof *small, by_char);
        for (int i = 0; i < 50; i++) order = order * 31 + (uint64_t)small[i].id[0];
    }
    int count = 0, numbers[] = {5, 3, 9, 1};
    qsort_r(numbers, 4, sizeof *numbers, counted, &count);
    CHECK(numbers[0] == 1 && numbers[3] == 9 && count > 0);
    CHECK(order == 0xe413118349f6bc70u);
    CHECK(comparisons == 0xb94d41277782ca60u);
    srand(42);
    CHECK(rand() == 1592498451 && rand() == 343404953);
    unsigned seed = 7;
    CHECK(rand_r(&seed) == 837153010);
    srand48(5);
    CHECK(lrand48() == 1127084414 && mrand48() == 1171900302);
    if (failures) printf("%#lx %#lx\n", order, comparisons);
    return failures != 0;
}
