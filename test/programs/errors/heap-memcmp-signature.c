// Compares a short file with the twelve bytes of a signature: the first byte decides, but memcmp is given two objects of twelve.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_wave(const unsigned char *bytes)
{
    return memcmp(bytes, "RIFF....WAVE", 12) == 0; // expect: heap-buffer-overflow read
}

int main(void)
{
    unsigned char *file = malloc(5);
    memcpy(file, "short", 5);
    printf("%d\n", is_wave(file));
    free(file);
    return 0;
}
