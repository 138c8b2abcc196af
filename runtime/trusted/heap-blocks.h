/* A block's life: the header written when it begins, checked and changed when it ends, and the states of small blocks, a
   word (64 bytes) at a time. Small functions, meant to be inlined into malloc and free. */
#ifndef TANGENT_HEAP_BLOCKS_H
#define TANGENT_HEAP_BLOCKS_H

#include "heap.h"

#define heap __tangent_heap
#define TANGENT_ENOMEM 12
#define TANGENT_EINVAL 22
/* Up to here a loop of word stores wins over the bulk fill. */
#define SMALL_STATES 512u

int *__errno_location(void);

static inline unsigned pop_free(unsigned class) {
    unsigned header = heap.free[class];
    heap.free[class] = BLOCK(header)->next;
    return header;
}

static inline void begin_block(unsigned header, unsigned size) {
    unsigned serial = ++heap.allocation_serial;
    BLOCK(header)->mark = BLOCK_LIVE;
    BLOCK(header)->size = size;
    BLOCK(header)->allocation_serial = serial;
    BLOCK(header)->free_serial = 0;
    BLOCK(header)->shift = 0;
    BLOCK(header)->check = (header + HEADER) ^ CHECK;
    if (serial == TANGENT_U32(TANGENT_CONTROL_WATCH_ALLOCATION)) __tangent_host_watch(serial, 0);
}

static inline void end_block(unsigned header) {
    BLOCK(header)->mark = BLOCK_FREED;
    BLOCK(header)->free_serial = ++heap.free_serial;
    if (BLOCK(header)->allocation_serial == TANGENT_U32(TANGENT_CONTROL_WATCH_FREE))
        __tangent_host_watch(BLOCK(header)->allocation_serial, 1);
}

static _Noreturn void bad_free(uint64_t address, int fault) {
    __tangent_host_fault(fault, (unsigned)address, (unsigned)(address >> 32), 0);
}

/* The header of the live block that begins at the address; there being none is a fault. */
static inline unsigned live_header(uint64_t address) {
    if (address - heap.low >= heap.high - heap.low || address & 15) bad_free(address, TANGENT_FAULT_INVALID_FREE);
    unsigned header = (unsigned)address - HEADER;
    if (BLOCK(header)->check != ((unsigned)address ^ CHECK)) bad_free(address, TANGENT_FAULT_INVALID_FREE);
    if (BLOCK(header)->mark != BLOCK_LIVE)
        bad_free(address, BLOCK(header)->mark == BLOCK_FREED ? TANGENT_FAULT_DOUBLE_FREE : TANGENT_FAULT_INVALID_FREE);
    return header;
}

/* The states of the first `bytes` (0 to 63) of 64. */
static inline uint64_t partial_word(unsigned bytes) {
    unsigned whole = bytes >> 3;
    return TANGENT_ALL_FULL >> 8 >> (56 - 8 * whole) | (uint64_t)(bytes & 7) << (8 * whole);
}

static inline void allow_small(unsigned bytes, unsigned size) {
    unsigned state = tangent_state_of(bytes);
    if (__tangent_definedness() || size > SMALL_STATES) {
        __tangent_state_allow(bytes, size);
        return;
    }
    for (; size >= 64; size -= 64, state += 8) TANGENT_U64(state) = TANGENT_ALL_FULL;
    if (size) TANGENT_U64(state) = partial_word(size);
}

static inline void forbid_small(unsigned bytes, unsigned size) {
    unsigned state = tangent_state_of(bytes), end = state + ((size + 7) >> 3);
    if (size > SMALL_STATES) {
        __tangent_state_forbid(bytes, size);
        return;
    }
    for (; state < end; state += 8) TANGENT_U64(state) = 0;
}

/* As MALLOC_PERTURB_ says: what a program never set is then neither zero nor what was there before. */
static inline void perturb(unsigned bytes, unsigned size) {
    unsigned fill = TANGENT_U32(TANGENT_CONTROL_HEAP_FILL);
    if (fill) __tangent_memory_fill(bytes, (unsigned char)fill, size);
}

static inline void clear(unsigned bytes, unsigned size) {
    unsigned end = bytes + ((size + 7) & ~7u);
    if (size > 128) {
        __tangent_memory_fill(bytes, 0, size);
        return;
    }
    for (; bytes < end; bytes += 8) TANGENT_U64(bytes) = 0;
}

#endif
