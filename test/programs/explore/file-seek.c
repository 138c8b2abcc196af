// The offset of the data lies in the file's own header.
// run: explore --sym-files 1 6
// twin: -DFIXED
// witness: file A "\x04abcdX"
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    FILE *file = fopen("A", "rb");
    if (!file)
        return 1;
    int offset = getc(file);
    if (offset < 1 || offset > 4 || fseek(file, offset, SEEK_SET) != 0)
        return 2;
    int first = getc(file), second = getc(file);
    fclose(file);
#ifdef FIXED
    if (offset == 4)
        return 3;
#endif
    if (offset == 4 && first == 'd' && second == 'X')
        abort(); // expect: abort
    return 0;
}
