// Fields between colons; the third one is used although there may be two.
// run: explore --sym-stdin 5
// twin: -DFIXED
// witness: stdin "a:b  "
#include <string.h>
#include <unistd.h>

int main(void)
{
    char line[6] = "";
    if (read(0, line, 5) != 5)
        return 1;
    char *name = strtok(line, ":"), *user = strtok(NULL, ":");
    if (!name || !user)
        return 2;
    char *home = strtok(NULL, ":");
#ifdef FIXED
    if (!home)
        return 3;
#endif
    return *home == '/'; // expect: null-dereference read
}
