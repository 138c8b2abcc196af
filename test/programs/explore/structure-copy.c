// Structures are assigned, passed and returned by value; their symbolic bytes go along.
// run: explore --sym-stdin 3
// twin: -DFIXED
// witness: stdin "xyz"
#include <stdlib.h>
#include <unistd.h>

struct point {
    char x, y;
    short weight;
    char z;
};

static struct point turned(struct point p)
{
    struct point result = p;
    result.x = p.y;
    result.y = p.z;
    result.z = p.x;
    return result;
}

int main(void)
{
    char in[3];
    if (read(0, in, 3) != 3)
        return 1;
    struct point p = {in[0], in[1], 9, in[2]}, copies[2];
    copies[0] = turned(p);
    copies[1] = turned(copies[0]);
#ifdef FIXED
    if (copies[1].x != in[2] || copies[1].weight != 9)
        abort();
#else
    if (copies[1].x == 'z' && copies[1].y == 'x' && copies[1].z == 'y')
        abort(); // expect: abort
#endif
    return 0;
}
