// The example by which the paper on target-driven composition explains itself, rebuilt from its words: g fails, f and
// main call it, main never with such a text, and f is only seen with texts that begin with b.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int g(const char *s, int weight)
{
    int total = weight;
    for (int i = 1; i < 4 && s[i] != '\0'; i++)
        total += s[i] == 'x' ? 2 : 1;
    if (s[0] == 'c')
        assert(total != 9); // FAILS
    return total;
}

static int f(const char *s)
{
    int weight;
    if (s[0] == 'b')
        weight = 1;
    else if (s[0] == 'c')
        weight = 3;
    else
        weight = 2;
    if (s[1] == '-')
        return -weight;
    return g(s, weight);
}

int main(int argc, char **argv)
{
    if (argc != 2 || strlen(argv[1]) < 2) {
        fprintf(stderr, "usage: paper TEXT\n");
        return 2;
    }
    const char *s = argv[1];
    if (s[0] == 'a')
        printf("main %d\n", g(s, 0));
    else
        printf("f %d\n", f(s));
    return 0;
}
