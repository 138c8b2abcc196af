/* Whether a range may be read or written. See check.c for the rule. */
#ifndef TANGENT_CHECK_H
#define TANGENT_CHECK_H

#include "state.h"

/* The low `count` (1 to 7) bytes of a word of states. Eight states may always be loaded: the last state lies well
   inside the memory. */
static inline uint64_t tangent_low_states(uint64_t word, unsigned count) {
    return word << (64 - 8 * count);
}

/* The states [state, state + count) all let loads pass. Four words in a round: the test at its end costs as much as they. */
static inline int tangent_states_readable(unsigned state, unsigned count) {
    for (; count >= 32; count -= 32, state += 32) {
        uint64_t all = TANGENT_U64(state) & TANGENT_U64(state + 8) & TANGENT_U64(state + 16) & TANGENT_U64(state + 24);
        if (~all & TANGENT_ALL_FULL) return 0;
    }
    for (; count >= 8; count -= 8, state += 8)
        if (~TANGENT_U64(state) & TANGENT_ALL_FULL) return 0;
    return count == 0 || tangent_low_states(~TANGENT_U64(state) & TANGENT_ALL_FULL, count) == 0;
}

/* The states [state, state + count) all let stores pass. */
static inline int tangent_states_writable(unsigned state, unsigned count) {
    for (; count >= 32; count -= 32, state += 32) {
        uint64_t a = TANGENT_U64(state) ^ TANGENT_ALL_FULL, b = TANGENT_U64(state + 8) ^ TANGENT_ALL_FULL;
        uint64_t c = TANGENT_U64(state + 16) ^ TANGENT_ALL_FULL, d = TANGENT_U64(state + 24) ^ TANGENT_ALL_FULL;
        if (a | b | c | d) return 0;
    }
    for (; count >= 8; count -= 8, state += 8)
        if (TANGENT_U64(state) != TANGENT_ALL_FULL) return 0;
    return count == 0 || tangent_low_states(TANGENT_U64(state) ^ TANGENT_ALL_FULL, count) == 0;
}

/* The range is not empty and lies below 4 GiB. */
static inline int tangent_range_sane(uint64_t address, unsigned size) {
    uint64_t last = address + size - 1;
    return address <= last && last >> 32 == 0;
}

/* Whether a range lies in the object. An empty one lies everywhere. */
static inline int tangent_lies_in(uint64_t address, unsigned size, uint64_t object, uint64_t bytes) {
    return size == 0 || (address - object < bytes && size <= bytes - (address - object));
}

static inline int tangent_range_readable(uint64_t address, unsigned size) {
    if (!tangent_range_sane(address, size)) return size == 0;
    unsigned first = tangent_state_of((unsigned)address);
    unsigned end = (unsigned)address + size - 1;
    unsigned last = tangent_state_of(end);
    return (end & 7) < tangent_readable(TANGENT_U8(last)) && tangent_states_readable(first, last - first);
}

static inline int tangent_range_writable(uint64_t address, unsigned size) {
    if (!tangent_range_sane(address, size)) return size == 0;
    unsigned first = tangent_state_of((unsigned)address);
    unsigned end = (unsigned)address + size - 1;
    unsigned last = tangent_state_of(end);
    return (end & 7) < tangent_writable(TANGENT_U8(last)) && tangent_states_writable(first, last - first);
}

/* The same for a short range (1 to TANGENT_SHORT_RANGE bytes below 4 GiB) without a branch: such a range has at most seven
   granules before its last. If it runs past 4 GiB, its last granule is in the null page, which is never allowed. */
#define TANGENT_SHORT_RANGE 56

static inline int tangent_short_readable(unsigned address, unsigned size) {
    unsigned end = address + size - 1, first = tangent_state_of(address), last = tangent_state_of(end);
    uint64_t mask = TANGENT_ALL_FULL >> 8 >> (56 - 8 * (last - first));
    return ((end & 7) < tangent_readable(TANGENT_U8(last))) & ((~TANGENT_U64(first) & mask) == 0);
}

static inline int tangent_short_writable(unsigned address, unsigned size) {
    unsigned end = address + size - 1, first = tangent_state_of(address), last = tangent_state_of(end);
    uint64_t mask = ~0ull >> 8 >> (56 - 8 * (last - first));
    /* A state of 0x10 or more is read-only: moving the bit down makes the count negative. */
    int state = TANGENT_U8(last), writable = state & 0x1f;
    if (__tangent_definedness() && state & TANGENT_STATE_SYMBOLIC) return 0;
    return ((int)(end & 7) < writable - (writable & TANGENT_STATE_READ_ONLY) * 2) &
           (((TANGENT_U64(first) ^ TANGENT_ALL_FULL) & mask) == 0);
}

#endif
