/* Dates that are read, patterns of names, conversions of characters, figures of the system. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <glob.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void convert(const char *to, const char *from, const char *text) {
    char copy[40], *in = copy, result[60], *out = result;
    size_t in_left = strlen(text), out_left = sizeof result;
    iconv_t c = iconv_open(to, from);
    if (c == (iconv_t)-1) {
        printf("%s: none\n", to);
        return;
    }
    strcpy(copy, text);
    size_t answer = iconv(c, &in, &in_left, &out, &out_left);
    printf("%s %s: %zd %zu %.*s\n", to, from, (ssize_t)answer, in_left, (int)(out - result), result);
    iconv_close(c);
}

int main(void) {
    static const char *const dates[][2] = {
        {"2001-02-03", "%F"},         {"2001-02-03 04:05:06", "%Y-%m-%d %T"}, {"981173106", "%s"}, {"+0130", "%z"},
        {"Sat Feb  3 04:05:06 2001", "%c"}, {"PM 3", "%p %I"}, {"Saturday", "%A"}, {"34 2001", "%j %Y"}, {" 5", "%e"}, {"99", "%y"},
        {"02/03/01", "%D"}, {"MAR 1", "%b %d"}, {"x", "%d"}, {"32", "%d"}, {"12:61", "%H:%M"}};
    static const char *const names[][2] = {{"a*", "abc"}, {"@(a|b)c", "bc"}, {"!(a)", "b"}, {"!(a)", "a"}, {"+(ab)", "abab"},
                                           {"*(x)y", "y"}, {"?(x)y", "xxy"}, {"a@(b|@(c|d))e", "ade"}, {"[[:alpha:]]*", "x1"}, {"A", "a"}};
    setenv("TZ", "UTC0", 1);
    for (size_t k = 0; k < sizeof dates / sizeof *dates; k++) {
        struct tm t = {0};
        char *end = strptime(dates[k][0], dates[k][1], &t);
        printf("%s %s: %d", dates[k][0], dates[k][1], end ? (int)(end - dates[k][0]) : -1);
        if (end) printf(" %d-%d-%d %d:%d:%d %d %d", t.tm_year, t.tm_mon, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, t.tm_wday, t.tm_yday);
        putchar('\n');
    }
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        printf("%s %s: %d %d %d\n", names[k][0], names[k][1], fnmatch(names[k][0], names[k][1], 0),
               fnmatch(names[k][0], names[k][1], FNM_EXTMATCH), fnmatch(names[k][0], names[k][1], FNM_CASEFOLD));
    convert("UTF-8", "ISO-8859-1", "caf\xe9");
    convert("ISO-8859-1", "UTF-8", "x\xe2\x82\xac");
    convert("ASCII//IGNORE", "UTF-8", "plain");
    convert("NO-SUCH-SET", "UTF-8", "x");
    char folder[] = "/tmp/tangent-glob-XXXXXX", path[80];
    mkdtemp(folder);
    chdir(folder);
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%c.txt", 'a' + k);
        fclose(fopen(path, "w"));
    }
    static const char *const globs[] = {"*.txt", "{c,a}.txt", "[bc].{txt,none}", "{x,y}", "none", "~root"};
    static const int flags[] = {0, GLOB_BRACE, GLOB_BRACE | GLOB_NOMAGIC, GLOB_NOCHECK | GLOB_BRACE, GLOB_TILDE};
    for (size_t k = 0; k < 6; k++) {
        for (size_t n = 0; n < 5; n++) {
            glob_t g = {0};
            int error = glob(globs[k], flags[n], 0, &g);
            printf("%s %d: %d", globs[k], flags[n], error);
            for (size_t m = 0; !error && m < g.gl_pathc; m++) printf(" %s", g.gl_pathv[m]);
            putchar('\n');
            if (!error) globfree(&g);
        }
    }
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%c.txt", 'a' + k);
        unlink(path);
    }
    rmdir(folder);
    printf("%ld %ld %ld %ld\n", sysconf(_SC_PAGESIZE), sysconf(_SC_ARG_MAX), sysconf(_SC_NGROUPS_MAX), sysconf(_SC_LINE_MAX));
    return 0;
}
