// Fills a key with random bytes, as many as the key has bits.
// stdout: 1
#include <stdio.h>
#include <sys/random.h>

static unsigned char key[16];

int main(void)
{
    long got = getrandom(key, sizeof key, 0);
    printf("%d\n", got > 0);
    return key[0] & 0;
}
