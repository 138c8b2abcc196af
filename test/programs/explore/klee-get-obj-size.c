// Sizes of objects of all kinds, from any pointer into them.
// run: explore
// paths: 1
// native: none (objects have no known size natively)
#include <klee/klee.h>
#include <stdlib.h>

static char global[13];
static long table[5];

int main(void)
{
    char local[21];
    char *block = malloc(100), *small = malloc(1);
    klee_make_symbolic(local, sizeof local, "local");
    klee_assert(klee_get_obj_size(global) == 13);
    klee_assert(klee_get_obj_size(&table[2]) == 40);
    klee_assert(klee_get_obj_size(local + 20) == 21);
    klee_assert(klee_get_obj_size(block) == 100);
    klee_assert(klee_get_obj_size(block + 99) == 100);
    klee_assert(klee_get_obj_size(small) == 1);
    free(block);
    free(small);
    return 0;
}
