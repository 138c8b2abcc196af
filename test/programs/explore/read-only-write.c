// One of three greetings is a literal; the first letter of all is capitalised.
// run: explore --sym-stdin 1
// twin: -DFIXED
// witness: stdin "l"
#include <stdio.h>

static char spanish[] = "hola", german[] = "hallo";

int main(void)
{
    char *greeting;
    switch (getchar()) {
    case 's': greeting = spanish; break;
    case 'g': greeting = german; break;
#ifdef FIXED
    case 'l': return 1;
#else
    case 'l': greeting = (char *)"salve"; break;
#endif
    default: return 0;
    }
    *greeting -= 'a' - 'A'; // expect: read-only-write write
    return 0;
}
