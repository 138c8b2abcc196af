// musl converts ASCII four bytes at a time, also the last ones of a string that ends at a block's end.
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(int argc, char **argv) {
    (void)argv;
    setlocale(LC_ALL, "C.UTF-8");
    for (size_t length = 1; length < 12; length++) {
        char *text = malloc(length + 1);
        if (text == NULL) return 1;
        memset(text, 'a' + argc, length);
        text[length] = 0;
        mbstate_t state = {0};
        const char *at = text;
        wchar_t wide[16];
        if (mbsrtowcs(wide, &at, 16, &state) != length) return 2;
        if (mbstowcs(NULL, text, 0) != length) return 3;
        free(text);
    }
    return 0;
}
