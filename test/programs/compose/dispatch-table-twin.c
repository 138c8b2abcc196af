// A calculator with two registers; every letter of its program is looked up in a table of operations.
#include <stdio.h>

struct machine {
    int x, y, steps;
};

typedef int operation(struct machine *machine);

static int add(struct machine *m) { return m->x + m->y; }
static int subtract(struct machine *m) { return m->x - m->y; }
static int swap(struct machine *m)
{
    int x = m->x;
    m->x = m->y;
    m->y = x;
    return m->x;
}
static int remainder_of(struct machine *m)
{
    m->steps++;
    return m->x % m->y; // WOULD FAIL
}

static const struct {
    char letter;
    operation *run;
} table[] = {{'+', add}, {'-', subtract}, {'s', swap}, {'%', remainder_of}};

static int step(struct machine *machine, char letter)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].letter != letter)
            continue;
        if (letter == '%' && machine->y == 0)
            return -1;
        machine->x = table[i].run(machine) % 1000;
        return 0;
    }
    return -1;
}

static int run(struct machine *machine, const char *program)
{
    for (; *program != '\0'; program++) {
        switch (*program) {
        case 'x':
            if (program[1] < '0' || program[1] > '9')
                return -1;
            machine->x = *++program - '0';
            break;
        case 'y':
            if (program[1] < '0' || program[1] > '9')
                return -1;
            machine->y = *++program - '0';
            break;
        default:
            if (step(machine, *program) < 0)
                return -1;
        }
    }
    return machine->x;
}

int main(int argc, char **argv)
{
    struct machine machine = {0, 1, 0};
    if (argc != 2)
        return 2;
    printf("%d\n", run(&machine, argv[1]));
    return 0;
}
