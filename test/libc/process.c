// Start and end: arguments, environment, constructors, handlers, streams. Its output is checked by libc.test.ts.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread int counter = 41;

__attribute__((constructor)) static void before(void) { puts("constructor"); }
__attribute__((destructor)) static void after(void) { puts("destructor"); }
static void first(void) { puts("registered first"); }
static void second(void) { puts("registered second"); }
static void *thread(void *argument) { return argument; }

int main(int argc, char **argv)
{
    pthread_t id;
    atexit(first);
    atexit(second);
    printf("%d arguments, the last is %s\n", argc, argv[argc - 1]);
    printf("%s %s\n", program_invocation_short_name, getenv("GREETING"));
    setenv("GREETING", "changed", 1);
    printf("%s %d\n", getenv("GREETING"), ++counter);
    printf("thread made %d", pthread_create(&id, NULL, thread, NULL));
    printf(", joined %d\n", pthread_join(id, NULL));
    fputs("to standard error\n", stderr);
    fputs("not flushed by the program", stdout);
    return 3;
}
