// An environment variable is input when asked for.
// run: explore --sym-env LEVEL 2
// twin: -DFIXED
// native: none (the environment is the engine's)
#include <stdlib.h>

int main(void)
{
    const char *level = getenv("LEVEL");
    if (!level)
        return 1;
#ifdef FIXED
    if (level[0] == '9')
        return 2;
#endif
    if (level[0] == '9' && level[1] == 0)
        abort(); // expect: abort
    return 0;
}
