/* Measures a string of sixteen megabytes for ever. */
#include <stdlib.h>
#include <string.h>

int main(void) {
    size_t size = 16u << 20, sum = 0;
    char *text = malloc(size);
    memset(text, 'x', size - 1);
    text[size - 1] = 0;
    for (;;) sum += strlen(text) + (strchr(text, 'y') != 0) + (getenv("HOME") != 0);
}
