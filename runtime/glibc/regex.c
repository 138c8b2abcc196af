/* The functions of <regex.h>: POSIX's and GNU's. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "glibc.h"
#include "regex.h"

#define POSIX_COMMON (CHAR_CLASSES | DOT_NEWLINE | DOT_NOT_NULL | INTERVALS | NO_EMPTY_RANGES)
#define POSIX_BASIC (POSIX_COMMON | BK_PLUS_QM | CONTEXT_INVALID_DUP)
#define POSIX_EXTENDED                                                                                       \
    (POSIX_COMMON | CONTEXT_INDEP_ANCHORS | CONTEXT_INDEP_OPS | NO_BK_BRACES | NO_BK_PARENS | NO_BK_VBAR |    \
     CONTEXT_INVALID_OPS | UNMATCHED_RIGHT_PAREN_ORD)

enum { C_EXTENDED = 1, C_ICASE = 2, C_NEWLINE = 4, C_NOSUB = 8 };
enum { E_NOTBOL = 1, E_NOTEOL = 2, E_STARTEND = 4 };
enum { REGISTERS_NEW, REGISTERS_GROW, REGISTERS_FIXED };

syntax_bits glibc_re_syntax_options;

static const char *const MESSAGES[] = {
    "Success",
    "No match",
    "Invalid regular expression",
    "Invalid collation character",
    "Invalid character class name",
    "Trailing backslash",
    "Invalid back reference",
    "Unmatched [, [^, [:, [., or [=",
    "Unmatched ( or \\(",
    "Unmatched \\{",
    "Invalid content of \\{\\}",
    "Invalid range end",
    "Memory exhausted",
    "Invalid preceding regular expression",
    "Premature end of regular expression",
    "Regular expression too big",
    "Unmatched ) or \\)",
};

static int compile(struct pattern_buffer *b, const char *pattern, size_t length, syntax_bits syntax) {
    struct program *old = b->allocated ? b->program : 0;
    struct program *made;
    int error = glibc_regex_compile(pattern, length, syntax, b->translate, &made);
    glibc_regex_free(old);
    b->program = made;
    b->allocated = b->used = made ? sizeof *made : 0;
    b->syntax = syntax;
    b->groups = made ? (size_t)made->groups : 0;
    b->regs_allocated = REGISTERS_NEW;
    b->can_be_null = b->not_bol = b->not_eol = b->fastmap_accurate = 0;
    return error;
}

int glibc_regcomp(struct pattern_buffer *b, const char *pattern, int flags) {
    syntax_bits syntax = flags & C_EXTENDED ? POSIX_EXTENDED : POSIX_BASIC;
    *b = (struct pattern_buffer){0};
    if (flags & C_ICASE) syntax |= IGNORE_CASE;
    if (flags & C_NEWLINE) {
        syntax = (syntax & ~DOT_NEWLINE) | HAT_LISTS_NOT_NEWLINE;
        b->newline_anchor = 1;
    }
    b->no_sub = (flags & C_NOSUB) != 0;
    int error = compile(b, pattern, strlen(pattern), syntax);
    return error == R_ERPAREN ? R_EPAREN : error;
}

int glibc_regexec(const struct pattern_buffer *b, const char *text, size_t wanted, struct match *matches, int flags) {
    long start = 0, length;
    if (flags & ~(E_NOTBOL | E_NOTEOL | E_STARTEND)) return R_BADPAT;
    if (flags & E_STARTEND) {
        start = matches[0].from;
        length = matches[0].to;
    } else {
        length = (long)strlen(text);
    }
    struct subject s = {(const unsigned char *)text, (const unsigned char *)text + length, flags & E_NOTBOL,
                        flags & E_NOTEOL, b->newline_anchor};
    if (b->no_sub) wanted = 0;
    int found = glibc_regex_match(b->program, &s, start, length, (int)wanted, matches);
    return found > 0 ? R_OK : found < 0 ? R_ESPACE : R_NOMATCH;
}

void glibc_regfree(struct pattern_buffer *b) {
    if (b->allocated) glibc_regex_free(b->program);
    b->program = 0;
    b->allocated = b->used = 0;
    free(b->fastmap);
    b->fastmap = 0;
    free(b->translate);
    b->translate = 0;
}

size_t glibc_regerror(int error, const struct pattern_buffer *b, char *buffer, size_t size) {
    if (error < 0 || error >= (int)(sizeof MESSAGES / sizeof *MESSAGES)) abort();
    const char *text = MESSAGES[error];
    size_t need = strlen(text) + 1;
    if (size) {
        size_t copied = need < size ? need : size;
        memcpy(buffer, text, copied);
        buffer[copied - 1] = 0;
    }
    return need;
}

/* ------------------------------------------------------------ GNU's */

syntax_bits glibc_re_set_syntax(syntax_bits syntax) {
    syntax_bits old = glibc_re_syntax_options;
    glibc_re_syntax_options = syntax;
    return old;
}

int glibc_re_compile_fastmap(struct pattern_buffer *b) {
    if (b->fastmap) memset(b->fastmap, 1, UCHAR_MAX + 1);
    b->fastmap_accurate = 1;
    return 0;
}

