// Shared by the programs of this folder: each checks itself and says which lines were wrong.
#include <stdint.h>
#include <stdio.h>

static int failures;

#define CHECK(condition)                                                \
    do {                                                                \
        if (!(condition) && failures++ < 20)                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
    } while (0)

// xorshift: the same numbers everywhere.
static uint64_t random_state = 88172645463325252u;
static inline uint64_t random_number(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (random_state * 2685821657736338717u) >> 16;
}
