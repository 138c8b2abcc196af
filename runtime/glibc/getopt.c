/* Options of the command line, with glibc's order, abbreviations and words. Operands found before options are kept as a
   range of argv, [first, last), which is moved behind the options that follow it: rotated, so that nothing is lost. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glibc.h"

enum order { PERMUTE, IN_ORDER, STOP_AT_OPERAND };

static char *rest; /* What is left of the word that short options are taken from. */
static int first, last, started;
static enum order order;

static int is_operand(const char *word) {
    return word[0] != '-' || word[1] == 0;
}

static void reverse(char **words, int from, int to) {
    for (to--; from < to; from++, to--) {
        char *kept = words[from];
        words[from] = words[to];
        words[to] = kept;
    }
}

/* The operands [first, last) and the options [last, optind) change places. */
static void move_operands(char **words) {
    int options = optind - last;
    reverse(words, first, last);
    reverse(words, last, optind);
    reverse(words, first, optind);
    first += options;
    last = optind;
}

static void start(const char *letters, int posix) {
    if (optind == 0) optind = 1;
    first = last = optind;
    rest = 0;
    if (*letters == '-')
        order = IN_ORDER;
    else if (*letters == '+' || posix || getenv("POSIXLY_CORRECT"))
        order = STOP_AT_OPERAND;
    else
        order = PERMUTE;
    started = 1;
}

static int same_meaning(const struct option *a, const struct option *b) {
    return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

static void tell_candidates(const char *program, const char *name, size_t length, const struct option *options,
                            const char *dashes) {
    fprintf(glibc_stderr, "%s: option '%s%s' is ambiguous; possibilities:", program, dashes, name);
    for (const struct option *o = options; o->name; o++)
        if (!strncmp(o->name, name, length)) fprintf(glibc_stderr, " '%s%s'", dashes, o->name);
    putc('\n', glibc_stderr);
}

/* -1: not a long option after all, which only getopt_long_only says. */
static int long_option(int count, char **words, const char *letters, const struct option *options, int *index,
                       int only_long, int tell, const char *dashes) {
    const char *name = rest, *end = strchrnul(name, '=');
    size_t length = (size_t)(end - name);
    const struct option *chosen = 0;
    int ambiguous = 0;
    for (const struct option *o = options; o->name && !chosen; o++)
        if (!strncmp(o->name, name, length) && o->name[length] == 0) chosen = o;
    if (!chosen) {
        for (const struct option *o = options; o->name; o++) {
            if (strncmp(o->name, name, length)) continue;
            if (!chosen)
                chosen = o;
            else if (only_long || !same_meaning(chosen, o))
                ambiguous = 1;
        }
    }
    if (ambiguous) {
        if (tell) tell_candidates(words[0], name, length, options, dashes);
        rest = rest + strlen(rest);
        optind++;
        optopt = 0;
        return '?';
    }
    if (!chosen) {
        if (only_long && words[optind][1] != '-' && strchr(letters, *name)) return -1;
        if (tell) fprintf(glibc_stderr, "%s: unrecognized option '%s%s'\n", words[0], dashes, name);
        rest = 0;
        optind++;
        optopt = 0;
        return '?';
    }
    optind++;
    rest = 0;
    if (*end) {
        if (!chosen->has_arg) {
            if (tell) fprintf(glibc_stderr, "%s: option '%s%s' doesn't allow an argument\n", words[0], dashes, chosen->name);
            optopt = chosen->val;
            return '?';
        }
        optarg = (char *)end + 1;
    } else if (chosen->has_arg == required_argument) {
        if (optind >= count) {
            if (tell) fprintf(glibc_stderr, "%s: option '%s%s' requires an argument\n", words[0], dashes, chosen->name);
            optopt = chosen->val;
            return *letters == ':' ? ':' : '?';
        }
        optarg = words[optind++];
    }
    if (index) *index = (int)(chosen - options);
    if (!chosen->flag) return chosen->val;
    *chosen->flag = chosen->val;
    return 0;
}

/* Puts optind at the next word with options. 0: there is none, or it is an operand to be returned (1). */
static int next_word(int count, char **words) {
    if (last > optind) last = optind;
    if (first > optind) first = optind;
    if (order == PERMUTE) {
        if (first != last && last != optind)
            move_operands(words);
        else if (last != optind)
            first = optind;
        while (optind < count && is_operand(words[optind])) optind++;
        last = optind;
    }
    if (optind < count && !strcmp(words[optind], "--")) {
        optind++;
        if (first != last && last != optind)
            move_operands(words);
        else if (first == last)
            first = optind;
        last = count;
        optind = count;
    }
    if (optind >= count) {
        if (first != last) optind = first;
        return -1;
    }
    if (!is_operand(words[optind])) return 0;
    if (order == STOP_AT_OPERAND) return -1;
    optarg = words[optind++];
    return 1;
}

static int parse(int count, char **words, const char *letters, const struct option *options, int *index, int only_long,
                 int posix) {
    int tell = opterr;
    if (count < 1) return -1;
    optarg = 0;
    if (optind == 0 || !started) start(letters, posix);
    if (*letters == '-' || *letters == '+') letters++;
    if (*letters == ':') tell = 0;
    if (!rest || !*rest) {
        int found = next_word(count, words);
        if (found) return found;
        const char *word = words[optind];
        if (options && word[1] == '-') {
            rest = (char *)word + 2;
            return long_option(count, words, letters, options, index, only_long, tell, "--");
        }
        if (options && only_long && (word[2] || !strchr(letters, word[1]))) {
            rest = (char *)word + 1;
            int result = long_option(count, words, letters, options, index, only_long, tell, "-");
            if (result != -1) return result;
        }
        rest = (char *)word + 1;
    }
    char letter = *rest++;
    const char *known = strchr(letters, letter);
    if (!*rest) optind++;
    if (!known || letter == ':' || letter == ';') {
        if (tell) fprintf(glibc_stderr, "%s: invalid option -- '%c'\n", words[0], letter);
        optopt = letter;
        return '?';
    }
    if (letter == 'W' && known[1] == ';' && options) {
        if (!*rest) {
            if (optind == count) {
                if (tell) fprintf(glibc_stderr, "%s: option requires an argument -- '%c'\n", words[0], letter);
                optopt = letter;
                return *letters == ':' ? ':' : '?';
            }
            rest = words[optind];
        }
        optarg = 0;
        return long_option(count, words, letters, options, index, 0, tell, "-W ");
    }
    if (known[1] == ':') {
        if (*rest) {
            optarg = rest;
            optind++;
        } else if (known[2] != ':') {
            if (optind == count) {
                if (tell) fprintf(glibc_stderr, "%s: option requires an argument -- '%c'\n", words[0], letter);
                optopt = letter;
                letter = *letters == ':' ? ':' : '?';
            } else {
                optarg = words[optind++];
            }
        }
        rest = 0;
    }
    return letter;
}

int glibc_getopt(int count, char *const *words, const char *letters) {
    return parse(count, (char **)words, letters, 0, 0, 0, 0);
}
int glibc___posix_getopt(int count, char *const *words, const char *letters) {
    return parse(count, (char **)words, letters, 0, 0, 0, 1);
}
int glibc_getopt_long(int count, char *const *words, const char *letters, const struct option *options, int *index) {
    return parse(count, (char **)words, letters, options, index, 0, 0);
}
int glibc_getopt_long_only(int count, char *const *words, const char *letters, const struct option *options,
                           int *index) {
    return parse(count, (char **)words, letters, options, index, 1, 0);
}
