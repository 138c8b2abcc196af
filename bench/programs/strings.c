// String handling: splitting, joining, comparing and searching text with the functions of string.h.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = { "the",  "quick", "brown", "fox",   "jumps", "over", "lazy",   "dog",
                                     "while", "seven", "wizards", "quietly", "box",  "up",  "liquor", "jugs" };

static unsigned seed = 99;
static unsigned next(unsigned limit) { return ((seed = seed * 1664525 + 1013904223) >> 10) % limit; }

static char *paragraph(size_t count)
{
    size_t used = 0, size = count * 9 + 1;
    char *text = malloc(size);
    for (size_t i = 0; i < count; i++) {
        const char *w = words[next(16)];
        size_t n = strlen(w);
        memcpy(text + used, w, n);
        used += n;
        text[used++] = i % 13 == 12 ? '\n' : ' ';
    }
    text[used] = 0;
    return text;
}

static unsigned count_matches(const char *text, const char *needle)
{
    unsigned count = 0;
    for (const char *p = text; (p = strstr(p, needle)) != NULL; p++)
        count++;
    return count;
}

static unsigned reverse_words(char *text)
{
    unsigned sum = 0;
    char *save = NULL;
    for (char *w = strtok_r(text, " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
        for (size_t i = 0, n = strlen(w); i < n / 2; i++) {
            char t = w[i];
            w[i] = w[n - 1 - i];
            w[n - 1 - i] = t;
        }
        sum = sum * 31 + (unsigned char)w[0];
    }
    return sum;
}

static unsigned capitals(char *text)
{
    unsigned changed = 0;
    int start = 1;
    for (; *text; text++) {
        if (start && islower((unsigned char)*text)) {
            *text = toupper((unsigned char)*text);
            changed++;
        }
        start = isspace((unsigned char)*text) != 0;
    }
    return changed;
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    while (*text) {
        const char *end = strchr(text, '\n');
        size_t n = end ? (size_t)(end - text) : strlen(text);
        if (n > longest)
            longest = n;
        text += n + (end != NULL);
    }
    return longest;
}

int main(void)
{
    unsigned sum = 0;
    char joined[4096];
    for (int round = 0; round < 300; round++) {
        char *text = paragraph(8000);
        sum = sum * 7 + count_matches(text, "wizards quietly") + count_matches(text, "ox");
        sum = sum * 7 + (unsigned)longest_line(text);
        char *copy = strdup(text);
        sum = sum * 7 + capitals(copy);
        sum = sum * 7 + (strcmp(copy, text) < 0) + (strncmp(copy + 1, text + 1, 2) == 0);
        joined[0] = 0;
        for (int i = 0; i < 60; i++) {
            strcat(joined, words[next(16)]);
            strcat(joined, ",");
        }
        sum = sum * 7 + (unsigned)strlen(joined) + (unsigned)strcspn(joined, "z") + (unsigned)strspn(joined, "abcdefghij");
        sum = sum * 7 + reverse_words(copy);
        free(copy);
        free(text);
    }
    printf("%08x\n", sum);
    return 0;
}
