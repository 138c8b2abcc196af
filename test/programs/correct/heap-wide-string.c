// Copies a wide string into an allocation counted in wide characters.
// native: valgrind
// stdout: 1016
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static wchar_t *copy(const wchar_t *text)
{
    wchar_t *result = malloc((wcslen(text) + 1) * sizeof(wchar_t));
    wcscpy(result, text);
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
