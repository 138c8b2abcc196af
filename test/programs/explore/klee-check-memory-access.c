// A check of a range whose length comes from the input.
// run: explore
// twin: -DFIXED
// witness: object length "\x09"
#include <klee/klee.h>

static char packet[8];

int main(void)
{
    unsigned char length;
    klee_make_symbolic(&length, sizeof length, "length");
#ifdef FIXED
    klee_assume(length <= sizeof packet);
#endif
    if (length < 10)
        klee_check_memory_access(packet, length); // expect: global-buffer-overflow read
    return 0;
}
