// Compares a short file with the twelve bytes of a signature, if it has as many; strncmp and memchr stop at what decides.
// stdout: 0
// stdout: 1
// stdout: 4
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_wave(const unsigned char *bytes, size_t size)
{
    return size >= 12 && memcmp(bytes, "RIFF....WAVE", 12) == 0;
}

int main(void)
{
    unsigned char *file = malloc(5);
    memcpy(file, "short", 5);
    printf("%d\n", is_wave(file, 5));
    printf("%d\n", strncmp((char *)file, "RIFF....WAVE", 12) > 0);
    printf("%d\n", (int)((unsigned char *)memchr(file, 't', 100) - file));
    free(file);
    return 0;
}
