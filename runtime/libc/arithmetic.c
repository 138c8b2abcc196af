/* Integer arithmetic of stdlib.h, inttypes.h and strings.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

int abs(int a) {
    return a < 0 ? -a : a;
}
long labs(long a) {
    return a < 0 ? -a : a;
}
long long llabs(long long a) {
    return a < 0 ? -a : a;
}
intmax_t imaxabs(intmax_t a) {
    return a < 0 ? -a : a;
}

div_t div(int a, int b) {
    return (div_t){a / b, a % b};
}
ldiv_t ldiv(long a, long b) {
    return (ldiv_t){a / b, a % b};
}
lldiv_t lldiv(long long a, long long b) {
    return (lldiv_t){a / b, a % b};
}
imaxdiv_t imaxdiv(intmax_t a, intmax_t b) {
    return (imaxdiv_t){a / b, a % b};
}

int ffs(int a) {
    return a ? __builtin_ctz((unsigned)a) + 1 : 0;
}
int ffsl(long a) {
    return a ? __builtin_ctzl((unsigned long)a) + 1 : 0;
}
int ffsll(long long a) {
    return a ? __builtin_ctzll((unsigned long long)a) + 1 : 0;
}
