// A switch over neighbouring values: one path for each case and one for the rest.
// run: explore --sym-stdin 1
// paths: 6
// covers: all
#include <unistd.h>

int main(void)
{
    unsigned char c;
    if (read(0, &c, 1) != 1)
        return 9; // never
    switch (c) {
    case 10: return 1;
    case 11: return 2;
    case 12: return 3;
    case 13: return 4;
    case 14: return 5;
    default: return 6;
    }
}
