// A small library of functions that are given numbers, for tests whose inputs are numbers in their own sources.
#ifndef AMOUNTS_H
#define AMOUNTS_H

enum unit { UNIT_DAY, UNIT_WEEK };

struct ring;

int month_days(int month);
int level_letter(int level);
int grade(double score);
int window_sum(unsigned from, unsigned count);

// Here the caller must know what is right, and other numbers are the caller's mistake.
int values_sum(const int *values, int count);
int value_at(int index);
int unit_days(enum unit unit);
int digits_put(char *to, unsigned number);
int share_of(int whole, int parts);
int steps_of(int size);
struct ring *ring_new(int room);
void ring_put(struct ring *ring, int value);
int ring_end(struct ring *ring);

#endif
