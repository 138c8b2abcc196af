// A string whose end was never set is compared.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef FIXED
#define SET(statement) statement
#else
#define SET(statement)
#endif
int main(void) {
    char a[16], b[16];
    strcpy(a, "option");
    strncpy(b, "option", 6);
    SET(b[6] = 0;)
    if (strncmp(a, b, 6) != 0) return 1;
    if (strcmp(a, b) == 0) puts("same"); // use
    return 0;
}
