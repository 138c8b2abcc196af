/* qsort, and bsearch. C leaves open how equal elements end up, but programs show it, so the order is the native libc's: a
   pattern-defeating quicksort (Peters, arXiv 2106.05123) with that libc's choice of pivots and limits. Every comparison and
   every swap happens in the same order there and here.
   Elements are swapped in words where their size allows it. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>

#include "comparators.h"

#define INSERTION_LIMIT 24
#define NINTHER_LENGTH 50
#define SHIFT_LENGTH 50
#define SHIFT_STEPS 5
#define MOST_PIVOT_SWAPS 12
#define MOST_WAITING 64

typedef int comparison(const void *, const void *, void *);

/* The functions with the long loops copy it: from the caller's, every field would be loaded again at every comparison. */
struct task {
    char *base;
    size_t size;
    /* One of the two is null. */
    int (*plain)(const void *, const void *);
    comparison *compare;
    void *argument;
};

static inline int less(const struct task *t, size_t a, size_t b) {
    const char *x = t->base + a * t->size, *y = t->base + b * t->size;
    return (t->plain ? t->plain(x, y) : t->compare(x, y, t->argument)) < 0;
}

/* Element sizes are mostly multiples of 4 or 8, and elements aligned to them. */
static __attribute__((noinline)) void exchange(char *x, char *y, size_t size) {
    if ((((uintptr_t)x | (uintptr_t)y | size) & 7) == 0) {
        for (; size; size -= 8, x += 8, y += 8) {
            uint64_t kept = *(uint64_t *)x;
            *(uint64_t *)x = *(uint64_t *)y;
            *(uint64_t *)y = kept;
        }
    } else if ((((uintptr_t)x | (uintptr_t)y | size) & 3) == 0) {
        for (; size; size -= 4, x += 4, y += 4) {
            uint32_t kept = *(uint32_t *)x;
            *(uint32_t *)x = *(uint32_t *)y;
            *(uint32_t *)y = kept;
        }
    } else {
        for (; size; size--, x++, y++) {
            char kept = *x;
            *x = *y;
            *y = kept;
        }
    }
}

static inline void swap(const struct task *t, size_t a, size_t b) {
    exchange(t->base + a * t->size, t->base + b * t->size, t->size);
}

static void insertion_sort(const struct task *shared, size_t from, size_t to) {
    const struct task task = *shared, *t = &task;
    for (size_t i = from + 1; i < to; i++)
        for (size_t j = i; j > from && less(t, j, j - 1); j--) swap(t, j, j - 1);
}

static void sift_down(const struct task *t, size_t from, size_t at, size_t to) {
    for (;;) {
        size_t child = 2 * (at - from) + from + 1;
        if (child >= to) return;
        if (child + 1 < to && less(t, child, child + 1)) child++;
        if (less(t, child, at)) return;
        swap(t, child, at);
        at = child;
    }
}

static void heap_sort(const struct task *t, size_t from, size_t to) {
    for (size_t i = from + (to - from) / 2; i > from;) sift_down(t, from, --i, to);
    for (size_t i = to; i > from;) {
        i--;
        swap(t, from, i);
        sift_down(t, from, from, i);
    }
}

static size_t largest_power_of_two(size_t n) {
    return n ? (size_t)1 << (63 - __builtin_clzll(n)) : 0;
}

/* Moves three elements of the middle to pseudo-random places. */
static void break_patterns(const struct task *t, size_t from, size_t to) {
    size_t length = to - from, middle = from + length / 4 * 2;
    uint64_t random = length, modulus = largest_power_of_two(length);
    if (modulus < length) modulus *= 2;
    for (size_t i = middle - 1; i <= middle + 1; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        size_t other = random & (modulus - 1);
        swap(t, i, from + (other >= length ? other - length : other));
    }
}

/* Sorts three elements by at most three swaps; returns how many. */
static unsigned sort_three(const struct task *t, size_t a, size_t b, size_t c) {
    unsigned swaps = 0;
    if (less(t, b, a)) swaps++, swap(t, b, a);
    if (less(t, c, b)) swaps++, swap(t, c, b);
    if (less(t, b, a)) swaps++, swap(t, b, a);
    return swaps;
}

/* Puts a median of samples at the middle, whose index *pivot becomes; the number of swaps hints at an order. */
static unsigned choose_pivot(const struct task *t, size_t from, size_t to, size_t *pivot) {
    size_t quarter = (to - from) / 4, i = from + quarter, j = from + quarter * 2, k = from + quarter * 3;
    unsigned swaps = 0;
    if (to - from >= NINTHER_LENGTH) {
        swaps += sort_three(t, i - 1, i, i + 1);
        swaps += sort_three(t, j - 1, j, j + 1);
        swaps += sort_three(t, k - 1, k, k + 1);
    }
    swaps += sort_three(t, i, j, k);
    *pivot = j;
    return swaps;
}

