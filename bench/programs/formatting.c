// The standard library at work: printf to memory, parsing numbers back, sorting lines, all through libc's own code.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void)
{
    enum { LINES = 20000 };
    char **lines = malloc(LINES * sizeof *lines);
    unsigned seed = 77, sum = 0;
    for (int round = 0; round < 12; round++) {
        for (int i = 0; i < LINES; i++) {
            char text[128];
            seed = seed * 1664525 + 1013904223;
            int n = snprintf(text, sizeof text, "%05u %-8s|%x|%+d|%c", seed >> 12 & 65535, seed & 64 ? "alpha" : "omega", seed,
                             (int)(seed >> 3 & 1023) - 512, 'a' + (int)(seed >> 27));
            if (i % 8 == 0)
                n += snprintf(text + n, sizeof text - n, "|%.3f", (seed >> 8) / 1000.0);
            lines[i] = malloc(n + 1);
            memcpy(lines[i], text, n + 1);
        }
        qsort(lines, LINES, sizeof *lines, compare);
        for (int i = 0; i < LINES; i++) {
            char *end;
            sum = sum * 31 + (unsigned)strtol(lines[i], &end, 10);
            char *bar = strchr(end, '|');
            sum = sum * 31 + (unsigned)strtoul(bar + 1, NULL, 16);
            free(lines[i]);
        }
    }
    printf("%08x\n", sum);
    free(lines);
    return 0;
}
