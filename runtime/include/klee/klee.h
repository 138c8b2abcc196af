/* What a program says to the engine that explores it. The names and meanings are KLEE's, so that a program written for
   KLEE needs no change; the words and the code behind them (runtime/symbolic/) are Tangent's own. In an ordinary run, and
   natively, symbolic bytes are those of a recorded input, or stay as they are. */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes become input, under this name. The same name may be given to several objects. */
void klee_make_symbolic(void *address, size_t size, const char *name);
/* An int that is input; the second one is within [begin, end). */
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);
/* One of 0 to count - 1. */
uintptr_t klee_choose(uintptr_t count);

/* The path goes on only with inputs for which the condition is not zero. */
void klee_assume(uintptr_t condition);
/* Of several inputs for one path, one for which the condition holds is the better test. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);

/* Ends the path without making a test of it. */
__attribute__((noreturn)) void klee_silent_exit(int status);
/* Ends the path with an error; the test's .err file gets the suffix as part of its name. */
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message, const char *suffix);
__attribute__((noreturn)) void klee_abort(void);

/* Whether the value depends on the input of this path. */
unsigned klee_is_symbolic(uintptr_t value);
/* Whether this is a native program that repeats a test. */
unsigned klee_is_replay(void);

/* One concrete value that the expression may have. */
float klee_get_value_f(float expression);
double klee_get_value_d(double expression);
long klee_get_value_l(long expression);
long long klee_get_value_ll(long long expression);
int32_t klee_get_value_i32(int32_t expression);
int64_t klee_get_value_i64(int64_t expression);

/* Size of the object that the pointer points into. */
size_t klee_get_obj_size(void *pointer);
/* Memory at an address of the program's choice, which this machine does not have: the run ends there and says so. */
void klee_define_fixed_object(void *address, size_t size);
/* An access of this kind that does nothing but fail where a real one would. */
void klee_check_memory_access(const void *address, size_t size);

/* What the engine knows about a value: klee_print_expr("x", x). */
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_stack_trace(void);

/* Understood and without effect: paths are not merged, and there is no state that could be kept from forking. */
void klee_open_merge(void);
void klee_close_merge(void);
void klee_merge(void);
void klee_set_forking(unsigned enable);
void klee_mark_global(void *object);

#ifdef __cplusplus
}
#endif

/* Like assert, whatever NDEBUG says. Libraries differ in the type of the line. */
#ifdef __GLIBC__
#define KLEE_LINE unsigned
#else
#define KLEE_LINE int
#endif
#ifdef __cplusplus
extern "C"
#endif
__attribute__((noreturn)) void __assert_fail(const char *, const char *, KLEE_LINE, const char *);
#define klee_assert(condition) \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__))

#endif
