// A file is closed by its caller, once; its number is used again by the next one.
// environment: TANGENT_DETECTORS=closed-descriptors
// stdout: nothing to copy
// stdout: 3 3
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int copy_from(int file)
{
    char bytes[8];
    return read(file, bytes, sizeof bytes) == 0 ? -1 : 0;
}

int main(void)
{
    int file = open("/dev/null", O_RDONLY), next;
    if (copy_from(file) < 0)
        puts("nothing to copy");
    close(file);
    next = open("/dev/null", O_RDONLY);
    printf("%d %d\n", file, next);
    close(next);
    return 0;
}
