// Names with dots, as of hosts: the letters before each dot are kept in a small array. Every name in the recorded run is
// too short for it; only a longer one fails.
#include <stdio.h>
#include <string.h>

static int initials(const char *name)
{
    char first[8];
    int count = 0;
    for (const char *at = name; *at != '\0'; at++)
        if (at[1] == '.')
            first[count++] = *at; // FAILS
    return count == 0 ? 0 : first[count - 1];
}

static int host(const char *text)
{
    int sum = 0;
    if (text[0] == '.')
        return -1;
    sum += initials(text);
    return sum;
}

static int order(char *line)
{
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "host ", 5) != 0)
        return -1;
    return host(line + 5);
}

int main(void)
{
    char line[120];
    int sum = 0;
    while (fgets(line, sizeof line, stdin) != NULL)
        sum += order(line);
    printf("%d\n", sum);
    return 0;
}
