/* Whether a range may be touched when some of its granules may hold symbolic bytes. The tests of check.h take such a granule
   for one that is not addressable, which sends them here. */
#ifndef TANGENT_SYMBOLIC_H
#define TANGENT_SYMBOLIC_H

#include "check.h"

/* An answer of tangent_range_access: allowed, and some bytes are symbolic. */
#define TANGENT_SYMBOLIC 2

/* How many of the granule's first bytes may be touched. */
static inline unsigned tangent_usable(unsigned state, int write) {
    if (state & TANGENT_STATE_SYMBOLIC) {
        unsigned count = state >> TANGENT_STATE_SYMBOLIC_COUNT_SHIFT & 7;
        return count ? count : 8;
    }
    return write ? tangent_writable(state) : tangent_readable(state);
}

/* 0: not allowed. 1: allowed and concrete. TANGENT_SYMBOLIC: allowed. */
static inline int tangent_range_access(uint64_t address, unsigned size, int write) {
    if (write ? tangent_range_writable(address, size) : tangent_range_readable(address, size)) return 1;
    if (!tangent_range_sane(address, size)) return size == 0;
    unsigned end = (unsigned)address + size - 1, first = tangent_state_of((unsigned)address), last = tangent_state_of(end);
    unsigned seen = TANGENT_U8(last);
    if ((end & 7) >= tangent_usable(seen, write)) return 0;
    for (unsigned state = first; state < last; state++) {
        if (tangent_usable(TANGENT_U8(state), write) != 8) return 0;
        seen |= TANGENT_U8(state);
    }
    return seen & TANGENT_STATE_SYMBOLIC ? TANGENT_SYMBOLIC : 1;
}

#endif
