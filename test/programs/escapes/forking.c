/* Every process takes memory, touches it, and has a child that does the same. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    for (int depth = 0; depth < 100; depth++) {
        char *block = malloc(60 << 20);
        if (block != NULL) memset(block, depth, 60 << 20);
        if (fork() != 0) break;
    }
    while (wait(0) > 0) { }
    return 0;
}
