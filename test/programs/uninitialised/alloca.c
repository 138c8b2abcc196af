// Memory from alloca.
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(int argc, char **argv) {
    (void)argv;
    char *p = alloca(16 + (size_t)argc);
    strcpy(p, "abc");
    SET(p[10] = 0;)
    if (strlen(p) != 3) return 1;
    if (p[10]) puts("not zero"); // use
    return 0;
}
