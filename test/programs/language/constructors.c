// Constructors and destructors run in the order of their priorities, around main and the exit handlers.
// stdout: constructor 101 as 1
// stdout: constructor 200 as 2
// stdout: constructor 300 as 3
// stdout: constructor as 4
// stdout: main as 5
// stdout: exit handler as 6
// stdout: destructor 300 as 7
// stdout: destructor 101 as 8
// exit: 4
#include <stdio.h>
#include <stdlib.h>

static int order;

__attribute__((constructor(300))) static void third(void) { printf("constructor 300 as %d\n", ++order); }
__attribute__((constructor(101))) static void first(void) { printf("constructor 101 as %d\n", ++order); }
__attribute__((constructor(200))) static void second(void) { printf("constructor 200 as %d\n", ++order); }
__attribute__((constructor)) static void last(void) { printf("constructor as %d\n", ++order); }
__attribute__((destructor(101))) static void end_last(void) { printf("destructor 101 as %d\n", ++order); }
__attribute__((destructor(300))) static void end_first(void) { printf("destructor 300 as %d\n", ++order); }

static void on_exit_handler(void) { printf("exit handler as %d\n", ++order); }

int main(void)
{
    printf("main as %d\n", ++order);
    atexit(on_exit_handler);
    return 4;
}
