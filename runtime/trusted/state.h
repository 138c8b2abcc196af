/* Reading and writing address states. The state of address p is the byte at p >> 3 (src/jit/memory-layout.ts); its low
   four bits say how many of the granule's first bytes may be touched, 8 being all. Everything here is raw access:
   include it in trusted code only. */
#ifndef TANGENT_STATE_H
#define TANGENT_STATE_H

#include <tangent/machine.h>

/* Loads and stores at any alignment, as the machine does them. */
struct tangent_unaligned64 {
    uint64_t value;
} __attribute__((packed, may_alias));
struct tangent_unaligned32 {
    uint32_t value;
} __attribute__((packed, may_alias));
struct tangent_unaligned16 {
    uint16_t value;
} __attribute__((packed, may_alias));

#define TANGENT_U64(address) (((struct tangent_unaligned64 *)(uintptr_t)(unsigned)(address))->value)
#define TANGENT_U32(address) (((struct tangent_unaligned32 *)(uintptr_t)(unsigned)(address))->value)
#define TANGENT_U16(address) (((struct tangent_unaligned16 *)(uintptr_t)(unsigned)(address))->value)
#define TANGENT_U8(address) (*(unsigned char *)(uintptr_t)(unsigned)(address))

/* Eight states at once. */
#define TANGENT_ALL_FULL 0x0808080808080808ull

static inline unsigned tangent_state_of(unsigned address) {
    return address >> TANGENT_STATE_SHIFT;
}

/* Whether some granule of the range holds symbolic bytes. */
static inline int tangent_any_symbolic(unsigned address, unsigned size) {
    unsigned state = tangent_state_of(address), end = size ? tangent_state_of(address + size - 1) + 1 : state;
    for (; end - state >= 8; state += 8)
        if (TANGENT_U64(state) & 0x8080808080808080ull) return 1;
    for (; state < end; state++)
        if (TANGENT_U8(state) & TANGENT_STATE_SYMBOLIC) return 1;
    return 0;
}

/* How many of the granule's first bytes may be read. */
static inline unsigned tangent_readable(unsigned state) {
    /* With definedness the low bits of a symbolic granule mean something else. */
    if (__tangent_definedness() && state & TANGENT_STATE_SYMBOLIC) return 0;
    return state & 0x0f;
}

/* How many of them may be written: none if it is read-only. */
static inline unsigned tangent_writable(unsigned state) {
    return state & TANGENT_STATE_READ_ONLY ? 0 : tangent_readable(state);
}

#endif
