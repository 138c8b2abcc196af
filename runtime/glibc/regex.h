/* Regular expressions as glibc has them: its public structures, and the compiled form that the three sources share. */
#ifndef TANGENT_GLIBC_REGEX_H
#define TANGENT_GLIBC_REGEX_H

#include <stddef.h>

typedef unsigned long syntax_bits;

/* glibc's regex_t. */
struct pattern_buffer {
    struct program *program;
    unsigned long allocated, used;
    syntax_bits syntax;
    char *fastmap;
    unsigned char *translate;
    size_t groups;
    unsigned can_be_null : 1, regs_allocated : 2, fastmap_accurate : 1, no_sub : 1, not_bol : 1, not_eol : 1,
        newline_anchor : 1;
};

/* glibc's regmatch_t and struct re_registers. */
struct match {
    int from, to;
};
struct registers {
    unsigned count;
    int *from, *to;
};

/* The bits of re_set_syntax. */
#define BACKSLASH_ESCAPE_IN_LISTS (1ul << 0)
#define BK_PLUS_QM (1ul << 1)
#define CHAR_CLASSES (1ul << 2)
#define CONTEXT_INDEP_ANCHORS (1ul << 3)
#define CONTEXT_INDEP_OPS (1ul << 4)
#define CONTEXT_INVALID_OPS (1ul << 5)
#define DOT_NEWLINE (1ul << 6)
#define DOT_NOT_NULL (1ul << 7)
#define HAT_LISTS_NOT_NEWLINE (1ul << 8)
#define INTERVALS (1ul << 9)
#define LIMITED_OPS (1ul << 10)
#define NEWLINE_ALT (1ul << 11)
#define NO_BK_BRACES (1ul << 12)
#define NO_BK_PARENS (1ul << 13)
#define NO_BK_REFS (1ul << 14)
#define NO_BK_VBAR (1ul << 15)
#define NO_EMPTY_RANGES (1ul << 16)
#define UNMATCHED_RIGHT_PAREN_ORD (1ul << 17)
#define NO_GNU_OPS (1ul << 19)
#define INVALID_INTERVAL_ORD (1ul << 21)
#define IGNORE_CASE (1ul << 22)
#define CARET_ANCHORS_HERE (1ul << 23)
#define CONTEXT_INVALID_DUP (1ul << 24)
#define NO_SUBEXPRESSIONS (1ul << 25)

enum regex_error {
    R_OK, R_NOMATCH, R_BADPAT, R_ECOLLATE, R_ECTYPE, R_EESCAPE, R_ESUBREG, R_EBRACK, R_EPAREN, R_EBRACE, R_BADBR,
    R_ERANGE, R_ESPACE, R_BADRPT, R_EEND, R_ESIZE, R_ERPAREN
};

#define MOST_REPEATS 0x7fff
#define MOST_NODES 100000

enum node_kind {
    N_CHAR,      /* the character `value` */
    N_ANY,       /* a period */
    N_SET,       /* a character of sets[value] */
    N_ANCHOR,    /* nothing, where the anchor `value` holds */
    N_OPEN,      /* group `value` begins */
    N_CLOSE,     /* group `value` ends */
    N_SPLIT,     /* `next` is tried before `other` */
    N_BACK,      /* what group `value` matched */
    N_MATCH
};
enum anchor { LINE_START, LINE_END, BUFFER_START, BUFFER_END, WORD_START, WORD_END, WORD_EDGE, NO_WORD_EDGE };

struct node {
    enum node_kind kind;
    int value, next, other;
};
struct range {
    int from, to;
};
struct set {
    int negated, count;
    struct range *ranges;
    /* Classes beyond ASCII (wctype), only in a UTF-8 locale. */
    int classes;
    unsigned long class_of[12];
};

struct program {
    struct node *nodes;
    int count, room, start;
    struct set *sets;
    int set_count;
    int groups, has_back;
    /* A character that every match begins with, or -1. */
    int first;
    syntax_bits syntax;
    int utf8, fold;
    const unsigned char *translate;
};

/* A character of the text: a byte, or in a UTF-8 locale a code point; bytes that are none are RAW_BYTE + byte. */
#define RAW_BYTE 0x40000000
int glibc_regex_character(const struct program *p, const unsigned char *at, const unsigned char *end, int *length);
int glibc_regex_fold(const struct program *p, int character);
int glibc_regex_is_word(const struct program *p, int character);

/* 0 and *result, or an error. */
enum regex_error glibc_regex_compile(const char *pattern, size_t length, syntax_bits syntax,
                                     const unsigned char *translate, struct program **result);
void glibc_regex_free(struct program *p);

struct subject {
    const unsigned char *text, *end;
    /* As the pattern has them when it is looked for: programs set them after compiling it. */
    int not_bol, not_eol, newline_anchor;
};
/* Is there a match that begins in [from, last]? Registers are pairs of offsets, `wanted` of them. */
int glibc_regex_match(const struct program *p, const struct subject *s, long from, long last, int wanted,
                      struct match *registers);

#endif
