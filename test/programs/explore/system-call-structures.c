// Structures that a system call reads hold bytes of the input: what the call answers depends on them.
// run: explore --sym-stdin 2
// loses: system-call
// covers: all
#include <poll.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    unsigned char given[2];
    if (read(0, given, 2) != 2)
        return 1; // never
    if (given[0] == 'p') {
        struct pollfd one = {.fd = 1, .events = (short)(given[1] & 4)};
        if (poll(&one, 1, 0) == 1)
            puts("ready");
    } else if (given[0] == 'r') {
        fd_set set;
        FD_ZERO(&set);
        if (given[1] & 1)
            FD_SET(1, &set);
        struct timeval none = {0};
        if (select(2, NULL, &set, NULL, &none) == 1)
            puts("can be written");
    } else if (given[0] == 's') {
        struct timespec time = {.tv_sec = 0, .tv_nsec = given[1] < 3 ? given[1] : -1};
        if (nanosleep(&time, NULL) != 0)
            puts("no time");
    } else if (given[0] == 'w') {
        struct iovec piece = {.iov_base = "text", .iov_len = given[1] & 3};
        if (writev(1, &piece, 1) == 3)
            puts("three");
    }
    return 0;
}
