// A file is closed by the function that fails, and by its caller once more.
// environment: TANGENT_DETECTORS=closed-descriptors
// native: none (the system answers EBADF, which nobody looks at)
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int copy_from(int file)
{
    char bytes[8];
    if (read(file, bytes, sizeof bytes) == 0) {
        close(file);
        return -1;
    }
    return 0;
}

int main(void)
{
    int file = open("/dev/null", O_RDONLY);
    if (copy_from(file) < 0)
        puts("nothing to copy");
    close(file); // expect: closed-descriptor
    return 0;
}
