// Characters told apart by ctype; every class is reached.
// run: explore --sym-stdin 1
// covers: all
// output: digit\n
// output: lower\n
// output: other\n
// output: punctuation\n
// output: space\n
// output: upper\n
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (isdigit(c))
        puts("digit");
    else if (isupper(c))
        puts("upper");
    else if (islower(c))
        puts("lower");
    else if (isspace(c))
        puts("space");
    else if (ispunct(c))
        puts("punctuation");
    else
        puts("other");
    return 0;
}
