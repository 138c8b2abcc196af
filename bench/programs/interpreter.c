// An interpreter loop: a register machine whose programs count primes, compute Fibonacci numbers and sort.
#include <stdio.h>
#include <stdlib.h>

enum op { LOAD, MOVE, ADD, SUBTRACT, MULTIPLY, REMAINDER, LESS, EQUAL, JUMP, JUMP_IF, JUMP_UNLESS, GET, SET, CALL, RETURN, HALT };

struct instruction {
    unsigned char op, a, b, c;
};
struct frame {
    int pc;
    long registers[8];
};

static long run(const struct instruction *code, long *memory, long argument)
{
    static struct frame frames[64];
    int depth = 0, pc = 0;
    long *r = frames[0].registers;
    r[0] = argument;
    for (;;) {
        struct instruction i = code[pc++];
        switch (i.op) {
        case LOAD: r[i.a] = (signed char)i.b * 256 + i.c; break;
        case MOVE: r[i.a] = r[i.b]; break;
        case ADD: r[i.a] = r[i.b] + r[i.c]; break;
        case SUBTRACT: r[i.a] = r[i.b] - r[i.c]; break;
        case MULTIPLY: r[i.a] = r[i.b] * r[i.c]; break;
        case REMAINDER: r[i.a] = r[i.c] ? r[i.b] % r[i.c] : 0; break;
        case LESS: r[i.a] = r[i.b] < r[i.c]; break;
        case EQUAL: r[i.a] = r[i.b] == r[i.c]; break;
        case JUMP: pc = i.b * 256 + i.c; break;
        case JUMP_IF: if (r[i.a]) pc = i.b * 256 + i.c; break;
        case JUMP_UNLESS: if (!r[i.a]) pc = i.b * 256 + i.c; break;
        case GET: r[i.a] = memory[r[i.b] + i.c]; break;
        case SET: memory[r[i.b] + i.c] = r[i.a]; break;
        case CALL:
            frames[depth].pc = pc;
            frames[++depth].registers[0] = r[i.a];
            r = frames[depth].registers;
            pc = i.b * 256 + i.c;
            break;
        case RETURN: {
            long result = r[i.a];
            r = frames[--depth].registers;
            pc = frames[depth].pc;
            r[7] = result;
            break;
        }
        default: return r[i.a];
        }
    }
}

/* r0 = n: counts the primes below n by trial division. */
static const struct instruction primes[] = {
    { LOAD, 1, 0, 2 }, { LOAD, 2, 0, 0 }, { LOAD, 6, 0, 1 },
    { LESS, 3, 1, 0 }, { JUMP_UNLESS, 3, 0, 18 },
    { LOAD, 4, 0, 2 },
    { MULTIPLY, 5, 4, 4 }, { LESS, 3, 1, 5 }, { JUMP_IF, 3, 0, 15 },
    { REMAINDER, 5, 1, 4 }, { JUMP_UNLESS, 5, 0, 16 },
    { ADD, 4, 4, 6 }, { JUMP, 0, 0, 6 },
    { HALT, 0, 0, 0 }, { HALT, 0, 0, 0 },
    { ADD, 2, 2, 6 },
    { ADD, 1, 1, 6 }, { JUMP, 0, 0, 3 },
    { HALT, 2, 0, 0 },
};
/* r0 = n: the nth Fibonacci number by double recursion; the function starts at 2. */
static const struct instruction fibonacci[] = {
    { CALL, 0, 0, 2 }, { HALT, 7, 0, 0 },
    { LOAD, 1, 0, 2 }, { LESS, 2, 0, 1 }, { JUMP_IF, 2, 0, 13 },
    { LOAD, 3, 0, 1 }, { SUBTRACT, 4, 0, 3 }, { CALL, 4, 0, 2 }, { MOVE, 5, 7, 0 },
    { SUBTRACT, 4, 0, 1 }, { CALL, 4, 0, 2 }, { ADD, 0, 5, 7 }, { RETURN, 0, 0, 0 },
    { RETURN, 0, 0, 0 },
};
/* r0 = n: sorts memory[0..n) by exchanging neighbours. */
static const struct instruction sort[] = {
    { LOAD, 6, 0, 1 }, { SUBTRACT, 1, 0, 6 },
    { LOAD, 2, 0, 0 }, { LESS, 3, 2, 1 }, { JUMP_UNLESS, 3, 0, 13 },
    { GET, 4, 2, 0 }, { GET, 5, 2, 1 }, { LESS, 3, 5, 4 }, { JUMP_UNLESS, 3, 0, 11 },
    { SET, 5, 2, 0 }, { SET, 4, 2, 1 },
    { ADD, 2, 2, 6 }, { JUMP, 0, 0, 3 },
    { SUBTRACT, 1, 1, 6 }, { JUMP_IF, 1, 0, 2 }, { GET, 0, 6, 100 }, { HALT, 0, 0, 0 },
};

int main(void)
{
    enum { COUNT = 4000 };
    long *memory = malloc(COUNT * sizeof *memory);
    unsigned seed = 21;
    for (int i = 0; i < COUNT; i++)
        memory[i] = (seed = seed * 1664525 + 1013904223) >> 8;
    printf("%ld %ld ", run(primes, memory, 60000), run(fibonacci, memory, 31));
    printf("%ld\n", run(sort, memory, COUNT));
    free(memory);
    return 0;
}
