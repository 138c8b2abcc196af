// Exceptions made of setjmp and longjmp, with a stack of handlers, re-raising and cleaning up.
// stdout: 12
// stdout: -120
// stdout: 77
// stdout: caught 1000
// stdout: 5
// stdout: 0 live
// stdout: 2
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct handler {
    jmp_buf buffer;
    struct handler *outer;
};

static struct handler *handlers;
static int live;

#define TRY(h) (h.outer = handlers, handlers = &h, setjmp(h.buffer))
#define END(h) (handlers = h.outer)

static _Noreturn void raise_error(int code)
{
    struct handler *h = handlers;
    handlers = h->outer;
    longjmp(h->buffer, code);
}

static int parse(const char *text)
{
    int value = 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            raise_error(*text);
        value = value * 10 + (*text - '0');
    }
    return value;
}

static int guarded(const char *text)
{
    struct handler h;
    int *scratch = malloc(sizeof *scratch);
    live++;
    int code = TRY(h);
    if (code == 0) {
        *scratch = parse(text);
        END(h);
        int value = *scratch;
        free(scratch);
        live--;
        return value;
    }
    free(scratch);
    live--;
    if (code == '!')
        raise_error(1000);
    return -code;
}

int main(void)
{
    static const char *inputs[] = { "12", "3x", "77", "1!2", "5" };
    for (volatile int i = 0; i < 5; i++) {
        struct handler h;
        int code = TRY(h);
        if (code == 0) {
            printf("%d\n", guarded(inputs[i]));
            END(h);
        } else {
            printf("caught %d\n", code);
        }
    }
    printf("%d live\n", live);
    jmp_buf signals;
    if (_setjmp(signals) == 0)
        _longjmp(signals, 3);
    sigjmp_buf masked;
    int back = sigsetjmp(masked, 1);
    if (back < 2)
        siglongjmp(masked, back + 1);
    printf("%d\n", back);
    return 0;
}
