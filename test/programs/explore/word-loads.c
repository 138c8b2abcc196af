// Bytes of the input read as one word, and the word's bytes read one by one.
// run: explore --sym-stdin 8
// twin: -DFIXED
// witness: stdin "01234567"
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[8];
    uint64_t word, mixed;
    if (read(0, in, 8) != 8)
        return 1;
    memcpy(&word, in, 8);
    mixed = word ^ 0xff00ff00ff00ff00;
    unsigned char *bytes = (unsigned char *)&mixed;
#ifdef FIXED
    assert(bytes[0] == in[0] && bytes[1] == (in[1] ^ 0xff) && bytes[7] == (in[7] ^ 0xff));
#else
    assert(bytes[0] != '0' || bytes[2] != '2' || (bytes[7] ^ 0xff) != '7'); // expect: assertion-failure
#endif
    return 0;
}
