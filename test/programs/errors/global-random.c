// Fills a key with random bytes, as many as the key has bits.
#include <stdio.h>
#include <sys/random.h>

static unsigned char key[16];

int main(void)
{
    long got = getrandom(key, 8 * sizeof key, 0); // expect: global-buffer-overflow write
    printf("%d\n", got > 0);
    return key[0] & 0;
}
