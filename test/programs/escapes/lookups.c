/* Tables looked up by what was looked up in tables before. */
#include <stdint.h>
#include <unistd.h>

static uint16_t table[4096];

int main(void) {
    unsigned char input[8];
    for (unsigned i = 0; i < 4096; i++) table[i] = (i * 2654435761u) >> 20;
    if (read(0, input, sizeof input) != sizeof input) return 1;
    unsigned state = input[0];
    for (unsigned i = 0;; i++) {
        state = table[(state + input[i % 8]) & 4095];
        table[state & 255] ^= input[(i + 1) % 8];
        if (state == 4095) return 2;
    }
}
