/* Thousands of conditions on one byte, each on a longer hash of it than the one before. */
#include <stdint.h>
#include <unistd.h>

int main(void) {
    unsigned char input[40];
    uint64_t state = 0;
    if (read(0, input, sizeof input) != sizeof input) return 1;
    state = input[0] + 1;
    for (uint64_t i = 0;; i++) {
        state = (state * 0x9e3779b1u ^ state >> 7) + i;
        if (state == i + 12345) return 2;
    }
}
