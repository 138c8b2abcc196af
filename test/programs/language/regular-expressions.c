// regcomp and regexec: extended and basic syntax, groups, classes, repetition, case, newlines, errors.
// stdout: a*b: [aaab]
// stdout: ^([a-z]+)=([0-9]+)$: [width=640] [width] [640]
// stdout: (a|ab)(c|bcd)(d*): [abcd] [a] [bcd] []
// stdout: [[:upper:]][[:alnum:]_]*: [CamelCase_9]
// stdout: x{2,3}: [xx]
// stdout: \(a\)\1: [aa] [a]
// stdout: HELLO: [hello]
// stdout: ^two$: [two]
// stdout: [^a-c]+: [def]
// stdout: a.c: [a-c]
// stdout: (: error
// stdout: [z-a]: error
// stdout: : []
// stdout: (x?)(y+): [yyy] [] [yyy]
// stdout: 10
// stdout: 25
// stdout: 7
#include <regex.h>
#include <stdio.h>

static void match(const char *pattern, int flags, const char *text)
{
    regex_t re;
    regmatch_t m[4];
    int error = regcomp(&re, pattern, flags);
    if (error) {
        printf("%s: error\n", pattern);
        return;
    }
    if (regexec(&re, text, 4, m, 0)) {
        printf("%s: no match\n", pattern);
    } else {
        printf("%s:", pattern);
        for (size_t i = 0; i <= re.re_nsub && i < 4; i++)
            printf(" [%.*s]", (int)(m[i].rm_eo - m[i].rm_so), m[i].rm_so < 0 ? "" : text + m[i].rm_so);
        putchar('\n');
    }
    regfree(&re);
}

int main(void)
{
    match("a*b", REG_EXTENDED, "xaaab");
    match("^([a-z]+)=([0-9]+)$", REG_EXTENDED, "width=640");
    match("(a|ab)(c|bcd)(d*)", REG_EXTENDED, "abcd");
    match("[[:upper:]][[:alnum:]_]*", REG_EXTENDED, "some CamelCase_9 here");
    match("x{2,3}", REG_EXTENDED, "axbxxcxxxxd");
    match("\\(a\\)\\1", 0, "xaax");
    match("HELLO", REG_ICASE, "say hello");
    match("^two$", REG_EXTENDED | REG_NEWLINE, "one\ntwo\nthree");
    match("[^a-c]+", REG_EXTENDED, "abcdefabc");
    match("a.c", REG_EXTENDED, "abbc a-c");
    match("(", REG_EXTENDED, "");
    match("[z-a]", REG_EXTENDED, "");
    match("", REG_EXTENDED, "empty");
    match("(x?)(y+)", REG_EXTENDED, "yyy");
    regex_t re;
    regcomp(&re, "[0-9]+", REG_EXTENDED);
    const char *p = "10 apples, 25 pears and 7 plums";
    regmatch_t m;
    while (regexec(&re, p, 1, &m, p[0] == '1' ? 0 : REG_NOTBOL) == 0) {
        printf("%.*s\n", (int)(m.rm_eo - m.rm_so), p + m.rm_so);
        p += m.rm_eo;
    }
    regfree(&re);
    return 0;
}
