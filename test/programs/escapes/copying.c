/* One instruction of the loop copies a megabyte. */
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *from = malloc(1 << 20), *to = malloc(1 << 20);
    memset(from, 1, 1 << 20);
    for (;;) memcpy(to, from, 1 << 20);
}
