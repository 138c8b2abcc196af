/* The way on is to factor a product of two primes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    uint64_t factors[4];
    if (read(0, factors, sizeof factors) != sizeof factors) return 1;
    for (int i = 0; i + 1 < 4; i++) {
        if (factors[i] > 1 && factors[i + 1] > 1 && factors[i] < 1ull << 32 && factors[i + 1] < 1ull << 32 &&
            factors[i] * factors[i + 1] == 4294967291ull * 4294967279ull)
            abort();
    }
    return 0;
}
