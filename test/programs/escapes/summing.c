/* Every instruction of the loop is symbolic, and every round branches. */
#include <unistd.h>

int main(void) {
    unsigned char input[16];
    unsigned sum = 0;
    if (read(0, input, sizeof input) != sizeof input) return 1;
    for (unsigned i = 0;; i++) {
        sum = sum * 31 + (input[i % 16] ^ (sum >> 7));
        if (sum % 1000 == 7) sum += i;
    }
}
