// A libFuzzer harness needs no main: its input is standard input. The block has exactly the input's size.
// run: explore --sym-stdin 5
// twin: -DFIXED
// witness: stdin "RIFF\x09"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 5 || memcmp(data, "RIFF", 4) != 0)
        return 0;
    size_t at = data[4];
#ifdef FIXED
    if (at >= size)
        return 0;
#endif
    if (at > 12)
        return 0;
    return data[at] == 0xff; // expect: heap-buffer-overflow read
}
