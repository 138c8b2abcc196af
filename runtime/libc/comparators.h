/* For both libcs' sorts (comparators.c). */
#ifndef TANGENT_COMPARATORS_H
#define TANGENT_COMPARATORS_H

#include <tangent/machine.h>
#include <tangent/peek.h>

#include <stddef.h>

/* Of sorted elements; one of the two comparators is null. */
void __tangent_check_order(const void *base, size_t count, size_t size, int (*plain)(const void *, const void *),
                           int (*compare)(const void *, const void *, void *), void *argument);
/* Of elements that are in order as far as the key goes: those below it, equal ones, those above. */
void __tangent_check_key(const void *key, const void *base, size_t count, size_t size,
                         int (*compare)(const void *, const void *));

static inline int tangent_checks_comparators(void) {
    return (__tangent_detectors() & TANGENT_DETECTS_COMPARATORS) != 0;
}

#endif
