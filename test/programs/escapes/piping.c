/* Fills pipes that a child has too, which take more than others, until there are no descriptors left. */
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char block[1 << 16];

int main(void) {
    static int ends[500][2];
    int count = 0;
    memset(block, 'x', sizeof block);
    while (count < 500 && pipe(ends[count]) == 0) {
        fcntl(ends[count][1], F_SETFL, O_NONBLOCK);
        count++;
    }
    if (fork() == 0) _exit(0);
    for (int i = 0; i < count; i++)
        while (write(ends[i][1], block, sizeof block) > 0) { }
    while (wait(0) > 0) { }
    return 0;
}
