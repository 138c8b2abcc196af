// What the program wrote into a file or a pipe, and what is left of an input that it changed, is read again: it depends on
// the input as before. Every value is tried, so the input is small.
// run: explore --sym-stdin 2 --sym-files 1 1
// loses: system-call
// covers: all
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int through(int in, int out, char c)
{
    char back = 0;
    if (write(out, &c, 1) != 1)
        return -1; // never
    if (in == out)
        lseek(in, 0, SEEK_SET);
    return read(in, &back, 1) == 1 ? back : -1;
}

int main(void)
{
    char given[2];
    if (read(0, given, 2) != 2)
        return 1; // never
    char letter = (char)('a' + (given[1] & 1));
    if (given[0] == 'f') {
        int file = open("scratch", O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (through(file, file, letter) == 'a')
            puts("a file");
    } else if (given[0] == 'p') {
        int ends[2];
        if (pipe(ends) == 0 && through(ends[0], ends[1], letter) == 'b')
            puts("a pipe");
    } else if (given[0] == 'i') {
        int file = open("A", O_RDWR | O_APPEND);
        char byte = 0;
        if (write(file, "more", 4) == 4 && lseek(file, 0, SEEK_SET) == 0 && read(file, &byte, 1) == 1 && byte == 'c')
            puts("its input");
    }
    return 0;
}
