// A variable of a loop's body is set in the first round only.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
static void touch(int *p) { (void)p; }
int main(void) {
    int total = 0;
    for (int i = 0; i < 3; i++) {
        int x;
        touch(&x);
        if (i == 0) x = 5;
        SET(else x = 1;)
        if (x == 5) total++; // use
    }
    return total > 5;
}
