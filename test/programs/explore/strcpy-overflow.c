// A word of the input is copied into an array by strcpy.
// run: explore --sym-stdin 6
// twin: -DFIXED
// witness: stdin "abcde\x00"
#include <string.h>
#include <unistd.h>

#ifdef FIXED
#define ROOM 7
#else
#define ROOM 5
#endif

int main(void)
{
    char word[7], name[ROOM];
    if (read(0, word, 6) != 6)
        return 1;
    word[6] = 0;
    strcpy(name, word); // expect: stack-buffer-overflow write
    return name[0] == 'z';
}
