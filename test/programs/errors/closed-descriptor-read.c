// Reads on from a file that it has closed when its head was complete.
// environment: TANGENT_DETECTORS=closed-descriptors
// native: none (the system answers EBADF, which nobody looks at)
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int read_head(int file, char *head)
{
    int complete = read(file, head, 4) <= 0;
    if (complete)
        close(file);
    return complete;
}

int main(void)
{
    char head[4] = "", rest[4] = "";
    int file = open("/dev/null", O_RDONLY);
    int complete = read_head(file, head);
    long size = read(file, rest, 4); // expect: closed-descriptor
    printf("%d %ld\n", complete, size);
    return 0;
}
