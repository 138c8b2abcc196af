/* Writes without end: to standard output, and the same megabyte of a file. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char *block = calloc(1 << 20, 1);
    int file = open("escape.tmp", O_RDWR | O_CREAT, 0600);
    for (;;) {
        lseek(file, 0, SEEK_SET);
        write(file, block, 1 << 20);
        write(1, "again\n", 6);
    }
}
