// A switch over far-away 64-bit values, with cases that share a label: one path a label.
// run: explore
// paths: 4
// covers: all
#include <klee/klee.h>
#include <stdint.h>

int main(void)
{
    uint64_t key;
    klee_make_symbolic(&key, sizeof key, "key");
    switch (key) {
    case 0x123456789abcdef0: return 1;
    case 5:
    case 7:
    case 0xffffffffffffffff: return 2;
    case 1ull << 40: return 3;
    }
    return 0;
}
