/* The libc's raw looks at memory (tangent/peek.h). */
#include <tangent/peek.h>

#include "check.h"

/* State bits above these mark what is not concrete. */
#define CONCRETE_STATES 0x1fu

unsigned __tangent_known(uint64_t address) {
    unsigned state;
    if (address >> 32) return 0;
    state = TANGENT_U8(tangent_state_of((unsigned)address));
    return state > CONCRETE_STATES ? 0 : state & 0x0f;
}

uint64_t __tangent_peek(uint64_t address) {
    return TANGENT_U64(address);
}

int __tangent_can_read(uint64_t address, uint64_t size) {
    return size >> 31 == 0 && tangent_range_readable(address, (unsigned)size);
}

int __tangent_can_write(uint64_t address, uint64_t size) {
    return size >> 31 == 0 && tangent_range_writable(address, (unsigned)size);
}

int __tangent_try_copy(uint64_t destination, uint64_t source, uint64_t size) {
    if (!__tangent_can_read(source, size) || !__tangent_can_write(destination, size)) return 0;
    if (destination - source < size || source - destination < size) return 0;
    for (; size >= 8 && size <= 32; size -= 8, destination += 8, source += 8)
        TANGENT_U64(destination) = TANGENT_U64(source);
    if (size < 8)
        for (; size; size--, destination++, source++) TANGENT_U8(destination) = TANGENT_U8(source);
    else
        __tangent_memory_copy((unsigned)destination, (unsigned)source, (unsigned)size);
    return 1;
}

int __tangent_try_fill(uint64_t destination, int byte, uint64_t size) {
    if (!__tangent_can_write(destination, size)) return 0;
    __tangent_memory_fill((unsigned)destination, byte, (unsigned)size);
    return 1;
}
