// Letters are copied up to a space; nobody counts them.
// run: explore --sym-stdin 6
// twin: -DFIXED
// witness: stdin "abcde "
#include <unistd.h>

int main(void)
{
    char line[6], word[5];
    if (read(0, line, sizeof line) != sizeof line)
        return 1;
    int n = 0;
    while (n < 6 && line[n] != ' ') {
#ifdef FIXED
        if (n == 4)
            break;
#endif
        word[n] = line[n]; // expect: stack-buffer-overflow write
        n++;
    }
    word[n] = 0; // expect: stack-buffer-overflow write
    return word[0] == 'x';
}
