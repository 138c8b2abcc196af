// Values of long double are computed on one concrete value at a time; that this happened is counted.
// run: explore --sym-stdin 1 --max-paths 300
// loses: floating-point
// divergences: 0
#include <stdio.h>

int main(void)
{
    int c = getchar();
    if (c < 'A' || c > 'D')
        return 1;
    long double half = c / 2.0L;
    if (half > 33.0L)
        return 2;
    return 0;
}
