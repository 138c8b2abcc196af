/* Allocates and frees for ever, blocks of all sizes. */
#include <stdlib.h>

int main(void) {
    char *kept[64] = {0};
    for (unsigned i = 0;; i++) {
        free(kept[i % 64]);
        kept[i % 64] = malloc(((i * 2654435761u) >> (8 + i % 16)) + 1);
        if (kept[i % 64]) kept[i % 64][0] = 1;
    }
}
