/* Strings and characters. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>

static int sign(int value) {
    return (value > 0) - (value < 0);
}

int main(void) {
    char buffer[64] = "one,two;;three", *save, *at = buffer, *word;
    for (int c = 0; c < 256; c++)
        printf("%d%d%d%d%d%d%d%d%d%d%d %d %d%c", !!isalpha(c), !!isdigit(c), !!isalnum(c), !!isspace(c), !!isupper(c),
               !!islower(c), !!ispunct(c), !!isprint(c), !!iscntrl(c), !!isxdigit(c), !!isblank(c), toupper(c), tolower(c),
               c % 8 == 7 ? '\n' : ' ');
    for (word = strtok_r(buffer, ",;", &save); word; word = strtok_r(0, ",;", &save)) printf("<%s>", word);
    strcpy(buffer, "a::b");
    while ((word = strsep(&at, ":"))) printf("{%s}", word);
    putchar('\n');
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcasecmp("ABC", "abd")), sign(strncmp("abc", "abd", 2)),
           sign(strcoll("b", "a")));
    printf("%d %d %d\n", sign(strverscmp("a10", "a9")), sign(strverscmp("000", "00")), sign(strverscmp("1.002", "1.01")));
    printf("%s %s %s\n", strstr("haystack", "st"), strcasestr("HayStack", "st"), strchrnul("abc", 'x') - 3);
    printf("%s %s %zu %zu\n", strrchr("a/b/c", '/'), strpbrk("hello", "xl"), strspn("aab", "a"), strcspn("aab", "b"));
    printf("%s|%s\n", (char *)memmem("abcdef", 6, "cd", 2), (char *)memrchr("abca", 'a', 4));
    strcpy(buffer, "xy");
    stpcpy(mempcpy(buffer, "12", 2), "345");
    printf("%s %zu %zu\n", buffer, strlen(buffer), strnlen(buffer, 3));
    char *copy = strndup("duplicate", 3);
    printf("%s %d\n", copy, ffs(8));
    free(copy);
    printf("%zu %d %d\n", wcslen(L"wide"), iswalpha(L'x') != 0, (int)towupper(L'x'));
    wchar_t wide[16];
    printf("%zu", mbstowcs(wide, "text", 16));
    printf(" %d\n", wide[3]);
    return 0;
}
