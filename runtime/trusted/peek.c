/* The libc's raw looks at memory (tangent/peek.h). */
#include <tangent/peek.h>

#include "symbolic.h"

/* A full, concrete granule is 0x08, or 0x18 if it is read-only; higher bits mark what is not concrete. */
#define CONCRETE_STATES 0x1fu
#define READ_ONLY_BITS 0x1010101010101010ull

unsigned __tangent_known(unsigned address) {
    unsigned state = TANGENT_U8(tangent_state_of(address));
    return state > CONCRETE_STATES ? 0 : state & 0x0f;
}

int __tangent_known_8(unsigned address) {
    unsigned first = TANGENT_U8(tangent_state_of(address)), last = TANGENT_U8(tangent_state_of(address + 7));
    return (((first | last) & ~(unsigned)TANGENT_STATE_READ_ONLY) == TANGENT_STATE_FULL) & ((first & last) >> 3);
}

int __tangent_known_64(unsigned address) {
    return (TANGENT_U64(tangent_state_of(address)) & ~READ_ONLY_BITS) == TANGENT_ALL_FULL;
}

uint64_t __tangent_peek(unsigned address) {
    return TANGENT_U64(address);
}

int __tangent_known_range(uint64_t address, uint64_t size) {
    if (size == 0) return 1;
    if (size >> 31 || !tangent_range_sane(address, (unsigned)size)) return 0;
    unsigned state = tangent_state_of((unsigned)address), end = (unsigned)(address + size - 1), last = tangent_state_of(end);
    if (TANGENT_U8(last) > CONCRETE_STATES || (end & 7) >= tangent_readable(TANGENT_U8(last))) return 0;
    for (; last - state >= 8; state += 8)
        if ((TANGENT_U64(state) & ~READ_ONLY_BITS) != TANGENT_ALL_FULL) return 0;
    return last == state || tangent_low_states((TANGENT_U64(state) & ~READ_ONLY_BITS) ^ TANGENT_ALL_FULL, last - state) == 0;
}

void __tangent_read_range(uint64_t address, uint64_t size) {
    /* No object is that large: a negative number was converted. */
    if (size >> 31) __tangent_host_fault(TANGENT_FAULT_NEGATIVE_SIZE, (unsigned)address, (unsigned)(address >> 32), (int)size);
    if (!tangent_range_access(address, (unsigned)size, 0))
        __tangent_host_refused_read((unsigned)address, (unsigned)(address >> 32), (unsigned)size);
}

void __tangent_read_string(uint64_t address, uint64_t limit) {
    for (uint64_t at = address; limit; at++, limit--) {
        if (!tangent_range_access(at, 1, 0)) {
            unsigned size = (unsigned)(at - address) + 1;
            __tangent_host_refused_read((unsigned)address, (unsigned)(address >> 32), size);
            return;
        }
        if (TANGENT_U8(at) == 0) return;
    }
}

unsigned __tangent_detectors(void) {
    return TANGENT_U32(TANGENT_CONTROL_DETECTORS);
}

void __tangent_bad_comparator(int how) {
    __tangent_host_fault(TANGENT_FAULT_COMPARATOR, 0, 0, how);
}

static inline int can_write(uint64_t address, uint64_t size) {
    return size >> 31 == 0 && tangent_range_writable(address, (unsigned)size);
}

int __tangent_try_copy(uint64_t destination, uint64_t source, uint64_t size) {
    if (size >> 31 || !tangent_range_readable(source, (unsigned)size) || !can_write(destination, size)) return 0;
    if (destination - source < size || source - destination < size) return 0;
    for (; size >= 8 && size <= 32; size -= 8, destination += 8, source += 8)
        TANGENT_U64(destination) = TANGENT_U64(source);
    if (size < 8)
        for (; size; size--, destination++, source++) TANGENT_U8(destination) = TANGENT_U8(source);
    else {
        __tangent_memory_copy((unsigned)destination, (unsigned)source, (unsigned)size);
        __tangent_settle();
    }
    return 1;
}

int __tangent_try_fill(uint64_t destination, int byte, uint64_t size) {
    if (!can_write(destination, size)) return 0;
    __tangent_memory_fill((unsigned)destination, byte, (unsigned)size);
    __tangent_settle();
    return 1;
}
