// A symbolic file is opened by its name and read.
// run: explore --sym-files 1 4
// twin: -DFIXED
// witness: file A "v\x02ok"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    unsigned char header[4];
    FILE *file = fopen("A", "rb");
    if (!file || fread(header, 1, 4, file) != 4)
        return 1;
    fclose(file);
    if (header[0] != 'v')
        return 2;
#ifdef FIXED
    if (header[1] == 2)
        return 3;
#endif
    if (header[1] == 2 && header[2] == 'o')
        abort(); // expect: abort
    return 0;
}