static void reverse(const struct task *t, size_t from, size_t to) {
    for (size_t i = from, j = to - 1; i < j; i++, j--) swap(t, i, j);
}

/* Repairs a few neighbours that are out of order. Whether all is sorted then. */
static int nearly_sorted(const struct task *shared, size_t from, size_t to) {
    const struct task task = *shared, *t = &task;
    size_t i = from + 1;
    for (int step = 0; step < SHIFT_STEPS; step++) {
        while (i < to && !less(t, i, i - 1)) i++;
        if (i == to) return 1;
        if (to - from < SHIFT_LENGTH) return 0;
        swap(t, i, i - 1);
        if (i - from >= 2)
            for (size_t j = i - 1; j > from && less(t, j, j - 1); j--) swap(t, j, j - 1);
        if (to - i >= 2)
            for (size_t j = i + 1; j < to && less(t, j, j - 1); j++) swap(t, j, j - 1);
    }
    return 0;
}

/* The elements equal to the smallest, the pivot, come first; returns where the others begin. */
static size_t partition_equal(const struct task *shared, size_t from, size_t to, size_t pivot) {
    const struct task task = *shared, *t = &task;
    size_t i = from + 1, j = to - 1;
    swap(t, from, pivot);
    for (;; i++, j--) {
        while (i <= j && !less(t, from, i)) i++;
        while (i <= j && less(t, from, j)) j--;
        if (i > j) return i;
        swap(t, i, j);
    }
}

/* Smaller elements, the pivot (at *pivot), the others. Whether that was so already. */
static int partition(const struct task *shared, size_t from, size_t to, size_t *pivot) {
    const struct task task = *shared, *t = &task;
    size_t i = from + 1, j = to - 1;
    int untouched = 1;
    swap(t, from, *pivot);
    for (;; i++, j--) {
        while (i <= j && less(t, i, from)) i++;
        while (i <= j && !less(t, j, from)) j--;
        if (i > j) break;
        swap(t, i, j);
        untouched = 0;
    }
    swap(t, j, from);
    *pivot = j;
    return untouched;
}

struct range {
    size_t from, to, limit;
};

static void sort(const struct task *t, size_t count) {
    struct range waiting[MOST_WAITING], range = {0, count, largest_power_of_two(count) + 1};
    unsigned depth = 0;
    for (;;) {
        int balanced = 1, partitioned = 1;
        for (;;) {
            size_t length = range.to - range.from, pivot;
            if (length <= INSERTION_LIMIT) {
                insertion_sort(t, range.from, range.to);
                break;
            }
            /* Too many bad pivots, or a row of them that no room is left to remember. */
            if (range.limit == 0 || depth == MOST_WAITING) {
                heap_sort(t, range.from, range.to);
                break;
            }
            if (!balanced) {
                break_patterns(t, range.from, range.to);
                range.limit--;
            }
            unsigned swaps = choose_pivot(t, range.from, range.to, &pivot);
            if (swaps == MOST_PIVOT_SWAPS) {
                reverse(t, range.from, range.to);
                pivot = range.to - 1 - (pivot - range.from);
                swaps = 0;
            }
            if (balanced && partitioned && swaps == 0 && nearly_sorted(t, range.from, range.to)) break;
            if (range.from > 0 && !less(t, range.from - 1, pivot)) {
                range.from = partition_equal(t, range.from, range.to, pivot);
                continue;
            }
            partitioned = partition(t, range.from, range.to, &pivot);
            size_t left = pivot - range.from, right = range.to - pivot;
            if (left < right) {
                balanced = left >= length / 8;
                waiting[depth++] = (struct range){range.from, pivot, range.limit};
                range.from = pivot + 1;
            } else {
                balanced = right >= length / 8;
                waiting[depth++] = (struct range){pivot + 1, range.to, range.limit};
                range.to = pivot;
            }
        }
        if (depth == 0) return;
        range = waiting[--depth];
    }
}

void qsort_r(void *base, size_t count, size_t size, comparison *compare, void *argument) {
    struct task t = {base, size, 0, compare, argument};
    sort(&t, count);
    if (tangent_checks_comparators()) __tangent_check_order(base, count, size, 0, compare, argument);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    struct task t = {base, size, compare, 0, 0};
    sort(&t, count);
    if (tangent_checks_comparators()) __tangent_check_order(base, count, size, compare, 0, 0);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    size_t low = 0, high = count;
    if (tangent_checks_comparators()) __tangent_check_key(key, base, count, size, compare);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order == 0) return (void *)element;
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}
