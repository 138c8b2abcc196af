// Closes a file once, asks whether it is open, and closes all numbers from 3 up as daemons do.
// environment: TANGENT_DETECTORS=closed-descriptors
// stdout: 0 -1
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char head[4] = "";
    int file = open("/dev/null", O_RDONLY), second = open("/dev/null", O_RDONLY);
    long size = read(file, head, 4);
    close(second);
    printf("%ld %d\n", size, fcntl(second, F_GETFD));
    for (int number = 3; number < 64; number++)
        close(number);
    return 0;
}
