// Locale and wide characters: UTF-8 decoding and encoding, classification, wide formatting, invalid sequences.
// stdout: utf-8
// stdout: 15 9: 6e 61 ef 76 65 20 20ac 20 1f600
// stdout: 15 0
// stdout: -2 -2 1 -1
// stdout: 2 -1
// stdout: 3 1 1
// stdout: cf 3c9
// stdout: 9 0 wide text
// stdout: 5 text
// stdout: 10 42-ws-bs-c
// stdout: 123 2.5
// stdout: x
// stdout: €|   ab||
// stdout: 1 1
// stdout: wide
// stdout: 1
#define _GNU_SOURCE
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void)
{
    printf("%s\n", setlocale(LC_ALL, "C.UTF-8") ? "utf-8" : "none");
    const char *text = "na\xc3\xafve \xe2\x82\xac \xf0\x9f\x98\x80";
    wchar_t wide[32];
    size_t n = mbstowcs(wide, text, 32);
    printf("%zu %zu:", strlen(text), n);
    for (size_t i = 0; i < n; i++)
        printf(" %x", (unsigned)wide[i]);
    putchar('\n');
    char back[64];
    printf("%zu ", wcstombs(back, wide, sizeof back));
    printf("%d\n", strcmp(back, text));
    mbstate_t state = { 0 };
    wchar_t w;
    int lengths[4];
    lengths[0] = (int)mbrtowc(&w, "\xe2", 1, &state);
    lengths[1] = (int)mbrtowc(&w, "\x82", 1, &state);
    lengths[2] = (int)mbrtowc(&w, "\xac", 1, &state);
    memset(&state, 0, sizeof state);
    lengths[3] = (int)mbrtowc(&w, "\xff", 1, &state);
    printf("%d %d %d %d\n", lengths[0], lengths[1], lengths[2], lengths[3]);
    printf("%d %d\n", mblen("\xc3\xaf", 2), mbtowc(&w, "\xc0\x80", 2));
    printf("%d %d %d\n", wctomb(back, 0x20ac), iswalpha(0xef) != 0, iswdigit(L'7') != 0);
    printf("%x %x\n", (unsigned)towupper(0xef), (unsigned)towlower(0x3a9));
    wchar_t copy[16];
    wcscpy(copy, L"wide");
    wcscat(copy, L" text");
    printf("%zu %d %ls\n", wcslen(copy), wcscmp(copy, L"wide text"), copy);
    printf("%d %ls\n", (int)(wcschr(copy, L't') - copy), wcsstr(copy, L"te"));
    wchar_t formatted[32];
    int k = swprintf(formatted, 32, L"%d-%ls-%s-%c", 42, L"ws", "bs", 'c');
    printf("%d %ls\n", k, formatted);
    wchar_t *end;
    printf("%ld %g\n", wcstol(L"123x", &end, 10), wcstod(L"2.5", NULL));
    printf("%ls\n", end);
    printf("%lc|%5ls|%.1ls|\n", (wint_t)0x20ac, L"ab", L"\xefz");
    printf("%d %d\n", wcwidth(L'a'), iswctype(L'x', wctype("lower")) != 0);
    wchar_t *tokens = wcstok(copy, L" ", &end);
    printf("%ls\n", tokens);
    printf("%d\n", wmemcmp(L"abc", L"abd", 3) < 0);
    return 0;
}
