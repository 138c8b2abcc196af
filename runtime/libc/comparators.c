/* Whether a comparator contradicts itself, looked at after a sort if the program's environment asks for it: pairs of the
   sorted elements are compared both ways, which must have opposite signs, and none may belong behind a later one. All pairs
   of few elements; of many each with its neighbours at distances 1, 2, 4 ... C leaves undefined what a sort does with a
   comparator that fails this, and some libraries read out of bounds then. The comparator must not mind being called. */
#include <tangent/machine.h>
#include <tangent/peek.h>

#include <stdlib.h>

#include "comparators.h"

#define ALL_PAIRS 40
#define MOST_ELEMENTS 4096

static int sign(int order) {
    return (order > 0) - (order < 0);
}

void __tangent_check_order(const void *base, size_t count, size_t size, int (*plain)(const void *, const void *),
                           int (*compare)(const void *, const void *, void *), void *argument) {
    const char *first = base;
    if (count > MOST_ELEMENTS) count = MOST_ELEMENTS;
    for (size_t i = 0; i < count; i++)
        for (size_t step = 1; i + step < count; step = count <= ALL_PAIRS ? step + 1 : 2 * step) {
            const char *a = first + i * size, *b = a + step * size;
            int order = sign(plain ? plain(a, b) : compare(a, b, argument));
            int reverse = sign(plain ? plain(b, a) : compare(b, a, argument));
            if (order != -reverse) __tangent_bad_comparator(TANGENT_COMPARED_BOTH_WAYS);
            if (order > 0) __tangent_bad_comparator(TANGENT_COMPARED_IN_A_ROW);
        }
}

void __tangent_check_key(const void *key, const void *base, size_t count, size_t size,
                         int (*compare)(const void *, const void *)) {
    int least = 1;
    if (count > MOST_ELEMENTS) count = MOST_ELEMENTS;
    for (size_t i = 0; i < count; i++) {
        int order = sign(compare(key, (const char *)base + i * size));
        if (order > least) __tangent_bad_comparator(TANGENT_COMPARED_WITH_A_KEY);
        least = order;
    }
}
