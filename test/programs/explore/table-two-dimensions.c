// A board of eight by eight: both coordinates are input, and one square is mined.
// run: explore --sym-stdin 2
// twin: -DFIXED
// witness: stdin "f4"
#include <stdlib.h>
#include <unistd.h>

static unsigned char board[8][8];

int main(void)
{
    unsigned char square[2];
    board[3][5] = 1;
    if (read(0, square, 2) != 2)
        return 1;
    unsigned column = square[0] - 'a', row = square[1] - '1';
    if (column > 7 || row > 7)
        return 2;
#ifdef FIXED
    board[3][5] = 0;
#endif
    if (board[row][column])
        abort(); // expect: abort
    return 0;
}
