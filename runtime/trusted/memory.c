/* memcpy, memmove and memset: both ranges are checked whole before a byte moves, so a bad call changes nothing. What is
   left is the machine's bulk operation, except for short copies, for which leaving generated code costs more than a few
   loads and stores. Those load everything before they store anything, hence they are right for overlapping ranges too.
   Invariant: a size of 2 GiB or more is a negative number that was converted; no object is that large. */
#include "symbolic.h"

#define NEGATIVE(size) ((size) >> 31)
/* Up to here plain loads and stores win over memory.copy and memory.fill, measured in V8 on x86-64. */
#define SHORT TANGENT_SHORT_RANGE

static _Noreturn void fault(int kind, uint64_t address, uint64_t size) {
    __tangent_host_fault(kind, (unsigned)address, (unsigned)(address >> 32), (int)size);
}

/* Any number of bytes up to SHORT: loads that may cover the same bytes twice, then stores. */
static inline void copy_short(unsigned to, unsigned from, unsigned size) {
    if (size > 16) {
        unsigned rest = size - 16;
        uint64_t a = TANGENT_U64(from), b = TANGENT_U64(from + 8);
        uint64_t y = TANGENT_U64(from + rest), z = TANGENT_U64(from + rest + 8);
        if (size > 32) {
            uint64_t c = TANGENT_U64(from + 16), d = TANGENT_U64(from + 24);
            uint64_t w = TANGENT_U64(from + rest - 16), x = TANGENT_U64(from + rest - 8);
            TANGENT_U64(to + 16) = c;
            TANGENT_U64(to + 24) = d;
            TANGENT_U64(to + rest - 16) = w;
            TANGENT_U64(to + rest - 8) = x;
        }
        TANGENT_U64(to) = a;
        TANGENT_U64(to + 8) = b;
        TANGENT_U64(to + rest) = y;
        TANGENT_U64(to + rest + 8) = z;
    } else if (size >= 8) {
        uint64_t head = TANGENT_U64(from), tail = TANGENT_U64(from + size - 8);
        TANGENT_U64(to) = head;
        TANGENT_U64(to + size - 8) = tail;
    } else if (size >= 4) {
        uint32_t head = TANGENT_U32(from), tail = TANGENT_U32(from + size - 4);
        TANGENT_U32(to) = head;
        TANGENT_U32(to + size - 4) = tail;
    } else {
        /* 1 to 3 bytes: the first, the middle and the last. */
        unsigned char head = TANGENT_U8(from), middle = TANGENT_U8(from + (size >> 1)), tail = TANGENT_U8(from + size - 1);
        TANGENT_U8(to) = head;
        TANGENT_U8(to + (size >> 1)) = middle;
        TANGENT_U8(to + size - 1) = tail;
    }
}

static inline int is_short(uint64_t destination, uint64_t source, uint64_t size) {
    return (size - 1 < SHORT) & ((destination | source) >> 32 == 0);
}

static inline int overlap(uint64_t destination, uint64_t source, uint64_t size) {
    /* The same range is allowed: compilers copy a structure onto itself. */
    return ((destination - source < size) | (source - destination < size)) & (destination != source);
}

/* Returns whether one of the ranges holds symbolic bytes: their shadows move too. */
static int check_ranges(uint64_t destination, uint64_t source, uint64_t size) {
    if (NEGATIVE(size)) fault(TANGENT_FAULT_NEGATIVE_SIZE, destination, size);
    int from = tangent_range_access(source, (unsigned)size, 0), to = tangent_range_access(destination, (unsigned)size, 1);
    if (!from) __tangent_host_refused_read((unsigned)source, (unsigned)(source >> 32), (unsigned)size);
    if (!to) fault(TANGENT_FAULT_WRITE, destination, size);
    /* Of a range that was read although it is not allowed, some may be symbolic. */
    return !from || (from | to) & TANGENT_SYMBOLIC;
}

void __tangent_memcpy(uint64_t destination, uint64_t source, uint64_t size) {
    unsigned to = (unsigned)destination, from = (unsigned)source, bytes = (unsigned)size;
    if (is_short(destination, source, size) && tangent_short_readable(from, bytes) && tangent_short_writable(to, bytes) &&
        !overlap(destination, source, size)) {
        copy_short(to, from, bytes);
    } else {
        int symbolic = check_ranges(destination, source, size);
        if (overlap(destination, source, size)) fault(TANGENT_FAULT_OVERLAP, destination, size);
        __tangent_memory_copy(to, from, bytes);
        if (symbolic) __tangent_host_copy_bytes(to, from, bytes);
        __tangent_settle();
    }
}

void __tangent_memmove(uint64_t destination, uint64_t source, uint64_t size) {
    unsigned to = (unsigned)destination, from = (unsigned)source, bytes = (unsigned)size;
    if (is_short(destination, source, size) && tangent_short_readable(from, bytes) && tangent_short_writable(to, bytes)) {
        copy_short(to, from, bytes);
    } else {
        int symbolic = check_ranges(destination, source, size);
        __tangent_memory_copy(to, from, bytes);
        if (symbolic) __tangent_host_copy_bytes(to, from, bytes);
        __tangent_settle();
    }
}

void __tangent_memset(uint64_t destination, int byte, uint64_t size) {
    unsigned to = (unsigned)destination, bytes = (unsigned)size;
    if (is_short(destination, 0, size) && tangent_short_writable(to, bytes)) {
        uint64_t word = (unsigned char)byte * 0x0101010101010101ull;
        if (bytes >= 8) {
            unsigned last = to + bytes - 8;
            for (; to < last; to += 8) TANGENT_U64(to) = word;
            TANGENT_U64(last) = word;
        } else if (bytes >= 4) {
            TANGENT_U32(to) = (uint32_t)word;
            TANGENT_U32(to + bytes - 4) = (uint32_t)word;
        } else {
            TANGENT_U8(to) = (unsigned char)word;
            TANGENT_U8(to + (bytes >> 1)) = (unsigned char)word;
            TANGENT_U8(to + bytes - 1) = (unsigned char)word;
        }
    } else {
        if (NEGATIVE(size)) fault(TANGENT_FAULT_NEGATIVE_SIZE, destination, size);
        int allowed = tangent_range_access(destination, bytes, 1);
        if (!allowed) fault(TANGENT_FAULT_WRITE, destination, size);
        __tangent_memory_fill(to, byte, bytes);
        if (allowed == TANGENT_SYMBOLIC) __tangent_host_fill_bytes(to, bytes, 0);
        __tangent_settle();
    }
}
