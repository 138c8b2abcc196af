// Capitalises a string literal in place.
#include <ctype.h>
#include <stdio.h>

static char *capitalise(char *text)
{
    text[0] = toupper((unsigned char)text[0]); // expect: read-only-write write
    return text;
}

int main(void)
{
    char *title = "tangent";
    puts(capitalise(title));
    return 0;
}
