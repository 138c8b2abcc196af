// Where a byte of the input is found, or that it is not: in a text that is known, in one that ends where memory does, in one that is
// the input itself.
// run: explore --sym-stdin 2
// covers: all
// output: own\n
// output: text\n
// output: end\n
// output: none\n
// output: 0\n
// output: 1\n
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char byte[2], *open, *found;
    if (read(0, byte, 2) != 2) return 2;
    if (byte[1] == 'o') {
        /* Found in the first place whatever it is: the text is the input. */
        if (memchr(byte, byte[0], 2) != byte) abort(); // never
        puts("own");
        return 0;
    }
    if (byte[1] == 's') {
        found = strchr("xyz", byte[0]);
        puts(!found ? "none" : *found ? "text" : "end");
        return 0;
    }
    /* Without an end: nothing is read behind the byte that is found. */
    open = malloc(3);
    memcpy(open, "xyx", 3);
    if (byte[0] == 'x' || byte[0] == 'y') {
        found = memchr(open, byte[0], 1000);
        if (found - open != byte[0] - 'x') abort(); // never
        found = strchr(open, byte[0]);
        if (found - open != byte[0] - 'x') abort(); // never
    }
    found = memchr(open, byte[0], 3);
    puts(!found ? "none" : found == open ? "0" : "1");
    free(open);
    return 0;
}
