// Reads a line of input straight from the descriptor, into less room than it asks for.
// stdin: 0123456789abcdef0123456789abcdef
#include <stdio.h>
#include <unistd.h>

static unsigned checksum(const char *bytes, int n)
{
    unsigned sum = 0;
    while (n-- > 0)
        sum = sum * 31 + *bytes++;
    return sum;
}

int main(void)
{
    char buffer[20];
    ssize_t n = read(STDIN_FILENO, buffer, 32); // expect: stack-buffer-overflow write
    printf("%zd %x\n", n, checksum(buffer, n));
    return 0;
}
