// Reverses a string in alloca'ed space that includes the zero.
// stdout: 1
// stdout: 0
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int is_palindrome(const char *word)
{
    size_t n = strlen(word);
    char *reversed = alloca(n + 1);
    for (size_t i = 0; i < n; i++)
        reversed[n - 1 - i] = word[i];
    reversed[n] = 0;
    return strcmp(word, reversed) == 0;
}

int main(void)
{
    printf("%d\n", is_palindrome("rotavator"));
    printf("%d\n", is_palindrome("palindrome"));
    return 0;
}
