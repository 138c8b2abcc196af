// A line is indented and underlined by as many characters as the input says.
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    unsigned char in[3];
    char line[200];
    if (read(0, in, 3) != 3)
        return 1;
    memset(line, 'x', sizeof line);
    memset(line, ' ', in[0] % 180);
    memset(line + 10, '-', in[1] % 180);
    memset(line + 20, '=', in[2] % 180);
    assert(!(line[60] == ' ' && line[61] == 'x' && line[25] == '=' && line[31] == '-' && line[40] == ' '));
    return 0;
}
