// A fixed argument beside a symbolic one.
// run: explore --sym-arg 3 -- --mode
// twin: -DFIXED
// native: none (the order of arguments is the engine's)
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int mode = 0;
    const char *value = NULL;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--mode") == 0)
            mode = 1;
        else
            value = argv[i];
#ifdef FIXED
    mode = 0;
#endif
    if (mode && value && strcmp(value, "on") == 0)
        abort(); // expect: abort
    return 0;
}
