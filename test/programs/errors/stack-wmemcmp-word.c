// Compares a word of three wide characters with five of them.
// native: none (gcc 12 does not look at wmemcmp)
#include <stdio.h>
#include <wchar.h>

static int is_keyword(const wchar_t *word)
{
    return wmemcmp(word, L"while", 5) == 0; // expect: stack-buffer-overflow read
}

int main(void)
{
    wchar_t word[3] = {L'f', L'o', L'r'};
    printf("%d\n", is_keyword(word));
    return 0;
}
