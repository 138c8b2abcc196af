// The function that is called is chosen by the input; all four are reached.
// run: explore --sym-stdin 2
// covers: all
// output: add\n
// output: double\n
// output: negate\n
// output: other\n
#include <stdio.h>

static void add(void) { puts("add"); }
static void twice(void) { puts("double"); }
static void negate(void) { puts("negate"); }

struct command {
    char letter;
    void (*run)(void);
};

static const struct command commands[] = {{'a', add}, {'d', twice}, {'n', negate}};

int main(void)
{
    int c = getchar();
    for (unsigned i = 0; i < 3; i++)
        if (commands[i].letter == c) {
            commands[i].run();
            return 0;
        }
    puts("other");
    return 0;
}
