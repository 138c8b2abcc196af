// Splits a block read from a device that put no zero at its end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *block(void)
{
    static const char raw[16] = "lo eth0 wlan0 br";
    char *copy = malloc(sizeof raw);
    memcpy(copy, raw, sizeof raw);
    return copy;
}

int main(void)
{
    char *names = block();
    int n = 0;
    char *name = strtok(names, " ");
    while (name) {
        n++;
        name = strtok(NULL, " "); // expect: heap-buffer-overflow read
    }
    printf("%d interfaces\n", n);
    free(names);
    return 0;
}
