// A letter histogram subtracts 'a' from an underscore.
// args: snake_case
#include <ctype.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int histogram[26] = { 0 };
    int most = 0;
    const char *text = argc > 1 ? argv[1] : "";
    for (; *text; text++)
        if (!isdigit((unsigned char)*text))
            histogram[tolower((unsigned char)*text) - 'a']++; // expect: stack-buffer-overflow read
    for (int i = 1; i < 26; i++)
        if (histogram[i] > histogram[most])
            most = i;
    printf("%c %d\n", 'a' + most, histogram[most]);
    return 0;
}
