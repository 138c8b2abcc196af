// How many bytes are read comes from an argument: through fread (one system call with a list of buffers), read and lseek.
// run: explore --sym-arg 1 --sym-stdin 4
// run: explore --sym-arg 1 --sym-stdin 4 --search dfs
// loses: system-call
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char buffer[16];
    unsigned wanted = argc > 1 ? (unsigned)argv[1][0] & 7 : 0;
    if (argc > 1 && argv[1][0] & 8) {
        long got = read(0, buffer, wanted);
        if (got < (long)wanted)
            puts("short read");
        else if (got > 1 && buffer[1] == 'x')
            puts("x read");
        return 0;
    }
    if (argc > 1 && argv[1][0] & 16) {
        char *block = malloc(wanted + 1);
        if (block == NULL)
            return 1;
        memset(block, 'm', wanted);
        block[wanted] = 0;
        if (strlen(block) > 3)
            puts("long block");
        free(block);
        return 0;
    }
    setvbuf(stdin, NULL, _IONBF, 0);
    size_t got = fread(buffer, 1, wanted, stdin);
    if (got < wanted)
        puts("short");
    else if (got > 2 && buffer[2] == 'x')
        puts("x");
    return 0;
}
