// Prints a field of a record with a bounded %s.
// stdout: KERMIT
// stdout: PIGGY
// stdout: GONZOTHE
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char tape[] = "KERMIT..PIGGY...GONZOTHE";
    for (int i = 0; i < 3; i++) {
        char field[8];
        memcpy(field, tape + 8 * i, 8);
        for (int k = 0; k < 8; k++)
            if (field[k] == '.')
                field[k] = '\0';
        printf("%.8s\n", field);
    }
    return 0;
}
