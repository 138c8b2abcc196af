// Copies a wide string into an allocation counted in bytes.
// native: valgrind
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static wchar_t *copy(const wchar_t *text)
{
    wchar_t *result = malloc(wcslen(text) + 1);
    wcscpy(result, text); // expect: heap-buffer-overflow write
    return result;
}

int main(void)
{
    wchar_t *w = copy(L"wide words");
    int sum = 0;
    for (wchar_t *p = w; *p; p++)
        sum += *p;
    printf("%d\n", sum);
    free(w);
    return 0;
}
