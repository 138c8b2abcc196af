// A pointer walks out of its field, the first of a variable, to a comma that is not there.
// options: --fields
// native: none (within one object)
#include <stdio.h>

struct line {
    char word[8];
    char rest[8];
};

static struct line line = {"12345678", "9,"};

int main(void)
{
    struct line *from = &line;
    char *at = from->word;
    while (*at != ',') // expect: field-overflow read
        at++;
    printf("%d\n", (int)(at - from->word));
    return 0;
}
