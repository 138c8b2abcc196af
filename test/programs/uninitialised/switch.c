// A switch on something that was never set.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
enum colour { RED, GREEN, BLUE };
static enum colour choose(int n) {
    enum colour c;
    if (n > 100) c = RED;
    SET(else c = BLUE;)
    return c;
}
int main(int argc, char **argv) {
    (void)argv;
    enum colour c = choose(argc);
    switch (c) { // use
    case RED: puts("red"); break;
    case GREEN: puts("green"); break;
    case BLUE: puts("blue"); break;
    }
    return 0;
}
