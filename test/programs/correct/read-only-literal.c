// Capitalises an array in place.
// stdout: Tangent
#include <ctype.h>
#include <stdio.h>

static char *capitalise(char *text)
{
    text[0] = toupper((unsigned char)text[0]);
    return text;
}

int main(void)
{
    char title[] = "tangent";
    puts(capitalise(title));
    return 0;
}
