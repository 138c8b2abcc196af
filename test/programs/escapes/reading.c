/* Waits for what comes from itself, through a pipe that is never written to, after having filled another one. */
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

int main(void) {
    int full[2], empty[2];
    char block[4096] = {0};
    if (pipe(full) != 0 || pipe(empty) != 0) return 1;
    fcntl(full[1], F_SETFL, O_NONBLOCK);
    while (write(full[1], block, sizeof block) > 0) { }
    for (;;) {
        struct pollfd one = {.fd = empty[0], .events = POLLIN};
        poll(&one, 1, 1);
        if (read(full[0], block, 1) != 1) return 0;
        write(full[1], block, 1);
    }
}
