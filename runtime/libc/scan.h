/* Looking for bytes a granule at a time where memory is known, byte by byte where it is not. The words are loaded
   raw after a look at their state, so the common case needs no check per byte, and nothing is read that the program may
   not read. */
#ifndef TANGENT_SCAN_H
#define TANGENT_SCAN_H

#include <tangent/peek.h>

#define ONES 0x0101010101010101ull
#define HIGHS 0x8080808080808080ull
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The high bit of the first zero byte is set, and of none before it. (Later bits may be wrong.) */
ALWAYS_INLINE uint64_t first_zero(uint64_t word) {
    return (word - ONES) & ~word & HIGHS;
}

/* The high bits of exactly the zero bytes. */
ALWAYS_INLINE uint64_t all_zeros(uint64_t word) {
    return ~(((word & ~HIGHS) + ~HIGHS) | word | ~HIGHS);
}

/* All bits of the first `count` (0 to 8) bytes. */
ALWAYS_INLINE uint64_t first_bytes(unsigned count) {
    return count >= 8 ? ~0ull : (1ull << (8 * count)) - 1;
}

ALWAYS_INLINE unsigned byte_index(uint64_t bits) {
    return (unsigned)__builtin_ctzll(bits) >> 3;
}

/* A byte by an ordinary access. Volatile, so that it happens even if its value is of no use. */
ALWAYS_INLINE unsigned char checked_byte(uint64_t address) {
    return *(volatile const unsigned char *)address;
}

/* s + size, but not past the end of the address space. */
ALWAYS_INLINE uint64_t end_of_range(const void *start, size_t size) {
    uint64_t end = (uint64_t)start + size;
    return end < size ? ~0ull : end;
}

/* The first address in [from, end) whose byte is `byte`, or is zero if `or_zero`; else `end`. */
ALWAYS_INLINE uint64_t scan(uint64_t from, uint64_t end, unsigned char byte, int or_zero) {
    uint64_t granule = from & ~7ull, skipped = first_bytes((unsigned)(from & 7)), pattern = byte * ONES;
    if (from >= end) return end;
    do {
        unsigned known = __tangent_known(granule);
        if (known) {
            uint64_t word = __tangent_peek(granule), hits = first_zero((word ^ pattern) | skipped);
            if (or_zero) hits |= first_zero(word | skipped);
            hits &= first_bytes(known);
            if (hits) {
                uint64_t found = granule + byte_index(hits);
                return found < end ? found : end;
            }
        }
        if (known < 8) {
            uint64_t at = granule + known;
            for (at = at < from ? from : at; at < granule + 8 && at < end; at++) {
                unsigned char found = checked_byte(at);
                if (found == byte || (or_zero && found == 0)) return at;
            }
        }
        granule += 8;
        skipped = 0;
    } while (granule < end);
    return end;
}

/* How many bytes from the address on are known, at most 8. */
ALWAYS_INLINE unsigned known_run(uint64_t address) {
    unsigned skip = (unsigned)(address & 7), here = __tangent_known(address);
    if (here < 8) return here > skip ? here - skip : 0;
    if (skip == 0) return 8;
    here = 8 - skip + __tangent_known(address + 8);
    return here > 8 ? 8 : here;
}

/* The known_run bytes at the address, as a word; what follows them is arbitrary. Only granules that have one of them are
   touched: memory may end after them. */
ALWAYS_INLINE uint64_t load_run(uint64_t address, unsigned run) {
    unsigned skip = (unsigned)(address & 7);
    uint64_t word;
    if (run == 8) return __tangent_peek(address);
    word = __tangent_peek(address - skip) >> (8 * skip);
    if (run > 8 - skip) word |= __tangent_peek(address - skip + 8) << (64 - 8 * skip);
    return word;
}

#endif
