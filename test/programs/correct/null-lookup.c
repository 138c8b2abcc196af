// Uses the result of a search if there is one.
// stdout: cm 0.01
// stdout: km 1000
// stdout: mile -1
#include <stdio.h>
#include <string.h>

struct unit {
    const char *name;
    double factor;
};

static const struct unit units[] = { { "mm", 0.001 }, { "cm", 0.01 }, { "m", 1 }, { "km", 1000 } };

static const struct unit *find(const char *name)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    return NULL;
}

int main(void)
{
    static const char *asked[] = { "cm", "km", "mile" };
    for (int i = 0; i < 3; i++) {
        const struct unit *u = find(asked[i]);
        printf("%s %g\n", asked[i], u ? u->factor : -1);
    }
    return 0;
}
