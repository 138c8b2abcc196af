// A small library, for tests whose only inputs are literals in their own sources.
#ifndef PAIR_H
#define PAIR_H

struct pair {
    char key[8];
    char value[8];
};

int pair_parse(const char *text, struct pair *out);
int pair_sum(const unsigned char *bytes, int count);
int pair_log(const char *format, ...);

#endif
