// Arguments arrive unchanged, argv ends with a null pointer, the strings may be written, and the exit code is cut to 8 bits.
// args: plain "two words" "" "quote\"s" "tab\there" -- --option=value
// stdout: 8 1 1
// stdout: 5 [plain]
// stdout: 9 [two words]
// stdout: 0 []
// stdout: 7 [quote"s]
// stdout: 8 [tab	here]
// stdout: 2 [--]
// stdout: 14 [--option=value]
// stdout: Plai
// stdout: replaced
// exit: 42
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv, char **envp)
{
    printf("%d %d %d\n", argc, argv[argc] == NULL, envp != NULL);
    for (int i = 1; i < argc; i++)
        printf("%zu [%s]\n", strlen(argv[i]), argv[i]);
    argv[1][0] = 'P';
    argv[1][4] = '\0';
    printf("%s\n", argv[1]);
    argv[2] = "replaced";
    printf("%s\n", argv[2]);
    return 256 + 42;
}
