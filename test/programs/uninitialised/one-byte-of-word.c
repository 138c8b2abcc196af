// A number is put together by bytes, and one is missing.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    unsigned word, *p = &word;
    unsigned char *bytes = (unsigned char *)p;
    bytes[0] = 1;
    bytes[1] = 2;
    bytes[3] = 0;
    SET(bytes[2] = 0;)
    if ((word & 0xff00) == 0x200) puts("two");
    if (word == 0x201) puts("equal"); // use
    return 0;
}
