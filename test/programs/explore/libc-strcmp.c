// A password of ten letters, compared by strcmp: found letter by letter.
// run: explore --sym-stdin 10
// twin: -DFIXED
// witness: stdin "opensesame"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char word[11] = "";
    if (read(0, word, 10) != 10)
        return 1;
#ifdef FIXED
    word[3] = 'N';
#endif
    if (strcmp(word, "opensesame") == 0)
        abort(); // expect: abort
    return 0;
}
