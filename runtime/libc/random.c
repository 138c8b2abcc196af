/* Pseudo-random numbers. The sequences are the native libc's: SplitMix64 for rand (Steele, Lea and Flood, "Fast splittable
   pseudorandom number generators", 2014), and the 48-bit linear congruence that POSIX prescribes for drand48. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>

static uint64_t seed = 1;

static int next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (int)((z ^ z >> 31) >> 33);
}

void srand(unsigned value) {
    seed = value;
}

int rand(void) {
    return next(&seed);
}

int rand_r(unsigned *state) {
    uint64_t wide = *state;
    int value = next(&wide);
    *state = (unsigned)wide;
    return value;
}

#define MASK48 0xffffffffffffull
#define MULTIPLIER 0x5deece66dull
#define ADDEND 11

static uint64_t state48, multiplier48 = MULTIPLIER;
static unsigned short addend48 = ADDEND;

static uint64_t join(const unsigned short words[3]) {
    return words[0] | (uint64_t)words[1] << 16 | (uint64_t)words[2] << 32;
}

static void split(uint64_t value, unsigned short words[3]) {
    words[0] = (unsigned short)value;
    words[1] = (unsigned short)(value >> 16);
    words[2] = (unsigned short)(value >> 32);
}

static uint64_t step(uint64_t value) {
    return (value * multiplier48 + addend48) & MASK48;
}

static uint64_t step_own(unsigned short words[3]) {
    uint64_t value = step(join(words));
    split(value, words);
    return value;
}

static double fraction(uint64_t value) {
    union {
        uint64_t bits;
        double value;
    } pun = {0x3ff0000000000000ull | value << 4};
    return pun.value - 1.0;
}

double erand48(unsigned short words[3]) {
    return fraction(step_own(words));
}
double drand48(void) {
    return fraction(state48 = step(state48));
}
long nrand48(unsigned short words[3]) {
    return (long)(step_own(words) >> 17);
}
long lrand48(void) {
    return (long)((state48 = step(state48)) >> 17);
}
long jrand48(unsigned short words[3]) {
    return (int32_t)(step_own(words) >> 16);
}
long mrand48(void) {
    return (int32_t)((state48 = step(state48)) >> 16);
}

void srand48(long value) {
    state48 = (uint64_t)(uint32_t)value << 16 | 0x330e;
    multiplier48 = MULTIPLIER;
    addend48 = ADDEND;
}

unsigned short *seed48(unsigned short *words) {
    static unsigned short old[3];
    split(state48, old);
    state48 = join(words);
    multiplier48 = MULTIPLIER;
    addend48 = ADDEND;
    return old;
}

void lcong48(unsigned short words[7]) {
    state48 = join(words);
    multiplier48 = join(words + 3);
    addend48 = words[6];
}
