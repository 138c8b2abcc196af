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

/* The hits in one granule's word: the high bit of the first byte that is `pattern`'s, or zero if `or_zero`. */
ALWAYS_INLINE uint64_t hits_in(uint64_t word, uint64_t pattern, uint64_t skipped, int or_zero) {
    uint64_t hits = first_zero((word ^ pattern) | skipped);
    return or_zero ? hits | first_zero(word | skipped) : hits;
}

/* Whether one of four granules has a hit. */
ALWAYS_INLINE int any_hit(uint64_t granule, uint64_t pattern, int or_zero) {
    uint64_t a = hits_in(__tangent_peek((unsigned)granule), pattern, 0, or_zero);
    uint64_t b = hits_in(__tangent_peek((unsigned)granule + 8), pattern, 0, or_zero);
    uint64_t c = hits_in(__tangent_peek((unsigned)granule + 16), pattern, 0, or_zero);
    uint64_t d = hits_in(__tangent_peek((unsigned)granule + 24), pattern, 0, or_zero);
    return (a | b | c | d) != 0;
}

/* How many bytes from the address on are known, at most 8. */
ALWAYS_INLINE unsigned known_run(uint64_t address) {
    unsigned skip = (unsigned)(address & 7), here;
    if (address >> 32) return 0;
    here = __tangent_known((unsigned)address);
    if (here < 8) return here > skip ? here - skip : 0;
    if (skip == 0) return 8;
    here = 8 - skip + __tangent_known((unsigned)address + 8);
    return here > 8 ? 8 : here;
}

/* The known_run bytes at the address, as a word; what follows them is arbitrary. Only granules that have one of them are
   touched: memory may end after them. */
ALWAYS_INLINE uint64_t load_run(uint64_t address, unsigned run) {
    unsigned skip = (unsigned)(address & 7), granule = (unsigned)address - skip;
    uint64_t word = __tangent_peek(granule) >> (8 * skip);
    if (run > 8 - skip) word |= __tangent_peek(granule + 8) << (64 - 8 * skip);
    return word;
}

/* The byte to look for depends on the input, and the text does not: where it is found is a table with a place for each
   byte. One look-up, instead of a decision for every byte of the text, each of which would be a path of its own.
   Longer texts than this are left to the loop, as are those that are not known as far as the scan may go. */
#define LONGEST_KNOWN_TEXT 255

struct known_text {
    /* Where the text ends, or ~0u if it cannot be told. */
    unsigned length;
    /* By byte: its first place, or the length. */
    unsigned char place[256];
};

static __attribute__((noinline)) void learn_text(struct known_text *text, uint64_t from, uint64_t end, int or_zero) {
    unsigned char bytes[LONGEST_KNOWN_TEXT];
    unsigned length = 0, i;
    for (text->length = ~0u; from + length < end;) {
        unsigned run = known_run(from + length);
        uint64_t word;
        if (run == 0) return;
        for (word = load_run(from + length, run); run > 0 && from + length < end; run--, word >>= 8) {
            if (or_zero && (unsigned char)word == 0) goto ended;
            if (length == LONGEST_KNOWN_TEXT) return;
            bytes[length++] = (unsigned char)word;
        }
    }
ended:
    text->length = length;
    for (i = 0; i < 256; i++) text->place[i] = (unsigned char)length;
    for (i = length; i-- > 0;) text->place[bytes[i]] = (unsigned char)i;
}

static __attribute__((noinline)) uint64_t scan_for_symbolic(uint64_t from, uint64_t end, unsigned char byte, int or_zero) {
    struct known_text text;
    learn_text(&text, from, end, or_zero);
    if (text.length != ~0u) return from + text.place[byte];
    for (; from < end; from++) {
        unsigned char found = checked_byte(from);
        if (found == byte || (or_zero && found == 0)) return from;
    }
    return end;
}

/* The first address in [from, end) whose byte is `byte`, or is zero if `or_zero`; else `end`. */
ALWAYS_INLINE uint64_t scan(uint64_t from, uint64_t end, unsigned char byte, int or_zero) {
    uint64_t granule = from & ~7ull, skipped = first_bytes((unsigned)(from & 7)), pattern = byte * ONES, hits;
    if (from >= end) return end;
    if (__tangent_shadow(byte)) return scan_for_symbolic(from, end, byte, or_zero);
    /* Beyond 4 GiB there is nothing, and below it the states end in zeros. */
    if (from >> 32) checked_byte(from);
    do {
        unsigned known = __tangent_known((unsigned)granule);
        if (known) {
            hits = hits_in(__tangent_peek((unsigned)granule), pattern, skipped, or_zero) & first_bytes(known);
            if (hits) goto found;
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
        /* A long way to go: eight granules for one look at the states, four for one branch. */
        while (granule < end && __tangent_known_64((unsigned)granule)) {
            if (any_hit(granule, pattern, or_zero) || (granule += 32, any_hit(granule, pattern, or_zero))) {
                do {
                    hits = hits_in(__tangent_peek((unsigned)granule), pattern, 0, or_zero);
                    if (hits) goto found;
                    granule += 8;
                } while (1);
            }
            granule += 32;
        }
    } while (granule < end);
    return end;
found:
    granule += byte_index(hits);
    return granule < end ? granule : end;
}

#endif
