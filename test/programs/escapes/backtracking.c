/* (a*)*b against a text that may be all a: every way to divide it is tried. */
#include <unistd.h>

static int stars(const char *text, int depth) {
    if (*text == 'b') return 1;
    if (depth > 60) return 0;
    for (const char *end = text; *end == 'a'; end++)
        if (stars(end + 1, depth + 1)) return 1;
    return 0;
}

int main(void) {
    char text[41] = {0};
    if (read(0, text, 40) != 40) return 1;
    return stars(text, 0);
}
