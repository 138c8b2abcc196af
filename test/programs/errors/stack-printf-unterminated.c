// Prints a field of a record with %s, though it fills its array to the last byte.
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
        printf("%s\n", field); // expect: stack-buffer-overflow read
    }
    return 0;
}
