/* KLEE's intrinsics, except for those that only print (klee-print.c). All of them are ordinary code that runs with
   shadows; what needs the engine asks the host. Invariant: a condition handed to the engine is never branched on. */
#include <klee/klee.h>
#include <stdlib.h>

#include "input.h"

size_t __tangent_object_size(uint64_t address);

void klee_make_symbolic(void *address, size_t size, const char *name) {
    uint64_t start = tangent_pinned((uintptr_t)address, 64);
    uint64_t bytes = tangent_pinned(size, 64);
    if (bytes == 0) {
        klee_warning_once("klee_make_symbolic was given a size of 0: there is nothing to make symbolic");
        return;
    }
    if (bytes >> 31) __tangent_host_fault(TANGENT_FAULT_NEGATIVE_SIZE, (unsigned)start, (unsigned)(start >> 32), (int)bytes);
    __tangent_check_write(start, (unsigned)bytes);
    /* An array of the program may become input element by element, so this is no error here as it is in KLEE. */
    if (bytes < __tangent_object_size(start)) {
        klee_warning_once("klee_make_symbolic was given a part of an object only: the rest stays as it is (KLEE: wrong size)");
    }
    if (name == NULL || *name == 0) name = "unnamed";
    __tangent_host_make_symbolic((unsigned)start, (unsigned)bytes, tangent_address(name));
}

int klee_int(const char *name) {
    int value = 0;
    klee_make_symbolic(&value, sizeof value, name);
    return value;
}

uintptr_t klee_choose(uintptr_t count) {
    uintptr_t value = 0;
    klee_make_symbolic(&value, sizeof value, "klee_choose");
    if (value >= count) klee_silent_exit(0);
    return value;
}

int klee_range(int begin, int end, const char *name) {
    if (begin >= end) klee_report_error(__FILE__, __LINE__, "klee_range was given an empty range", "user");
    if ((long)end - begin == 1) return begin;
    int value = begin;
    klee_make_symbolic(&value, sizeof value, name);
    /* One comparison: the range moved to 0. */
    tangent_assume((unsigned)value - (unsigned)begin < (unsigned)end - (unsigned)begin);
    return value;
}

/* KLEE's is an error where it cannot hold; those of Test-Comp just end the path. */
void klee_assume(uintptr_t condition) {
    tangent_assume_how(condition != 0, TANGENT_ASSUME_TOLD);
}

void klee_prefer_cex(void *object, uintptr_t condition) {
    (void)object;
    unsigned shadow = __tangent_shadow((uint64_t)(condition != 0));
    if (shadow) __tangent_host_prefer(shadow);
}

void klee_posix_prefer_cex(void *object, uintptr_t condition) {
    klee_prefer_cex(object, condition);
}

_Noreturn void klee_silent_exit(int status) {
    (void)status;
    __tangent_host_end_silently();
}

_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    __tangent_host_report_error(tangent_address(message), tangent_address(suffix), tangent_address(file), (unsigned)line);
}

_Noreturn void klee_abort(void) {
    abort();
}

unsigned klee_is_symbolic(uintptr_t value) {
    return __tangent_shadow(value) != 0;
}

/* Also when the VM repeats a test: it must take the path that the exploration took. */
unsigned klee_is_replay(void) {
    return 0;
}

float klee_get_value_f(float expression) {
    union {
        float number;
        uint32_t bits;
    } view = {expression};
    view.bits = (uint32_t)tangent_pinned(view.bits, 64);
    return view.number;
}

double klee_get_value_d(double expression) {
    union {
        double number;
        uint64_t bits;
    } view = {expression};
    view.bits = tangent_pinned(view.bits, 64);
    return view.number;
}

long klee_get_value_l(long expression) {
    return (long)tangent_pinned((uint64_t)expression, 64);
}

long long klee_get_value_ll(long long expression) {
    return (long long)tangent_pinned((uint64_t)expression, 64);
}

int32_t klee_get_value_i32(int32_t expression) {
    return (int32_t)tangent_pinned((uint64_t)(uint32_t)expression, 64);
}

int64_t klee_get_value_i64(int64_t expression) {
    return (int64_t)tangent_pinned((uint64_t)expression, 64);
}

size_t klee_get_obj_size(void *pointer) {
    uint64_t address = tangent_pinned((uintptr_t)pointer, 64);
    __tangent_check_read(address, 1);
    return __tangent_object_size(address);
}

/* The first and the last byte by ordinary reads, which also look at what a symbolic address may become. */
void klee_check_memory_access(const void *address, size_t size) {
    const volatile char *bytes = address;
    if (size == 0) return;
    (void)bytes[0];
    /* At a symbolic place, if the size is: then this asks about every size at once. */
    (void)bytes[size - 1];
    if (size >> 31) __tangent_host_fault(TANGENT_FAULT_NEGATIVE_SIZE, tangent_address(address), 0, (int)size);
    /* The rest concretely, without making the size so: the shadow is left behind. */
    __tangent_check_read(__tangent_with_shadow((uintptr_t)address, 0), (unsigned)__tangent_with_shadow(size, 0));
}

void klee_open_merge(void) {
}

void klee_close_merge(void) {
}

void klee_merge(void) {
}

void klee_set_forking(unsigned enable) {
    (void)enable;
}

void klee_mark_global(void *object) {
    (void)object;
}
