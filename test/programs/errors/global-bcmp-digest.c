// Compares a digest of sixteen bytes with one of twenty.
#include <stdio.h>
#include <strings.h>

static unsigned char stored[16] = {1, 2, 3};

static int matches(const unsigned char *digest)
{
    return bcmp(digest, stored, 20) == 0; // expect: global-buffer-overflow read
}

int main(void)
{
    unsigned char computed[20] = {9, 8, 7};
    printf("%d\n", matches(computed));
    return 0;
}
