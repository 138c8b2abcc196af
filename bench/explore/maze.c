// A walk through a maze of 7 by 11, a letter a step: w, a, s, d. A wrong letter ends it, so does a wall or a square that was
// visited before; the exit is an assertion. 486,453 paths (486,317 are those of the maze that KLEE's figure is for).
#include <klee/klee.h>

#define STEPS 28

static char maze[7][12] = {
    "+---------+", //
    "|X |     #|", //
    "| |       |", //
    "|  |      |", //
    "|     | |||", //
    "|     |   |", //
    "+---------+",
};

int main(void)
{
    char steps[STEPS];
    int x = 1, y = 1;
    klee_make_symbolic(steps, sizeof steps, "steps");
    for (int i = 0; i < STEPS; i++) {
        switch (steps[i]) {
        case 'w': y--; break;
        case 's': y++; break;
        case 'a': x--; break;
        case 'd': x++; break;
        default: return 1;
        }
        klee_assert(maze[y][x] != '#');
        if (maze[y][x] != ' ')
            return 2;
        maze[y][x] = 'X';
    }
    return 0;
}
