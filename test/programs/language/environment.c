// The environment: set, overwrite, keep, unset, putenv by reference, and the environ array itself.
// stdout: (unset)
// stdout: 0 one
// stdout: 0 one
// stdout: 0 a longer value than before
// stdout: FIRST 2
// stdout: 0 (unset) 1
// stdout: -1
// stdout: []
// stdout: TANGENT_N49 50
// stdout: (unset) 0
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

static int count(const char *prefix)
{
    int n = 0;
    for (char **e = environ; e && *e; e++)
        n += strncmp(*e, prefix, strlen(prefix)) == 0;
    return n;
}

static const char *get(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "(unset)";
}

int main(void)
{
    printf("%s\n", get("TANGENT_A"));
    printf("%d ", setenv("TANGENT_A", "one", 1));
    printf("%s\n", get("TANGENT_A"));
    printf("%d ", setenv("TANGENT_A", "two", 0));
    printf("%s\n", get("TANGENT_A"));
    printf("%d ", setenv("TANGENT_A", "a longer value than before", 1));
    printf("%s\n", get("TANGENT_A"));
    static char entry[] = "TANGENT_B=first";
    putenv(entry);
    memcpy(entry + 10, "FIRST", 5);
    printf("%s %d\n", get("TANGENT_B"), count("TANGENT_"));
    printf("%d ", unsetenv("TANGENT_A"));
    printf("%s %d\n", get("TANGENT_A"), count("TANGENT_"));
    printf("%d\n", setenv("BAD=NAME", "x", 1));
    setenv("TANGENT_EMPTY", "", 1);
    printf("[%s]\n", get("TANGENT_EMPTY"));
    for (int i = 0; i < 50; i++) {
        char name[20];
        snprintf(name, sizeof name, "TANGENT_N%d", i);
        setenv(name, name, 1);
    }
    printf("%s %d\n", get("TANGENT_N49"), count("TANGENT_N"));
    clearenv();
    printf("%s %d\n", get("TANGENT_B"), count(""));
    return 0;
}
