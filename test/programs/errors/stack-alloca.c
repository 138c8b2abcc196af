// Reverses a string in alloca'ed space and puts the zero behind it.
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int is_palindrome(const char *word)
{
    size_t n = strlen(word);
    char *reversed = alloca(n);
    for (size_t i = 0; i < n; i++)
        reversed[n - 1 - i] = word[i];
    reversed[n] = 0; // expect: stack-buffer-overflow write
    return strcmp(word, reversed) == 0;
}

int main(void)
{
    printf("%d\n", is_palindrome("rotavator"));
    printf("%d\n", is_palindrome("palindrome"));
    return 0;
}
