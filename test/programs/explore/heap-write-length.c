// A length field of the input decides how much is written into a block of fixed size.
// run: explore --sym-stdin 8
// twin: -DFIXED
// witness: stdin "L\x08abcdef"
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char message[8];
    if (read(0, message, sizeof message) != sizeof message || message[0] != 'L')
        return 1;
    unsigned length = message[1] & 15;
    char *name = malloc(6);
#ifdef FIXED
    if (length > 6)
        length = 6;
#else
    if (length > 8)
        length = 8;
#endif
    for (unsigned i = 0; i < length; i++)
        name[i] = (char)message[i & 7]; // expect: heap-buffer-overflow write
    free(name);
    return 0;
}
