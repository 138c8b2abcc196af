/* A path that takes a while and then fails: there may be no time to run it again. */
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    unsigned char input[4];
    if (read(0, input, sizeof input) != sizeof input) return 1;
    if (input[0] != 'b') return 0;
    for (volatile unsigned long i = 0; i < 400000000; i++) { }
    abort();
}
