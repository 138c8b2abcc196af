// The address of longjmp, kept in a variable and taken in a function, as libpng does.
// stdout: 0
// stdout: 1
// stdout: 2
// stdout: end 3
#include <setjmp.h>
#include <stdio.h>

typedef void (*jump)(jmp_buf, int);
static jump kept = longjmp;
static jmp_buf place;

int main(void) {
    int came = setjmp(place);
    if (came == 3) {
        printf("end %d\n", came);
        return 0;
    }
    printf("%d\n", came);
    if (came == 0) kept(place, 1);
    if (came == 1) longjmp(place, 2);
    jump again = longjmp;
    again(place, 3);
    return 1;
}