const char *glibc_re_compile_pattern(const char *pattern, size_t length, struct pattern_buffer *b) {
    b->no_sub = (glibc_re_syntax_options & NO_SUBEXPRESSIONS) != 0;
    b->newline_anchor = 1;
    int error = compile(b, pattern, length, glibc_re_syntax_options);
    return error ? MESSAGES[error] : 0;
}

void glibc_re_set_registers(struct pattern_buffer *b, struct registers *r, unsigned count, int *from, int *to) {
    b->regs_allocated = count ? REGISTERS_GROW : REGISTERS_NEW;
    *r = count ? (struct registers){count, from, to} : (struct registers){0, 0, 0};
}

/* There is one more than there are groups, and it is always empty. 0: no memory. */
static int copy_registers(struct pattern_buffer *b, struct registers *r, const struct match *found, int count) {
    unsigned need = (unsigned)count + 1;
    if (b->regs_allocated == REGISTERS_NEW) {
        r->from = malloc(need * sizeof *r->from);
        r->to = malloc(need * sizeof *r->to);
        if (!r->from || !r->to) return 0;
        r->count = need;
        b->regs_allocated = REGISTERS_GROW;
    } else if (b->regs_allocated == REGISTERS_GROW && need > r->count) {
        int *from = realloc(r->from, need * sizeof *from), *to = realloc(r->to, need * sizeof *to);
        if (from) r->from = from;
        if (to) r->to = to;
        if (!from || !to) return 0;
        r->count = need;
    }
    for (unsigned k = 0; k < r->count; k++) {
        r->from[k] = k < (unsigned)count ? found[k].from : -1;
        r->to[k] = k < (unsigned)count ? found[k].to : -1;
    }
    return 1;
}

/* The offset of the match, or its length; -1: none, -2: trouble. */
static int search(struct pattern_buffer *b, const char *text, int length, int start, int range, int stop,
                  struct registers *r, int want_length) {
    long last = (long)start + range;
    if (start < 0 || start > length) return -1;
    if (last > length) last = length;
    if (last < 0) last = 0;
    int count = 1;
    if (r && !b->no_sub) {
        count = (int)b->groups + 1;
        if (b->regs_allocated == REGISTERS_FIXED && r->count <= b->groups) count = (int)r->count;
        if (count < 1) r = 0, count = 1;
    }
    struct match *found = malloc((size_t)count * sizeof *found);
    if (!found) return -2;
    struct subject s = {(const unsigned char *)text, (const unsigned char *)text + (stop < length ? stop : length),
                        b->not_bol, b->not_eol, b->newline_anchor};
    int result = 0;
    if (range >= 0) {
        if (start <= stop) result = glibc_regex_match(b->program, &s, start, last < stop ? last : stop, count, found);
    } else {
        for (long at = start; at >= last && result == 0; at--)
            result = glibc_regex_match(b->program, &s, at, at, count, found);
    }
    int answer = result < 0 ? -2 : result == 0 ? -1 : want_length ? found[0].to - start : found[0].from;
    if (result > 0 && r && !b->no_sub && !copy_registers(b, r, found, count)) answer = -2;
    free(found);
    return answer;
}

int glibc_re_search(struct pattern_buffer *b, const char *text, int length, int start, int range, struct registers *r) {
    return search(b, text, length, start, range, length, r, 0);
}

int glibc_re_match(struct pattern_buffer *b, const char *text, int length, int start, struct registers *r) {
    return search(b, text, length, start, 0, length, r, 1);
}

static int search_two(struct pattern_buffer *b, const char *one, int one_length, const char *two, int two_length,
                      int start, int range, struct registers *r, int stop, int want_length) {
    if (one_length < 0 || two_length < 0 || stop < 0) return -2;
    if (two_length == 0) return search(b, one, one_length, start, range, stop, r, want_length);
    if (one_length == 0) return search(b, two, two_length, start, range, stop, r, want_length);
    char *both = malloc((size_t)one_length + (size_t)two_length);
    if (!both) return -2;
    memcpy(both, one, (size_t)one_length);
    memcpy(both + one_length, two, (size_t)two_length);
    int result = search(b, both, one_length + two_length, start, range, stop, r, want_length);
    free(both);
    return result;
}

int glibc_re_search_2(struct pattern_buffer *b, const char *one, int one_length, const char *two, int two_length,
                      int start, int range, struct registers *r, int stop) {
    return search_two(b, one, one_length, two, two_length, start, range, r, stop, 0);
}

int glibc_re_match_2(struct pattern_buffer *b, const char *one, int one_length, const char *two, int two_length,
                     int start, struct registers *r, int stop) {
    return search_two(b, one, one_length, two, two_length, start, 0, r, stop, 1);
}

/* ------------------------------------------------------------ BSD's */

static struct pattern_buffer compiled;

char *glibc_re_comp(const char *pattern) {
    if (!pattern) return compiled.program ? 0 : "No previous regular expression";
    compiled.newline_anchor = 1;
    int error = compile(&compiled, pattern, strlen(pattern), glibc_re_syntax_options);
    return error ? (char *)MESSAGES[error] : 0;
}

int glibc_re_exec(const char *text) {
    return glibc_regexec(&compiled, text, 0, 0, 0) == 0;
}
