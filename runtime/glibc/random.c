/* glibc's random numbers: an additive feedback generator over 7 to 63 words, or a linear congruence for small states. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#include "glibc.h"

/* By type: words of state, and how far the second pointer is ahead. */
static const int DEGREE[] = {0, 7, 15, 31, 63}, SEPARATION[] = {0, 3, 1, 3, 1};
static const size_t NEEDED[] = {8, 32, 64, 128, 256};
#define TYPES 5

/* glibc's struct random_data. */
struct random_data {
    int32_t *front, *rear, *state;
    int type, degree, separation;
    int32_t *end;
};

static int32_t default_state[32];
static struct random_data shared;

int glibc_random_r(struct random_data *d, int32_t *result) {
    if (!d || !result || !d->state) {
        errno = EINVAL;
        return -1;
    }
    if (d->type == 0) {
        d->state[0] = (int32_t)(((uint32_t)d->state[0] * 1103515245u + 12345u) & 0x7fffffff);
        *result = d->state[0];
        return 0;
    }
    uint32_t value = (uint32_t)*d->front + (uint32_t)*d->rear;
    *d->front = (int32_t)value;
    *result = (int32_t)(value >> 1);
    if (++d->front >= d->end) {
        d->front = d->state;
        d->rear++;
    } else if (++d->rear >= d->end) {
        d->rear = d->state;
    }
    return 0;
}

int glibc_srandom_r(unsigned seed, struct random_data *d) {
    if (!d || d->type < 0 || d->type >= TYPES) return -1;
    int32_t word = seed ? (int32_t)seed : 1, ignored;
    d->state[0] = word;
    if (d->type == 0) return 0;
    for (int k = 1; k < d->degree; k++) {
        /* 16807 times the last, modulo 2^31 - 1, without overflow. */
        long high = word / 127773, low = word % 127773;
        word = (int32_t)(16807 * low - 2836 * high);
        if (word < 0) word += 2147483647;
        d->state[k] = word;
    }
    d->front = d->state + d->separation;
    d->rear = d->state;
    for (int k = 0; k < 10 * d->degree; k++) glibc_random_r(d, &ignored);
    return 0;
}

/* The word before the state says its type and where it stands, so that setstate can go on with it. */
static void note(struct random_data *d) {
    if (d->state) d->state[-1] = d->type == 0 ? 0 : (int32_t)((d->rear - d->state) * TYPES + d->type);
}

int glibc_initstate_r(unsigned seed, char *memory, size_t size, struct random_data *d) {
    int type = TYPES - 1;
    if (!d || !memory || size < NEEDED[0]) {
        errno = EINVAL;
        return -1;
    }
    note(d);
    while (size < NEEDED[type]) type--;
    d->type = type;
    d->degree = DEGREE[type];
    d->separation = SEPARATION[type];
    d->state = (int32_t *)memory + 1;
    d->end = d->state + d->degree;
    glibc_srandom_r(seed, d);
    note(d);
    return 0;
}

int glibc_setstate_r(char *memory, struct random_data *d) {
    if (!d || !memory) {
        errno = EINVAL;
        return -1;
    }
    int32_t *state = (int32_t *)memory + 1;
    int type = state[-1] % TYPES, rear = state[-1] / TYPES;
    note(d);
    d->type = type;
    d->degree = DEGREE[type];
    d->separation = SEPARATION[type];
    d->state = state;
    d->end = state + d->degree;
    if (type) {
        d->rear = state + rear;
        d->front = state + (rear + d->separation) % d->degree;
    }
    return 0;
}

static struct random_data *the_generator(void) {
    if (!shared.state) glibc_initstate_r(1, (char *)default_state, sizeof default_state, &shared);
    return &shared;
}

long glibc_random(void) {
    int32_t result;
    glibc_random_r(the_generator(), &result);
    return result;
}
void glibc_srandom(unsigned seed) {
    glibc_srandom_r(seed, the_generator());
}
char *glibc_initstate(unsigned seed, char *memory, size_t size) {
    char *old = (char *)(the_generator()->state - 1);
    note(&shared);
    return glibc_initstate_r(seed, memory, size, &shared) ? 0 : old;
}
char *glibc_setstate(char *memory) {
    char *old = (char *)(the_generator()->state - 1);
    return glibc_setstate_r(memory, &shared) ? 0 : old;
}
int glibc_rand(void) {
    return (int)glibc_random();
}
void glibc_srand(unsigned seed) {
    glibc_srandom(seed);
}

int glibc_rand_r(unsigned *seed) {
    unsigned next = *seed, result;
    next = next * 1103515245u + 12345u;
    result = next / 65536 % 2048;
    next = next * 1103515245u + 12345u;
    result = result << 10 ^ next / 65536 % 1024;
    next = next * 1103515245u + 12345u;
    result = result << 10 ^ next / 65536 % 1024;
    *seed = next;
    return (int)result;
}

void glibc_arc4random_buf(void *buffer, size_t size) {
    for (char *at = buffer; size;) {
        ssize_t got = getrandom(at, size, 0);
        if (got <= 0) abort();
        at += got;
        size -= (size_t)got;
    }
}
uint32_t glibc_arc4random(void) {
    uint32_t value;
    glibc_arc4random_buf(&value, sizeof value);
    return value;
}
uint32_t glibc_arc4random_uniform(uint32_t limit) {
    if (limit < 2) return 0;
    uint32_t least = -limit % limit;
    for (;;) {
        uint32_t value = glibc_arc4random();
        if (value >= least) return value % limit;
    }
}
