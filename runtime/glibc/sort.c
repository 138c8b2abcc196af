/* Sorting as glibc 2.36 does it: a merge sort, so that equal elements keep their order. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../libc/comparators.h"
#include "glibc.h"

typedef int comparison(const void *, const void *, void *);

struct task {
    size_t size;
    int (*compare)(const void *, const void *);
    comparison *compare_with; /* If there is an argument. */
    void *argument;
    char *room;
};

static int in_order(const struct task *t, const void *a, const void *b) {
    return (t->compare ? t->compare(a, b) : t->compare_with(a, b, t->argument)) <= 0;
}

static void sort(const struct task *t, char *base, size_t count) {
    if (count <= 1) return;
    size_t size = t->size, left = count / 2, right = count - left;
    char *a = base, *b = base + left * size, *out = t->room;
    sort(t, a, left);
    sort(t, b, right);
    while (left && right) {
        if (in_order(t, a, b)) {
            memcpy(out, a, size);
            a += size;
            left--;
        } else {
            memcpy(out, b, size);
            b += size;
            right--;
        }
        out += size;
    }
    if (left) memcpy(out, a, left * size);
    memcpy(base, t->room, (count - right) * size);
}

static void with_room(struct task *t, void *base, size_t count) {
    char small[1024];
    if (count <= 1 || t->size == 0) return;
    t->room = count * t->size <= sizeof small ? small : malloc(count * t->size);
    if (!t->room) {
        if (t->compare)
            qsort(base, count, t->size, t->compare);
        else
            qsort_r(base, count, t->size, t->compare_with, t->argument);
        return;
    }
    sort(t, base, count);
    if (t->room != small) free(t->room);
    if (tangent_checks_comparators())
        __tangent_check_order(base, count, t->size, t->compare, t->compare_with, t->argument);
}

void glibc_qsort_r(void *base, size_t count, size_t size, comparison *compare, void *argument) {
    with_room(&(struct task){.size = size, .compare_with = compare, .argument = argument}, base, count);
}

void glibc_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    with_room(&(struct task){.size = size, .compare = compare}, base, count);
}
