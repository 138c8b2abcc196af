/* Making ranges addressable and not: the whole granules' states by words or, if there are many, by one bulk fill; then the
   last granule's count. */
#include "state.h"

/* Up to here a loop wins over leaving generated code for the bulk operation. */
#define FEW_STATES 64

static inline void fill_states(unsigned state, unsigned char value, unsigned count) {
    if (count > FEW_STATES) {
        __tangent_memory_fill(state, value, count);
        return;
    }
    for (; count >= 8; count -= 8, state += 8) TANGENT_U64(state) = value * 0x0101010101010101ull;
    for (; count; count--, state++) TANGENT_U8(state) = value;
}

static inline void allow_plain(unsigned address, unsigned size) {
    unsigned state = tangent_state_of(address), whole = size >> TANGENT_STATE_SHIFT;
    fill_states(state, TANGENT_STATE_FULL, whole);
    if (size & 7) TANGENT_U8(state + whole) = (unsigned char)(size & 7);
}

/* Nothing there has been set. */
static inline void allow_unset(unsigned address, unsigned size) {
    unsigned state = tangent_state_of(address), whole = size >> TANGENT_STATE_SHIFT;
    unsigned unset = TANGENT_STATE_SYMBOLIC | TANGENT_STATE_UNSET;
    fill_states(state, (unsigned char)unset, whole);
    if (size & 7) TANGENT_U8(state + whole) = (unsigned char)(unset | (size & 7) << TANGENT_STATE_SYMBOLIC_COUNT_SHIFT);
}

void __tangent_state_allow(unsigned address, unsigned size) {
    if (__tangent_definedness())
        allow_unset(address, size);
    else
        allow_plain(address, size);
}

void __tangent_state_define(unsigned address, unsigned size) {
    allow_plain(address, size);
}

void __tangent_state_forbid(unsigned address, unsigned size) {
    fill_states(tangent_state_of(address), TANGENT_STATE_NONE, (size + 7) >> TANGENT_STATE_SHIFT);
}
