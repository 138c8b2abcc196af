// string.h and ctype.h: every function, at odd alignments, with empty strings and bytes above 127.
// stdout: 0 7 3
// stdout: copy|copy-cat
// stdout: copy-cat-lim
// stdout: 000 #
// stdout: -1 0 1 1
// stdout: 0 -1 0
// stdout: /to/file /file none
// stdout: 0 0
// stdout: in haystack x 1
// stdout: Text 1
// stdout: 6 5 =value
// stdout: [a][b][c]<x><><y>(1)(2)(3)
// stdout: duplicate dup
// stdout: 01201234567#####
// stdout: 20123434567#####
// stdout: -1 0 1
// stdout: stack ack 1
// stdout: the part
// stdout: end
// stdout: xyz
// stdout: 34 34 34 34 34 34 34 34 34
// stdout: 52 10 62 6 26 26 32 95 94 33 22 2 Qq1
// stdout: has text
// stdout: 0 5 41
// stdout: 1
// stdout: 1
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    char buffer[64] = "";
    printf("%zu %zu %zu\n", strlen(""), strlen("seven.."), strnlen("longer", 3));
    printf("%s|", strcpy(buffer, "copy"));
    printf("%s\n", strcat(buffer, "-cat"));
    printf("%s\n", strncat(buffer, "-limited", 4));
    memset(buffer, '#', 16);
    strncpy(buffer, "ab", 5);
    printf("%d%d%d %c\n", buffer[2], buffer[3], buffer[4], buffer[5]);
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), strcmp("", ""), sign(strcmp("ab", "a")), sign(strcmp("\xff", "a")));
    printf("%d %d %d\n", strncmp("prefix1", "prefix2", 6), sign(strcasecmp("ABC", "abd")), strncasecmp("HeLLo", "hEllO!", 5));
    printf("%s %s %s\n", strchr("path/to/file", '/'), strrchr("path/to/file", '/'), strchr("abc", 'x') ? "?" : "none");
    printf("%zu %d\n", strlen(strchr("abc", 0)), strrchr("abc", 0)[0]);
    printf("%s %s %d\n", strstr("needle in haystack", "in"), strstr("x", ""), strstr("abc", "abcd") == NULL);
    printf("%s %d\n", strcasestr("Some Text", "TEXT"), strcasestr("a", "b") == NULL);
    printf("%zu %zu %s\n", strspn("112233x", "123"), strcspn("hello world", " "), strpbrk("key=value", "=:"));
    char tokens[] = ",a,,b;c,";
    for (char *t = strtok(tokens, ",;"); t; t = strtok(NULL, ",;"))
        printf("[%s]", t);
    char fields[] = "x::y", *rest = fields, *field;
    while ((field = strsep(&rest, ":")))
        printf("<%s>", field);
    char again[] = "1 2 3", *save;
    for (char *t = strtok_r(again, " ", &save); t; t = strtok_r(NULL, " ", &save))
        printf("(%s)", t);
    putchar('\n');
    char *copy = strdup("duplicate"), *part = strndup("duplicate", 3);
    printf("%s %s\n", copy, part);
    free(copy);
    free(part);
    memmove(buffer + 3, memcpy(buffer, "0123456789", 11), 8);
    printf("%s\n", buffer);
    memmove(buffer, buffer + 2, 6);
    printf("%s\n", buffer);
    printf("%d %d %d\n", sign(memcmp("a\0b", "a\0c", 3)), memcmp("same", "same", 4), sign(memcmp("\x80", "\x7f", 1)));
    printf("%s %s %d\n", (char *)memchr("haystack", 's', 8), (char *)memrchr("haystack", 'a', 8), memchr("abc", 'd', 3) == NULL);
    printf("%s\n", (char *)memmem("find the part", 13, "the", 3));
    printf("%s\n", stpcpy(buffer, "end") - 3);
    printf("%s\n", (char *)mempcpy(buffer, "xyz", 4) - 4);
    for (int offset = 0; offset < 9; offset++) {
        char area[80];
        memset(area, 'z', sizeof area);
        memset(area + offset, 'a' + offset, 33);
        area[offset + 33] = 0;
        printf("%zu%c", strlen(area + offset) + (memchr(area, 'a' + offset, 80) == area + offset), offset < 8 ? ' ' : '\n');
    }
    int classes[12] = { 0 };
    for (int c = 0; c < 128; c++) {
        int bits[] = { isalpha(c), isdigit(c), isalnum(c), isspace(c), isupper(c), islower(c), ispunct(c), isprint(c),
                       isgraph(c), iscntrl(c), isxdigit(c), isblank(c) };
        for (int k = 0; k < 12; k++)
            classes[k] += bits[k] != 0;
    }
    for (int k = 0; k < 12; k++)
        printf("%d ", classes[k]);
    printf("%c%c%c\n", toupper('q'), tolower('Q'), toupper('1'));
    printf("%s\n", strerror(0)[0] ? "has text" : "");
    printf("%d %d %d\n", ffs(0), ffs(0x50), ffsll(1ll << 40));
    printf("%d\n", strcoll("a", "b") < 0);
    printf("%d\n", strverscmp("file9", "file10") < 0);
    return 0;
}
