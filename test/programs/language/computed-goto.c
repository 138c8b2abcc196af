// Labels as values: a threaded interpreter, a label difference table, and a jump out of a loop.
// stdout: 59049
// stdout: 10 20 30
// stdout: first 0
// stdout: second 1
// stdout: done
#include <stdio.h>

enum { PUSH, ADD, MULTIPLY, DUPLICATE, DECREMENT, JUMP_IF, SWAP, STOP };

static long run(const int *code)
{
    static void *const labels[] = { &&push, &&add, &&multiply, &&duplicate, &&decrement, &&jump_if, &&swap, &&stop };
    long stack[16], *sp = stack, t;
    const int *pc = code;
#define NEXT goto *labels[*pc++]
    NEXT;
push: *sp++ = *pc++; NEXT;
add: sp--; sp[-1] += *sp; NEXT;
multiply: sp--; sp[-1] *= *sp; NEXT;
duplicate: *sp = sp[-1]; sp++; NEXT;
decrement: sp[-1]--; NEXT;
jump_if: if (sp[-1]) pc = code + *pc; else pc++; NEXT;
swap: t = sp[-1]; sp[-1] = sp[-2]; sp[-2] = t; NEXT;
stop: return sp[-2];
}

static int classify(int c)
{
    static const int offsets[] = { &&digit - &&digit, &&letter - &&digit, &&other - &&digit };
    int which = c >= '0' && c <= '9' ? 0 : c >= 'a' && c <= 'z' ? 1 : 2;
    goto *(&&digit + offsets[which]);
digit: return 10;
letter: return 20;
other: return 30;
}

int main(void)
{
    static const int squares[] = { PUSH, 1, PUSH, 10, SWAP, PUSH, 3, MULTIPLY, SWAP, DECREMENT, JUMP_IF, 4, STOP };
    printf("%ld\n", run(squares));
    printf("%d %d %d\n", classify('7'), classify('q'), classify('!'));
    void *where = &&first;
    for (int i = 0; i < 3; i++) {
        goto *where;
    first:
        printf("first %d\n", i);
        where = &&second;
        continue;
    second:
        printf("second %d\n", i);
        where = &&done;
    }
done:
    printf("done\n");
    return 0;
}
