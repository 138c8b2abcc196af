// Reads where a link leads into a buffer, with the size of another one.
#include <stdio.h>
#include <unistd.h>

#define LONGEST 4096

int main(void)
{
    char target[16];
    unlink("link-to-nowhere");
    if (symlink("a/folder/with/a/rather/long/name", "link-to-nowhere"))
        return 1;
    ssize_t length = readlink("link-to-nowhere", target, LONGEST); // expect: stack-buffer-overflow write
    unlink("link-to-nowhere");
    printf("%d\n", length > 0);
    return 0;
}
