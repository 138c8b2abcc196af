// Thread-local variables of the one thread: initialised, zeroed, static, addressed, aligned, extern.
// stdout: 110 211
// stdout: 350
// stdout: thread-local 0 7 2.5 0
// stdout: 1 1
// stdout: 5
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

__thread int counter = 10;
_Thread_local char name[20] = "thread";
static __thread long zeroed[4];
static _Thread_local _Alignas(32) double aligned = 2.5;
extern __thread int counter;

static int next(void)
{
    static __thread int calls;
    return ++calls * 100 + counter++;
}

int main(void)
{
    int *p = &counter;
    printf("%d ", next());
    printf("%d\n", next());
    *p = 50;
    printf("%d\n", next());
    strcat(name, "-local");
    zeroed[3] += 7;
    printf("%s %ld %ld %g %d\n", name, zeroed[0], zeroed[3], aligned, (int)((uintptr_t)&aligned % 32));
    errno = 0;
    FILE *f = fopen("/no/such/file/at/all", "r");
    printf("%d %d\n", f == NULL, errno == ENOENT);
    int *e = &errno;
    *e = 5;
    printf("%d\n", errno);
    return 0;
}
