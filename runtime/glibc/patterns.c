/* Patterns of file names: ksh's alternatives for fnmatch (FNM_EXTMATCH), braces for glob (GLOB_BRACE). All else is our
   libc's. */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "glibc.h"

#define GNU_EXTMATCH 32

/* Where the group that opens at `at` closes, or null. */
static const char *group_end(const char *at) {
    int depth = 0;
    for (; *at; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == '(')
            depth++;
        else if (*at == ')' && --depth == 0)
            return at;
    }
    return 0;
}

static const char *find_group(const char *pattern) {
    for (const char *at = pattern; *at; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (strchr("?*+@!", *at) && at[1] == '(' && group_end(at + 1))
            return at;
    }
    return 0;
}

static int matches(const char *pattern, const char *text, size_t length, int flags, int depth);

/* Does the text up to `length` match one of the alternatives between the parentheses? */
static int one_of(const char *from, const char *to, const char *text, size_t length, int flags, int depth) {
    for (const char *at = from;;) {
        const char *end = at;
        for (int nested = 0; end < to; end++) {
            if (*end == '\\' && end + 1 < to)
                end++;
            else if (*end == '(')
                nested++;
            else if (*end == ')')
                nested--;
            else if (*end == '|' && nested == 0)
                break;
        }
        char *alternative = strndup(at, (size_t)(end - at));
        int found = alternative && matches(alternative, text, length, flags, depth + 1);
        free(alternative);
        if (found) return 1;
        if (end >= to) return 0;
        at = end + 1;
    }
}

/* The group any number of times, then the rest. */
static int repeated(const char *from, const char *to, const char *rest, const char *text, size_t length, int flags,
                    int depth) {
    if (matches(rest, text, length, flags, depth + 1)) return 1;
    for (size_t part = 1; part <= length; part++)
        if (one_of(from, to, text, part, flags, depth) &&
            repeated(from, to, rest, text + part, length - part, flags, depth + 1))
            return 1;
    return 0;
}

static int matches(const char *pattern, const char *text, size_t length, int flags, int depth) {
    if (depth > 200) return 0;
    const char *group = find_group(pattern);
    char *piece = strndup(text, length);
    int found = 0;
    if (!piece) return 0;
    if (!group) {
        found = fnmatch(pattern, piece, flags) == 0;
        free(piece);
        return found;
    }
    char *before = strndup(pattern, (size_t)(group - pattern));
    const char *from = group + 2, *to = group_end(group + 1), *rest = to + 1;
    for (size_t head = 0; head <= length && !found; head++) {
        piece[head] = 0;
        int fits = *before ? fnmatch(before, piece, flags) == 0 : head == 0;
        if (head < length) piece[head] = text[head];
        if (!fits) continue;
        const char *left = text + head;
        size_t size = length - head;
        switch (*group) {
        case '*':
            found = repeated(from, to, rest, left, size, flags, depth);
            break;
        case '+':
            for (size_t part = 0; part <= size && !found; part++)
                found = one_of(from, to, left, part, flags, depth) &&
                        repeated(from, to, rest, left + part, size - part, flags, depth + 1);
            break;
        case '?':
            found = matches(rest, left, size, flags, depth + 1);
            /* fall through */
        case '@':
            for (size_t part = 0; part <= size && !found; part++)
                found = one_of(from, to, left, part, flags, depth) &&
                        matches(rest, left + part, size - part, flags, depth + 1);
            break;
        default:
            for (size_t part = 0; part <= size && !found; part++)
                found = !one_of(from, to, left, part, flags, depth) &&
                        matches(rest, left + part, size - part, flags, depth + 1);
        }
    }
    free(before);
    free(piece);
    return found;
}

int glibc_fnmatch(const char *pattern, const char *text, int flags) {
    if (!(flags & GNU_EXTMATCH) || !find_group(pattern)) return fnmatch(pattern, text, flags & ~GNU_EXTMATCH);
    return matches(pattern, text, strlen(text), flags & ~GNU_EXTMATCH, 0) ? 0 : FNM_NOMATCH;
}

/* ------------------------------------------------------------ glob */

enum { GNU_BRACE = 1 << 10, GNU_NOMAGIC = 1 << 11, GNU_ONLYDIR = 1 << 13, GNU_MAGCHAR = 1 << 8, GNU_PERIOD = 1 << 7,
       GNU_ALTDIRFUNC = 1 << 9, GNU_TILDE_CHECK = 1 << 14 };
#define OURS (GLOB_ERR | GLOB_MARK | GLOB_NOSORT | GLOB_DOOFFS | GLOB_NOCHECK | GLOB_APPEND | GLOB_NOESCAPE | GNU_PERIOD | GLOB_TILDE)

static int has_magic(const char *pattern) {
    return strpbrk(pattern, "*?[") != 0;
}

int glibc_glob_pattern_p(const char *pattern, int quote) {
    return has_magic(pattern);
}

static int plain_glob(const char *pattern, int flags, int (*complain)(const char *, int), glob_t *result) {
    int ours = flags & OURS;
    if (flags & GNU_TILDE_CHECK) ours |= GLOB_TILDE;
    if (flags & GNU_NOMAGIC && !has_magic(pattern)) ours |= GLOB_NOCHECK;
    return glob(pattern, ours, complain, result);
}

/* Each alternative of the first braces, in order. */
static int brace_glob(const char *pattern, int flags, int (*complain)(const char *, int), glob_t *result, int *any) {
    const char *open = strchr(pattern, '{'), *close = 0;
    if (open && open[1] == '}') open = 0;
    int depth = 0;
    for (const char *at = open; at && *at && !close; at++) {
        if (*at == '{') depth++;
        if (*at == '}' && --depth == 0) close = at;
    }
    if (!close) {
        int error = plain_glob(pattern, flags | (*any ? GLOB_APPEND : 0), complain, result);
        if (error == 0) *any = 1;
        return error == GLOB_NOMATCH ? 0 : error;
    }
    for (const char *at = open + 1; at <= close;) {
        const char *end = at;
        for (depth = 0; end < close && !(*end == ',' && depth == 0); end++) depth += (*end == '{') - (*end == '}');
        size_t head = (size_t)(open - pattern), middle = (size_t)(end - at);
        char *one = malloc(head + middle + strlen(close));
        if (!one) return GLOB_NOSPACE;
        memcpy(one, pattern, head);
        memcpy(one + head, at, middle);
        strcpy(one + head + middle, close + 1);
        int error = brace_glob(one, flags, complain, result, any);
        free(one);
        if (error) return error;
        at = end + 1;
    }
    return 0;
}

int glibc_glob(const char *pattern, int flags, int (*complain)(const char *, int), glob_t *result) {
    if (!(flags & GNU_BRACE) || !strchr(pattern, '{')) return plain_glob(pattern, flags, complain, result);
    int any = (flags & GLOB_APPEND) != 0, before = any;
    int error = brace_glob(pattern, flags & ~(GLOB_NOCHECK | GLOB_APPEND | GNU_NOMAGIC), complain, result, &any);
    if (error || any != before || before) return error;
    if (flags & (GLOB_NOCHECK | GNU_NOMAGIC)) return glob(pattern, (flags & OURS) | GLOB_NOCHECK, complain, result);
    return GLOB_NOMATCH;
}
