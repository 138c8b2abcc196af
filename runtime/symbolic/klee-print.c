/* KLEE's intrinsics that tell something. Values go to the host, which knows their expressions; warnings go to the program's
   standard error, past its buffers, as they would natively, and to the host for those who explore. */
#include <klee/klee.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "input.h"

static void describe(const char *message, uint64_t value) {
    unsigned shadow = __tangent_shadow(value);
    uint64_t plain = __tangent_with_shadow(value, 0);
    __tangent_host_describe(tangent_address(message), shadow, (unsigned)plain, (unsigned)(plain >> 32));
}

void klee_print_expr(const char *message, ...) {
    va_list arguments;
    va_start(arguments, message);
    uint64_t value = va_arg(arguments, uint64_t);
    va_end(arguments);
    describe(message, value);
}

void klee_print_range(const char *name, int value) {
    describe(name, (uint64_t)(int64_t)value);
}

static void say(const char *text) {
    size_t length = strlen(text);
    if (write(2, text, length) != (ssize_t)length) return;
}

/* In place of a shadow: there is no value to describe. */
#define TEXT_ONLY 0xffffffffu

void klee_warning(const char *message) {
    __tangent_host_describe(tangent_address(message), TEXT_ONLY, 0, 0);
    say("warning: ");
    say(message);
    say("\n");
}

#define MAX_REMEMBERED 64

/* Messages are told apart by where they lie: a program gives the same literal again. */
void klee_warning_once(const char *message) {
    static const char *remembered[MAX_REMEMBERED];
    static unsigned count;
    for (unsigned i = 0; i < count; i++)
        if (remembered[i] == message) return;
    if (count < MAX_REMEMBERED) remembered[count++] = message;
    klee_warning(message);
}

void klee_stack_trace(void) {
    __tangent_host_describe(tangent_address("klee_stack_trace was called"), TEXT_ONLY, 0, 0);
}
