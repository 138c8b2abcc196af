/* Recursion that is left by longjmp before the stack ends, again and again. */
#include <setjmp.h>

static jmp_buf back;

static int descend(int depth) {
    if (depth > 5000) longjmp(back, 1);
    return descend(depth + 1) + 1;
}

int main(void) {
    volatile long rounds = 0;
    for (;;) {
        if (setjmp(back) == 0) rounds += descend(0);
    }
}
