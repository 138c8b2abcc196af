/* One instruction of the loop fills a hundred megabytes, or asks the heap to. */
#include <stdlib.h>
#include <string.h>

int main(void) {
    size_t size = 100u << 20;
    for (;;) {
        char *block = calloc(size, 1);
        if (block) memset(block, 3, size);
        free(block);
    }
}
