// A harness with an initializer, which runs first; the table it fills is indexed by the input.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "\x01\x00"
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

static unsigned char squares[256];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    for (int i = 0; i < 256; i++)
        squares[i] = (unsigned char)(i * i);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size != 2)
        return 0;
#ifdef FIXED
    if (data[1] != 255)
        return 0;
#endif
    assert(squares[data[0]] != data[1] + 1); // expect: assertion-failure
    return 0;
}
