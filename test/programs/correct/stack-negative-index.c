// A letter histogram counts letters only.
// args: snake_case
// stdout: a 2
#include <ctype.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int histogram[26] = { 0 };
    int most = 0;
    const char *text = argc > 1 ? argv[1] : "";
    for (; *text; text++)
        if (isalpha((unsigned char)*text))
            histogram[tolower((unsigned char)*text) - 'a']++;
    for (int i = 1; i < 26; i++)
        if (histogram[i] > histogram[most])
            most = i;
    printf("%c %d\n", 'a' + most, histogram[most]);
    return 0;
}
