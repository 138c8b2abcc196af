// Looks a key up in a table of eight bytes each; the key's array is shorter than a row.
#include <stdio.h>
#include <string.h>

static const char rows[3][8] = {"alpha", "beta", "gamma"};

static int row_of(const char *key)
{
    for (int i = 0; i < 3; i++)
        if (memcmp(rows[i], key, sizeof rows[i]) == 0) // expect: stack-buffer-overflow read
            return i;
    return -1;
}

int main(void)
{
    char key[] = "beta";
    printf("%d\n", row_of(key));
    return 0;
}
