// A line sorter of some forty branches: lines of standard input through fgets, an optional first line of options (-r reverse,
// -n by number, -u without doubles, -f without regard to case), qsort, and the lines again.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINES 8
#define MAX_LENGTH 12

static char lines[MAX_LINES][MAX_LENGTH];
static int reverse, numeric, unique, fold;

static int parse_options(const char *text)
{
    for (text++; *text; text++)
        switch (*text) {
        case 'r': reverse = 1; break;
        case 'n': numeric = 1; break;
        case 'u': unique = 1; break;
        case 'f': fold = 1; break;
        default: return 0;
        }
    return 1;
}

static long number(const char *text)
{
    long value = 0;
    int negative = 0;
    while (*text == ' ' || *text == '\t')
        text++;
    if (*text == '-') {
        negative = 1;
        text++;
    }
    while (isdigit((unsigned char)*text))
        value = value * 10 + (*text++ - '0');
    return negative ? -value : value;
}

static int compare_text(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        int x = (unsigned char)*a, y = (unsigned char)*b;
        if (fold) {
            x = tolower(x);
            y = tolower(y);
        }
        if (x != y)
            return x < y ? -1 : 1;
    }
    if (*a)
        return 1;
    return *b ? -1 : 0;
}

static int compare(const void *left, const void *right)
{
    const char *a = left, *b = right;
    int order = 0;
    if (numeric) {
        long x = number(a), y = number(b);
        if (x != y)
            order = x < y ? -1 : 1;
    }
    if (order == 0)
        order = compare_text(a, b);
    return reverse ? -order : order;
}

int main(void)
{
    char line[MAX_LENGTH];
    int count = 0, first = 1, dropped = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strlen(line);
        if (length > 0 && line[length - 1] == '\n')
            line[length - 1] = 0;
        if (first && line[0] == '-') {
            if (!parse_options(line)) {
                fputs("unknown option\n", stderr);
                return 2;
            }
            first = 0;
            continue;
        }
        first = 0;
        if (count == MAX_LINES) {
            dropped++;
            continue;
        }
        strcpy(lines[count++], line);
    }
    qsort(lines, (size_t)count, MAX_LENGTH, compare);
    for (int i = 0; i < count; i++) {
        if (unique && i > 0 && compare(lines[i - 1], lines[i]) == 0)
            continue;
        puts(lines[i]);
    }
    if (dropped > 0)
        fprintf(stderr, "%d lines dropped\n", dropped);
    return count == 0;
}
