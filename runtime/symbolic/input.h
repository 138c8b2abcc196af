/* What the intrinsics share: how a value's expression is got at, and how bytes become input. */
#ifndef TANGENT_SYMBOLIC_INPUT_H
#define TANGENT_SYMBOLIC_INPUT_H

#include <tangent/machine.h>

static inline unsigned tangent_address(const void *pointer) {
    return (unsigned)(uintptr_t)pointer;
}

/* The value of this run, and from here on of every run that comes this way: what the host is given as a plain number
   must not depend on the input any more. */
static inline uint64_t tangent_pinned(uint64_t value, unsigned width) {
    unsigned shadow = __tangent_shadow(value);
    uint64_t plain = __tangent_with_shadow(value, 0);
    if (shadow) __tangent_host_get_value(shadow, (unsigned)plain, (unsigned)(plain >> 32), width);
    return plain;
}

/* No branch: the condition may be symbolic, and an assumption leaves no other side to explore. The host is given the
   64-bit value of a truth. `told`: TANGENT_ASSUME_TOLD or 0. */
static inline void tangent_assume_how(int truth, int told) {
    uint64_t holds = (uint64_t)truth;
    unsigned shadow = __tangent_shadow(holds);
    __tangent_host_assume(shadow, (int)__tangent_with_shadow(holds, 0) | told);
}

static inline void tangent_assume(int truth) {
    tangent_assume_how(truth, 0);
}

static inline void tangent_make_symbolic(void *address, unsigned size, const char *name) {
    __tangent_host_make_symbolic(tangent_address(address), size, tangent_address(name));
}

#endif
