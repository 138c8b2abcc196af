// One unset number makes a whole sum unset.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
struct account { long balance; int open; };
int main(void) {
    struct account *a = malloc(3 * sizeof *a);
    long total = 0;
    for (int i = 0; i < 3; i++) {
        a[i].open = 1;
        if (i != 1) a[i].balance = i * 10;
    }
    SET(a[1].balance = 10;)
    for (int i = 0; i < 3; i++)
        if (a[i].open) total += a[i].balance;
    if (total > 1000) puts("rich"); // use
    free(a);
    return 0;
}
