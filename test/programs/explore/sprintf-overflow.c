// A number is printed into too little room: only large ones do harm.
// run: explore
// twin: -DFIXED
// witness: object number i32 -10000
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int number = klee_int("number");
    klee_assume(number >= -10000 && number <= -9990);
#ifdef FIXED
    char *text = malloc(7);
#else
    char *text = malloc(6);
#endif
    sprintf(text, "%d", number); // expect: heap-buffer-overflow write
    int result = text[0] == '-';
    free(text);
    return result;
}
