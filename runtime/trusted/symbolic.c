/* Accesses in a program with shadows, where the test in line did not pass: a shadow is set, or the bytes are symbolic, or
   the access is at the edge of an object, or it is an error. The check comes first, so that the host hears only of
   accesses that are allowed on this run. */
#include "symbolic.h"

/* Which other addresses fail here too is on the path before the run ends, so that those that do not are explored: all outside
   of the object that is meant, or, if none is known (no bytes), those in the same gap between objects. */
static _Noreturn void refuse_write(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned site,
                                   uint64_t object, uint64_t bytes) {
    unsigned low = (unsigned)address, high = (unsigned)(address >> 32);
    if (pointer_shadow)
        __tangent_host_refused_at(site, pointer_shadow, low, high, size, 1, (unsigned)object, (unsigned)bytes);
    __tangent_host_fault(TANGENT_FAULT_WRITE, low, high, (int)size);
}

/* Returns if the run goes on behind the read: its address is then what it is on this run. */
static unsigned refuse_read(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned site, uint64_t object,
                            uint64_t bytes) {
    unsigned low = (unsigned)address, high = (unsigned)(address >> 32);
    if (pointer_shadow)
        __tangent_host_refused_at(site, pointer_shadow, low, high, size, 0, (unsigned)object, (unsigned)bytes);
    __tangent_host_refused_read(low, high, size);
    return __tangent_host_load_bytes(low, size);
}

/* The bytes of a granule are mostly set in order, first to last. As long as that is so, its state says how many have been,
   and the host is not asked. Returns whether all is done. */
static inline int set_in_order(uint64_t address, unsigned size) {
    unsigned at = tangent_state_of((unsigned)address), state = TANGENT_U8(at);
    unsigned set = state & TANGENT_STATE_UNSET_MASK, from = (unsigned)address & 7, end = from + size;
    unsigned count = state >> TANGENT_STATE_SYMBOLIC_COUNT_SHIFT & 7;
    if (address >> 32 || !(state & TANGENT_STATE_SYMBOLIC) || !set || from > set - 1) return 0;
    if (!count) count = 8;
    if (end > count) return 0;
    if (end <= set - 1) return 1;
    if (end == count)
        TANGENT_U8(at) = (unsigned char)count;
    else if (end < TANGENT_STATE_UNSET_MASK)
        TANGENT_U8(at) = (unsigned char)((state & ~TANGENT_STATE_UNSET_MASK) | (end + 1));
    else
        return 0;
    return 1;
}

/* Whether all that is read has been set, and is so short that the state says it. */
static inline int was_set_in_order(uint64_t address, unsigned size) {
    unsigned state = TANGENT_U8(tangent_state_of((unsigned)address)), set = state & TANGENT_STATE_UNSET_MASK;
    return address >> 32 == 0 && state & TANGENT_STATE_SYMBOLIC && set && ((unsigned)address & 7) + size <= set - 1;
}

unsigned __tangent_symbolic_read(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned site) {
    if (__tangent_definedness() && !pointer_shadow && was_set_in_order(address, size)) return 0;
    int allowed = tangent_range_access(address, size, 0);
    if (!allowed) return refuse_read(address, size, pointer_shadow, site, 0, 0);
    if (pointer_shadow)
        return __tangent_host_read_at(site, pointer_shadow, (unsigned)address, (unsigned)(address >> 32), size);
    return allowed == TANGENT_SYMBOLIC ? __tangent_host_load_bytes((unsigned)address, size) : 0;
}

/* About to store `value`; it is told only if the address is symbolic. */
void __tangent_symbolic_write(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned shadow, unsigned site,
                              uint64_t value) {
    if (__tangent_definedness() && !(pointer_shadow | shadow) && set_in_order(address, size)) return;
    int allowed = tangent_range_access(address, size, 1);
    if (!allowed) refuse_write(address, size, pointer_shadow, site, 0, 0);
    unsigned low = (unsigned)address, high = (unsigned)(address >> 32);
    if (pointer_shadow)
        __tangent_host_write_at(site, pointer_shadow, low, high, size, shadow, (unsigned)value, (unsigned)(value >> 32));
    else if (shadow || allowed == TANGENT_SYMBOLIC)
        __tangent_host_store_bytes((unsigned)address, size, shadow);
}

unsigned __tangent_symbolic_peek(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned site) {
    int allowed = tangent_range_access(address, 1, 0);
    if (!allowed) return refuse_read(address, size, pointer_shadow, site, 0, 0);
    if (pointer_shadow)
        return __tangent_host_read_at(site, pointer_shadow, (unsigned)address, (unsigned)(address >> 32), size);
    unsigned first = tangent_state_of((unsigned)address), last = tangent_state_of((unsigned)address + size - 1);
    if (!((TANGENT_U8(first) | TANGENT_U8(last)) & TANGENT_STATE_SYMBOLIC)) return 0;
    return __tangent_host_load_bytes((unsigned)address, size);
}

/* The first two of an access whose address was computed from this object: it must lie in it, not in just any. */
unsigned __tangent_symbolic_read_of(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned site,
                                    uint64_t object, uint64_t bytes) {
    if (!tangent_lies_in(address, size, object, bytes))
        return refuse_read(address, size, pointer_shadow, site, object, bytes);
    return __tangent_symbolic_read(address, size, pointer_shadow, site);
}

void __tangent_symbolic_write_of(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned shadow, unsigned site,
                                 uint64_t value, uint64_t object, uint64_t bytes) {
    if (!tangent_lies_in(address, size, object, bytes))
        refuse_write(address, size, pointer_shadow, site, object, bytes);
    __tangent_symbolic_write(address, size, pointer_shadow, shadow, site, value);
}
