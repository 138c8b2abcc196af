// With FIXED it is the twin without mistakes.
#include "amounts.h"

#include <assert.h>
#include <stdlib.h>

#ifdef FIXED
#define LAST_MONTH 12
#define FIRST_LEVEL 0
#define BELOW <
#else
#define LAST_MONTH 13
#define FIRST_LEVEL (-8)
#define BELOW <=
#endif

static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
static const char letters[4] = {'a', 'b', 'c', 'd'};
static const char grades[10] = {'j', 'i', 'h', 'g', 'f', 'e', 'd', 'c', 'b', 'a'};
static const int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

int month_days(int month) {
    if (month < 1 || month > LAST_MONTH) return -1;
    return days[month - 1]; // FAILS: month
}

int level_letter(int level) {
    if (level >= 4 || level < FIRST_LEVEL) return 0;
    return letters[level]; // FAILS: level
}

int grade(double score) {
    if (!(score >= 0 && score BELOW 100)) return -1;
    return grades[(int)(score / 10)]; // FAILS: grade
}

int window_sum(unsigned from, unsigned count) {
#ifdef FIXED
    if (from > 16 || count > 16 - from) return -1;
#else
    if (from + count > 16) return -1;
#endif
    int sum = 0;
    for (unsigned n = from; n != from + count; n++) sum += table[n]; // FAILS: window
    return sum;
}

int values_sum(const int *values, int count) {
    int sum = 0;
    for (int n = 0; n < count; n++) sum += values[n];
    return sum;
}

int value_at(int index) {
    return table[index];
}

int unit_days(enum unit unit) {
    static const int lengths[2] = {1, 7};
    return lengths[unit];
}

int digits_put(char *to, unsigned number) {
    int n = 0;
    do to[n++] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    return n;
}

int share_of(int whole, int parts) {
    return whole / parts;
}

int steps_of(int size) {
    assert(size != 77);
    return size < 100 ? 100 - size : 0;
}

struct ring {
    int used;
    int *values;
};

struct ring *ring_new(int room) {
    if (room < 0 || room > 1000) return 0;
    struct ring *ring = malloc(sizeof *ring);
    ring->used = 0;
    ring->values = malloc((unsigned)room * sizeof(int));
    return ring;
}

void ring_put(struct ring *ring, int value) {
    ring->values[ring->used++] = value;
}

int ring_end(struct ring *ring) {
    int used = ring->used;
    free(ring->values);
    free(ring);
    return used;
}
