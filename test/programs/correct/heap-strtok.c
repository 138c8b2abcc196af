// Splits a block that was given a zero at its end.
// stdout: 4 interfaces
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *block(void)
{
    static const char raw[16] = "lo eth0 wlan0 br";
    char *copy = malloc(sizeof raw + 1);
    memcpy(copy, raw, sizeof raw);
    copy[sizeof raw] = 0;
    return copy;
}

int main(void)
{
    char *names = block();
    int n = 0;
    char *name = strtok(names, " ");
    while (name) {
        n++;
        name = strtok(NULL, " ");
    }
    printf("%d interfaces\n", n);
    free(names);
    return 0;
}
