/* Making ranges addressable and not: whole granules by one bulk fill, the rest by the last granule's count. */
#include "state.h"

void __tangent_state_allow(unsigned address, unsigned size) {
    unsigned state = tangent_state_of(address);
    unsigned whole = size >> TANGENT_STATE_SHIFT;
    __tangent_memory_fill(state, TANGENT_STATE_FULL, whole);
    if (size & 7) TANGENT_U8(state + whole) = (unsigned char)(size & 7);
}

void __tangent_state_forbid(unsigned address, unsigned size) {
    __tangent_memory_fill(tangent_state_of(address), TANGENT_STATE_NONE, (size + 7) >> TANGENT_STATE_SHIFT);
}
