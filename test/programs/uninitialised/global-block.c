// A block is made in one function and used in another.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
static struct state { int ready, count; char name[20]; } *state;
static void start(void) {
    state = malloc(sizeof *state);
    state->ready = 1;
    SET(state->count = 0;)
    strcpy(state->name, "name");
}
static void step(void) {
    if (state->ready) state->count++;
}
int main(void) {
    start();
    step();
    step();
    if (strcmp(state->name, "name") != 0) return 1;
    if (state->count == 2) puts("two"); // use
    free(state);
    return 0;
}
