// Two symbolic files that must agree.
// run: explore --sym-files 2 2
// twin: -DFIXED
// witness: file A "k7"; file B "7k"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void load(const char *name, char *into)
{
    int descriptor = open(name, O_RDONLY);
    if (descriptor < 0 || read(descriptor, into, 2) != 2)
        _exit(1);
    close(descriptor);
}

int main(void)
{
    char a[2], b[2];
    load("A", a);
    load("B", b);
#ifdef FIXED
    if (a[0] != a[1])
        return 2;
#endif
    if (a[0] == b[1] && a[1] == b[0] && a[0] == 'k' && b[0] == '7')
        abort(); // expect: abort
    return 0;
}
