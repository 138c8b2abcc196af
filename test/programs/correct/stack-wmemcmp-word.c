// Compares five wide characters with five.
// stdout: 0
#include <stdio.h>
#include <wchar.h>

static int is_keyword(const wchar_t *word)
{
    return wmemcmp(word, L"while", 5) == 0;
}

int main(void)
{
    wchar_t word[5] = {L'f', L'o', L'r'};
    printf("%d\n", is_keyword(word));
    return 0;
}
