/* The slow path of the access checks, and the checks of whole ranges. Generated code comes here when its one-byte test
   fails, which does not yet mean an error: the access may lie in a partial granule, or reach into the next one. Ranges are
   checked eight granules at a time; a loop over the bytes would make memcpy an order of magnitude slower.
   Invariant: a range is allowed if every granule but its last is full and the last one allows the bytes that are used.
   (That is stricter than needed for nothing: a partial granule allows only its first bytes, so nothing follows it.) */
#include "symbolic.h"

static _Noreturn void fault(int kind, uint64_t address, unsigned size) {
    __tangent_host_fault(kind, (unsigned)address, (unsigned)(address >> 32), (int)size);
}

void __tangent_check_read(uint64_t address, unsigned size) {
    if (!tangent_range_access(address, size, 0))
        __tangent_host_refused_read((unsigned)address, (unsigned)(address >> 32), size);
}

void __tangent_check_write(uint64_t address, unsigned size) {
    int allowed = tangent_range_access(address, size, 1);
    if (!allowed) fault(TANGENT_FAULT_WRITE, address, size);
    /* Whoever asks in this way writes without telling of shadows: the bytes become concrete. */
    if (allowed == TANGENT_SYMBOLIC) __tangent_host_fill_bytes((unsigned)address, size, 0);
}

/* The same of an access whose address was computed from this object: it must lie in it, not in just any. */
void __tangent_check_read_of(uint64_t address, unsigned size, uint64_t object, uint64_t bytes) {
    if (!tangent_lies_in(address, size, object, bytes))
        __tangent_host_refused_read((unsigned)address, (unsigned)(address >> 32), size);
    else
        __tangent_check_read(address, size);
}

void __tangent_check_write_of(uint64_t address, unsigned size, uint64_t object, uint64_t bytes) {
    if (!tangent_lies_in(address, size, object, bytes)) fault(TANGENT_FAULT_WRITE, address, size);
    __tangent_check_write(address, size);
}
