// A lookup that finds nothing, whose result is used all the same.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "z"
#include <stdio.h>

struct unit {
    char letter;
    int factor;
};

static const struct unit units[] = {{'k', 1000}, {'m', 1000000}, {'g', 1000000000}};

static const struct unit *find(int letter)
{
    for (unsigned i = 0; i < 3; i++)
        if (units[i].letter == letter)
            return &units[i];
    return NULL;
}

int main(void)
{
    const struct unit *unit = find(getchar());
#ifdef FIXED
    if (!unit)
        return 1;
#endif
    return unit->factor == 0; // expect: null-dereference read
}
