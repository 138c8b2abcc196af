// Two errors; with --stop-at-first only one is asked for.
// run: explore --sym-stdin 1 --stop-at-first
// findings: 1
// witness: stdin "a"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    switch (getchar()) {
    case 'a': abort(); // expect: abort
    case 'b': abort(); // expect: abort
    }
    return 0;
}
