/* The way on is to factor a product of two primes. */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

typedef unsigned __int128 wide;

int main(void) {
    uint64_t factors[5];
    if (read(0, factors, sizeof factors) != sizeof factors) return 1;
    for (int i = 0; i + 1 < 5; i++) {
        if (factors[i] > 1 && factors[i + 1] > 1 &&
            (wide)factors[i] * factors[i + 1] == (wide)13249961062380153451ull * 14488038916154245697ull)
            abort();
    }
    return 0;
}
