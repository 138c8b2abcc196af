// A stack machine: a digit is pushed, + adds, * multiplies, d doubles the top. A program that takes from an empty stack
// breaks the machine's own promise.
#include <assert.h>
#include <stdio.h>

struct machine {
    int stack[8], depth, steps;
};

static int pop(struct machine *m)
{
    assert(m->depth > 0); // WOULD FAIL
    return m->stack[--m->depth];
}

static int push(struct machine *m, int value)
{
    if (m->depth == 8)
        return -1;
    m->stack[m->depth++] = value % 1000;
    return 0;
}

static int binary(struct machine *m, char code)
{
    if (m->depth < 2)
        return -1;
    int right = pop(m), left = pop(m);
    return push(m, code == '+' ? left + right : left * right);
}

static int execute(struct machine *m, char code)
{
    m->steps++;
    if (code >= '0' && code <= '9')
        return push(m, code - '0');
    switch (code) {
    case '+':
    case '*': return binary(m, code);
    case 'd': {
        if (m->depth == 0)
            return -1;
        int top = pop(m);
        return push(m, top * 2);
    }
    default: return -1;
    }
}

static int run(struct machine *m, const char *program, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (execute(m, program[i]) < 0)
            return -1;
    return m->depth > 0 ? m->stack[m->depth - 1] : 0;
}

static int load(const char *name)
{
    struct machine machine = {{0}, 0, 0};
    char program[12];
    FILE *file = fopen(name, "rb");
    if (file == NULL)
        return -1;
    size_t size = fread(program, 1, sizeof program, file);
    fclose(file);
    return run(&machine, program, size);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    printf("%d\n", load(argv[1]));
    return 0;
}
