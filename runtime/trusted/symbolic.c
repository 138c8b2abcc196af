/* Accesses in a program with shadows, where the test in line did not pass: a shadow is set, or the bytes are symbolic, or
   the access is at the edge of an object, or it is an error. The check comes first, so that the host hears only of
   accesses that are allowed on this run. */
#include "symbolic.h"

static _Noreturn void fault(int kind, uint64_t address, unsigned size) {
    __tangent_host_fault(kind, (unsigned)address, (unsigned)(address >> 32), (int)size);
}

unsigned __tangent_symbolic_read(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned site) {
    int allowed = tangent_range_access(address, size, 0);
    if (!allowed) fault(TANGENT_FAULT_READ, address, size);
    if (pointer_shadow)
        return __tangent_host_read_at(site, pointer_shadow, (unsigned)address, (unsigned)(address >> 32), size);
    return allowed == TANGENT_SYMBOLIC ? __tangent_host_load_bytes((unsigned)address, size) : 0;
}

void __tangent_symbolic_write(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned shadow, unsigned site) {
    int allowed = tangent_range_access(address, size, 1);
    if (!allowed) fault(TANGENT_FAULT_WRITE, address, size);
    if (pointer_shadow)
        __tangent_host_write_at(site, pointer_shadow, (unsigned)address, (unsigned)(address >> 32), size, shadow);
    else if (shadow || allowed == TANGENT_SYMBOLIC)
        __tangent_host_store_bytes((unsigned)address, size, shadow);
}

unsigned __tangent_symbolic_peek(uint64_t address, unsigned size, unsigned pointer_shadow, unsigned site) {
    int allowed = tangent_range_access(address, 1, 0);
    if (!allowed) fault(TANGENT_FAULT_READ, address, size);
    if (pointer_shadow)
        return __tangent_host_read_at(site, pointer_shadow, (unsigned)address, (unsigned)(address >> 32), size);
    unsigned first = tangent_state_of((unsigned)address), last = tangent_state_of((unsigned)address + size - 1);
    if (!((TANGENT_U8(first) | TANGENT_U8(last)) & TANGENT_STATE_SYMBOLIC)) return 0;
    return __tangent_host_load_bytes((unsigned)address, size);
}
