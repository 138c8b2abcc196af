// Static locals with the same name in several functions and scopes, initialised once, with addresses in initialisers.
// stdout: 5 2 red 90
// stdout: 6 4 green 2
// stdout: 7 6 blue 80
// stdout: 8 8 red 4
// stdout: 7
// stdout: 9 9
#include <stdio.h>

static int counter(void) { static int count = 5; return count++; }
static int other(void) { static int count; return count += 2; }
static const char *rotate(void)
{
    static const char *const names[] = { "red", "green", "blue" };
    static int index;
    static const int *const where = &index;
    const char *name = names[*where];
    index = (index + 1) % 3;
    return name;
}
static int scopes(int which)
{
    if (which) {
        static int value = 1;
        return value *= 2;
    } else {
        static int value = 100;
        return value -= 10;
    }
}
static int recursive(int n)
{
    static int depth, deepest;
    depth++;
    if (depth > deepest)
        deepest = depth;
    if (n > 0)
        recursive(n - 1);
    depth--;
    return deepest;
}
static int *cell(int i) { static int cells[4] = { [2] = 9 }; return &cells[i & 3]; }

int main(void)
{
    for (int i = 0; i < 4; i++)
        printf("%d %d %s %d\n", counter(), other(), rotate(), scopes(i & 1));
    printf("%d\n", recursive(6));
    *cell(1) += *cell(2);
    printf("%d %d\n", *cell(1), *cell(5));
    return 0;
}
