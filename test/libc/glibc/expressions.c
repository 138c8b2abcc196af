/* Regular expressions of both syntaxes, by POSIX's functions and GNU's. */
#define _GNU_SOURCE
#include <locale.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void try(const char *pattern, int flags, const char *text) {
    regex_t r;
    regmatch_t m[5];
    char message[100];
    int error = regcomp(&r, pattern, flags);
    printf("/%s/ %d [%s]", pattern, flags, text);
    if (error) {
        regerror(error, &r, message, sizeof message);
        printf(" %d %s\n", error, message);
        return;
    }
    error = regexec(&r, text, 5, m, 0);
    printf(" %zu %d", r.re_nsub, error);
    for (int k = 0; k < 5 && !error; k++) printf(" (%d,%d)", m[k].rm_so, m[k].rm_eo);
    putchar('\n');
    regfree(&r);
}

static void gnu(const char *pattern, reg_syntax_t syntax, const char *text) {
    struct re_pattern_buffer b;
    struct re_registers r;
    memset(&b, 0, sizeof b);
    re_set_syntax(syntax);
    const char *error = re_compile_pattern(pattern, strlen(pattern), &b);
    printf("gnu /%s/ %lx [%s]", pattern, (unsigned long)syntax, text);
    if (error) {
        printf(" %s\n", error);
        return;
    }
    int length = (int)strlen(text), at = re_search(&b, text, length, 0, length, &r);
    printf(" %d", at);
    for (unsigned k = 0; at >= 0 && k < r.num_regs; k++) printf(" (%d,%d)", r.start[k], r.end[k]);
    printf(" match %d backward %d\n", re_match(&b, text, length, 0, 0), re_search(&b, text, length, length, -length, 0));
    if (at >= 0) free(r.start), free(r.end);
    regfree(&b);
}

/* Anchors at newlines are the pattern's property when it is looked for, not when it was compiled. */
static void anchored(const char *pattern, const char *text) {
    for (int anchors = 0; anchors < 2; anchors++) {
        struct re_pattern_buffer b;
        memset(&b, 0, sizeof b);
        re_set_syntax(RE_SYNTAX_POSIX_BASIC);
        if (re_compile_pattern(pattern, strlen(pattern), &b)) continue;
        b.newline_anchor = anchors;
        int length = (int)strlen(text);
        printf("anchors %d: %d\n", anchors, re_search(&b, text, length, 0, length, 0));
        regfree(&b);
    }
}

int main(void) {
    static const char *const extended[] = {
        "abc",    "a|b|cd",  "(a|ab)(c|bcd)", "a*b+c?",   "(a*)(b*)",    "^a.c$",    "[[:digit:]]+", "[^a-c]", "a{2,3}", "(ab){2}",
        "x(y)?z", "()",      "a||b",          "*a",       "a**",         "(",        ")",            "[",      "a{2",    "a{3,2}",
        "[z-a]",  "[[:no:]]", "\\",           "(a)\\1",   "(a*)\\1b",    "\\bfoo\\b", "\\<w",        "o\\>",   "\\w+",   "\\W",
        "\\S+\\s", "a.*b.*c", "(.*)(.*)",     "[]a]+",    "[a\\]+",      "a{,2}",    "(a|b)*c",      "\\`a",   "c\\'",   "[[.a.]]b"};
    static const char *const basic[] = {"a*", "*a", "\\(a\\)\\1", "a\\{2\\}", "a\\+b\\?", "a\\|b", "^*", "a\\(^b\\)", "x$y", "\\(a", "a{2}", "\\{"};
    static const char *const texts[] = {"abc", "aabbcc", "ab\nabc foo wo", "123 xyz", "", "aaab"};
    for (size_t k = 0; k < sizeof extended / sizeof *extended; k++)
        for (size_t n = 0; n < sizeof texts / sizeof *texts; n++)
            try(extended[k], REG_EXTENDED | (n == 2 ? REG_NEWLINE : n == 1 ? REG_ICASE : 0), texts[n]);
    for (size_t k = 0; k < sizeof basic / sizeof *basic; k++)
        for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) try(basic[k], n == 3 ? REG_ICASE : 0, texts[n]);
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        gnu("\\(a\\|b\\)*c", RE_SYNTAX_EMACS, texts[n]);
        gnu("(a|b)+", RE_SYNTAX_POSIX_EGREP, texts[n]);
        gnu("a\nb", RE_SYNTAX_GREP, texts[n]);
        gnu("[a\\]b]", RE_SYNTAX_AWK, texts[n]);
        gnu("^b*", RE_SYNTAX_POSIX_BASIC, texts[n]);
    }
    anchored("b[^\n]*$", "ab\nab");
    anchored("^b", "a\nb");
    setlocale(LC_ALL, "C.UTF-8");
    try("^.$", REG_EXTENDED, "\xc3\xa9");
    try("[\xc3\xa9]+", REG_EXTENDED, "x\xc3\xa9\xc3\xa9");
    try("\xc3\x89", REG_EXTENDED | REG_ICASE, "\xc3\xa9");
    try("[[:alpha:]]+", REG_EXTENDED, "1\xc3\xa9t\xc3\xa9 ");
    return 0;
}
