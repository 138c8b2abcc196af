/* How large the object around an address is: objects lie apart from each other, so it is the run of addressable granules
   around it, and a partial granule is the last of one. */
#include "state.h"

size_t __tangent_object_size(uint64_t address);

/* Addressable bytes of a granule, whether they are symbolic (bit 7, the count above bit 4) or not. */
static unsigned addressable(unsigned state) {
    if (state & 0x80) return (state >> 4 & 7) == 0 ? 8 : state >> 4 & 7;
    return tangent_readable(state);
}

size_t __tangent_object_size(uint64_t address) {
    unsigned first = tangent_state_of((unsigned)address), last = first;
    if (addressable(TANGENT_U8(first)) == 0) return 0;
    while (addressable(TANGENT_U8(first - 1)) == 8) first--;
    while (addressable(TANGENT_U8(last)) == 8 && addressable(TANGENT_U8(last + 1)) != 0) last++;
    return (size_t)(last - first) * TANGENT_GRANULE + addressable(TANGENT_U8(last));
}
