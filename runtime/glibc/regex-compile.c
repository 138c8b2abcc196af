/* From a regular expression in GNU's syntax to nodes. The parser makes nodes directly: each piece is a range of nodes with
   one beginning and one end that is still open. An interval copies the range, so no tree is needed. */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "regex.h"

enum token {
    T_END, T_CHAR, T_ANY, T_BRACKET, T_OPEN, T_CLOSE, T_ALT, T_STAR, T_PLUS, T_QUESTION, T_BRACE, T_CLOSE_BRACE, T_ANCHOR,
    T_BACK, T_CLASS
};

struct parser {
    struct program *p;
    const unsigned char *start, *at, *end; /* `at` is behind the token. */
    syntax_bits syntax;
    enum token token;
    const unsigned char *token_at;
    int value; /* of the token: character, anchor, group or letter of a class */
    int caret; /* ^ is an anchor here */
    int groups;
    unsigned closed; /* groups that may be referred to */
    int depth;
    enum regex_error error;
};

/* A piece under construction: where it begins and the node whose `next` leads out of it. */
struct piece {
    int first, last;
};
#define NOTHING ((struct piece){-1, -1})

static int add_node(struct parser *r, enum node_kind kind, int value) {
    struct program *p = r->p;
    if (p->count == p->room) {
        int room = p->room ? 2 * p->room : 32;
        struct node *larger = p->count < MOST_NODES ? realloc(p->nodes, (size_t)room * sizeof *larger) : 0;
        if (!larger) {
            r->error = R_ESPACE;
            return 0;
        }
        p->nodes = larger;
        p->room = room;
    }
    p->nodes[p->count] = (struct node){kind, value, -1, -1};
    return p->count++;
}

static struct piece single(struct parser *r, enum node_kind kind, int value) {
    int node = add_node(r, kind, value);
    return (struct piece){node, node};
}

static struct piece join(struct parser *r, struct piece a, struct piece b) {
    if (a.first < 0) return b;
    if (b.first < 0) return a;
    r->p->nodes[a.last].next = b.first;
    return (struct piece){a.first, b.last};
}

/* A node that does nothing: a split with one way. */
static struct piece empty(struct parser *r) {
    return single(r, N_SPLIT, 0);
}

/* ------------------------------------------------------------ tokens */

static void read_token(struct parser *r);

static int is_anchor_end(struct parser *r) {
    struct parser ahead = *r;
    if (r->syntax & CONTEXT_INDEP_ANCHORS || r->at == r->end) return 1;
    read_token(&ahead);
    return ahead.token == T_ALT || ahead.token == T_CLOSE;
}

static void escaped(struct parser *r) {
    syntax_bits s = r->syntax;
    if (r->at == r->end) {
        r->token = T_END;
        r->error = R_EESCAPE;
        return;
    }
    int length, c = glibc_regex_character(r->p, r->at, r->end, &length), gnu = !(s & NO_GNU_OPS);
    r->at += length;
    r->token = T_CHAR;
    r->value = c;
    switch (c) {
    case '|':
        if (!(s & LIMITED_OPS) && !(s & NO_BK_VBAR)) r->token = T_ALT;
        break;
    case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        if (!(s & NO_BK_REFS)) {
            r->token = T_BACK;
            r->value = c - '0';
        }
        break;
    case '(':
        if (!(s & NO_BK_PARENS)) r->token = T_OPEN;
        break;
    case ')':
        if (!(s & NO_BK_PARENS)) r->token = T_CLOSE;
        break;
    case '+':
        if (!(s & LIMITED_OPS) && s & BK_PLUS_QM) r->token = T_PLUS;
        break;
    case '?':
        if (!(s & LIMITED_OPS) && s & BK_PLUS_QM) r->token = T_QUESTION;
        break;
    case '{':
        if (s & INTERVALS && !(s & NO_BK_BRACES)) r->token = T_BRACE;
        break;
    case '}':
        if (s & INTERVALS && !(s & NO_BK_BRACES)) r->token = T_CLOSE_BRACE;
        break;
    case 'w': case 'W': case 's': case 'S':
        if (gnu) r->token = T_CLASS;
        break;
    case '<':
        if (gnu) r->token = T_ANCHOR, r->value = WORD_START;
        break;
    case '>':
        if (gnu) r->token = T_ANCHOR, r->value = WORD_END;
        break;
    case 'b':
        if (gnu) r->token = T_ANCHOR, r->value = WORD_EDGE;
        break;
    case 'B':
        if (gnu) r->token = T_ANCHOR, r->value = NO_WORD_EDGE;
        break;
    case '`':
        if (gnu) r->token = T_ANCHOR, r->value = BUFFER_START;
        break;
    case '\'':
        if (gnu) r->token = T_ANCHOR, r->value = BUFFER_END;
        break;
    }
}

static void read_token(struct parser *r) {
    syntax_bits s = r->syntax;
    int caret = r->caret;
    r->caret = 0;
    r->token_at = r->at;
    if (r->at == r->end) {
        r->token = T_END;
        return;
    }
    int length, c = glibc_regex_character(r->p, r->at, r->end, &length);
    r->at += length;
    r->token = T_CHAR;
    r->value = c;
    switch (c) {
    case '\\':
        escaped(r);
        break;
    case '\n':
        if (s & NEWLINE_ALT) r->token = T_ALT;
        break;
    case '|':
        if (!(s & LIMITED_OPS) && s & NO_BK_VBAR) r->token = T_ALT;
        break;
    case '*':
        r->token = T_STAR;
        break;
    case '+':
        if (!(s & LIMITED_OPS) && !(s & BK_PLUS_QM)) r->token = T_PLUS;
        break;
    case '?':
        if (!(s & LIMITED_OPS) && !(s & BK_PLUS_QM)) r->token = T_QUESTION;
        break;
    case '{':
        if (s & INTERVALS && s & NO_BK_BRACES) r->token = T_BRACE;
        break;
    case '}':
        if (s & INTERVALS && s & NO_BK_BRACES) r->token = T_CLOSE_BRACE;
        break;
    case '(':
        if (s & NO_BK_PARENS) r->token = T_OPEN;
        break;
    case ')':
        if (s & NO_BK_PARENS) r->token = T_CLOSE;
        break;
    case '[':
        r->token = T_BRACKET;
        break;
    case '.':
        r->token = T_ANY;
        break;
    case '^': {
        int here = s & CONTEXT_INDEP_ANCHORS || caret || r->token_at == r->start ||
                   (s & NEWLINE_ALT && r->token_at[-1] == '\n');
        if (here) r->token = T_ANCHOR, r->value = LINE_START;
        break;
    }
    case '$':
        if (is_anchor_end(r)) r->token = T_ANCHOR, r->value = LINE_END;
        break;
    }
}

/* ------------------------------------------------------------ sets */

static struct set *new_set(struct parser *r) {
    struct program *p = r->p;
    struct set *larger = realloc(p->sets, (size_t)(p->set_count + 1) * sizeof *larger);
    if (!larger) {
        r->error = R_ESPACE;
        return 0;
    }
    p->sets = larger;
    larger[p->set_count] = (struct set){0};
    return larger + p->set_count++;
}

static void add_range(struct parser *r, struct set *s, int from, int to) {
    if ((s->count & (s->count - 1)) == 0) {
        struct range *larger = realloc(s->ranges, (size_t)(s->count ? 2 * s->count : 1) * sizeof *larger);
        if (!larger) {
            r->error = R_ESPACE;
            return;
        }
        s->ranges = larger;
    }
    s->ranges[s->count++] = (struct range){from, to};
}

static int in_class(const char *name, int c) {
    wctype_t class = wctype(name);
    return c < 128 && iswctype((wint_t)c, class);
}

static void add_class(struct parser *r, struct set *s, const char *name) {
    if (r->syntax & IGNORE_CASE && (!strcmp(name, "upper") || !strcmp(name, "lower"))) name = "alpha";
    for (int c = 0; c < 128; c++) {
        int from = c;
        while (c < 128 && in_class(name, c)) c++;
        if (c > from) add_range(r, s, from, c - 1);
    }
    if (r->p->utf8 && s->classes < 12) s->class_of[s->classes++] = wctype(name);
}

static void close_set(struct parser *r, struct set *s) {
    if (s->negated && r->syntax & HAT_LISTS_NOT_NEWLINE) add_range(r, s, '\n', '\n');
    if (!(r->p->fold)) return;
    /* The text is folded to lower case, so the set has to be. */
    for (int k = 0, count = s->count; k < count; k++) {
        int to = s->ranges[k].to, from = s->ranges[k].from;
        if (to - from > 1024) to = from + 1024;
        for (int c = from; c <= to; c++) {
            int other = glibc_regex_fold(r->p, c);
            if (other != c) add_range(r, s, other, other);
        }
    }
}

/* A class or letter of GNU's: \w \W \s \S. */
static struct piece class_piece(struct parser *r, int letter) {
    struct set *s = new_set(r);
    if (!s) return NOTHING;
    s->negated = letter == 'W' || letter == 'S';
    if ((letter | 32) == 'w') {
        add_class(r, s, "alnum");
        add_range(r, s, '_', '_');
    } else {
        add_class(r, s, "space");
    }
    return single(r, N_SET, (int)(s - r->p->sets));
}

#define LONGEST_NAME 32
/* Reads [:name:] and its like behind the bracket and the mark; 0 if it does not end. */
static int bracket_name(struct parser *r, int mark, char name[LONGEST_NAME]) {
    const unsigned char *at = r->at + 2;
    int length = 0;
    for (; at + 1 < r->end; at++) {
        if (*at == mark && at[1] == ']') {
            name[length] = 0;
            r->at = at + 2;
            return 1;
        }
        if (length == LONGEST_NAME - 1) return 0;
        name[length++] = (char)*at;
    }
    return 0;
}

static const char *const CLASS_NAMES[] = {"alpha", "upper", "lower", "digit", "xdigit", "space",
                                          "punct", "alnum", "print", "graph", "cntrl", "blank"};

/* One end of a range or a single element. CLASS if it was a whole class. */
#define CLASS (-2)
static int bracket_element(struct parser *r, struct set *s) {
    char name[LONGEST_NAME];
    int length, c = glibc_regex_character(r->p, r->at, r->end, &length);
    int mark = c == '[' && r->at + 1 < r->end ? r->at[1] : 0;
    if (mark == ':' && r->syntax & CHAR_CLASSES) {
        if (!bracket_name(r, ':', name)) {
            r->at += length;
            return c;
        }
        for (size_t k = 0; k < sizeof CLASS_NAMES / sizeof *CLASS_NAMES; k++) {
            if (strcmp(name, CLASS_NAMES[k])) continue;
            add_class(r, s, CLASS_NAMES[k]);
            return CLASS;
        }
        r->error = R_ECTYPE;
        return CLASS;
    }
    if (mark == '.' || mark == '=') {
        if (!bracket_name(r, mark, name)) {
            r->error = R_EBRACK;
            return CLASS;
        }
        const unsigned char *text = (const unsigned char *)name;
        c = glibc_regex_character(r->p, text, text + strlen(name), &length);
        if (!*name || name[length]) {
            r->error = R_ECOLLATE;
            return CLASS;
        }
        return c;
    }
    r->at += length;
    if (c == '\\' && r->syntax & BACKSLASH_ESCAPE_IN_LISTS && r->at < r->end) {
        c = glibc_regex_character(r->p, r->at, r->end, &length);
        r->at += length;
    }
    return c;
}

static struct piece bracket(struct parser *r) {
    struct set *s = new_set(r);
    int first = 1;
    if (!s) return NOTHING;
    int index = (int)(s - r->p->sets);
    if (r->at < r->end && *r->at == '^') {
        s->negated = 1;
        r->at++;
    }
    for (;; first = 0) {
        if (r->at == r->end) r->error = first ? R_BADPAT : R_EBRACK;
        if (r->error) return NOTHING;
        if (*r->at == ']' && !first) {
            r->at++;
            break;
        }
        int from = bracket_element(r, s), to = from;
        if (r->error) return NOTHING;
        if (r->at + 1 < r->end && *r->at == '-' && r->at[1] != ']') {
            if (from == CLASS) {
                r->error = R_ERANGE;
                return NOTHING;
            }
            r->at++;
            to = bracket_element(r, s);
            if (r->error) return NOTHING;
            if (to == CLASS || (to < from && r->syntax & NO_EMPTY_RANGES)) {
                r->error = R_ERANGE;
                return NOTHING;
            }
            if (to < from) continue;
        }
        if (from != CLASS) add_range(r, s, from, to);
    }
    close_set(r, s);
    return single(r, N_SET, index);
}

/* ------------------------------------------------------------ expressions */

static struct piece alternatives(struct parser *r);

static struct piece group(struct parser *r) {
    int number = ++r->groups;
    struct piece open = single(r, N_OPEN, number);
    if (++r->depth > 4000) r->error = R_ESPACE;
    r->caret = 1;
    read_token(r);
    struct piece inner = r->token == T_CLOSE ? NOTHING : alternatives(r);
    r->depth--;
    if (r->error) return NOTHING;
    if (r->token != T_CLOSE) {
        r->error = R_EPAREN;
        return NOTHING;
    }
    if (number <= 9) r->closed |= 1u << number;
    return join(r, join(r, open, inner), single(r, N_CLOSE, number));
}

/* `first` to `last` of {first,last}; -1 for no limit. 0: it is no interval. */
static int interval(struct parser *r, int *first, int *last) {
    const unsigned char *at = r->at;
    int digits = 0;
    *first = 0;
    for (; at < r->end && isdigit(*at); at++, digits = 1)
        if (*first <= MOST_REPEATS) *first = *first * 10 + (*at - '0');
    *last = *first;
    if (at < r->end && *at == ',') {
        at++;
        *last = -1;
        for (; at < r->end && isdigit(*at); at++) {
            if (*last < 0) *last = 0;
            if (*last <= MOST_REPEATS) *last = *last * 10 + (*at - '0');
        }
        digits = 1;
    }
    int bare = (r->syntax & NO_BK_BRACES) != 0;
    int closed = at < r->end && (bare ? *at == '}' : *at == '\\' && at + 1 < r->end && at[1] == '}');
    /* `{}` and `{1,2,3}` are wrong in every syntax; other texts may be no intervals. */
    if ((closed && !digits) || (digits && at < r->end && *at == ',')) {
        r->error = R_BADBR;
        return 0;
    }
    if (!closed) {
        /* What is wrong is said by what ends it. */
        while (at < r->end && *at != ',' && *at != '}') at++;
        if (!(r->syntax & INVALID_INTERVAL_ORD)) r->error = at >= r->end ? R_EBRACE : R_BADBR;
        return 0;
    }
    r->at = at + (bare ? 1 : 2);
    if (*last >= 0 && *first > *last)
        r->error = R_BADBR;
    else if (*first > MOST_REPEATS || *last > MOST_REPEATS)
        r->error = R_ESIZE;
    return 1;
}

static int copy_nodes(struct parser *r, int from, int to) {
    int base = r->p->count;
    for (int k = from; k < to && !r->error; k++) {
        struct node old = r->p->nodes[k];
        int node = add_node(r, old.kind, old.value);
        if (r->error) break;
        r->p->nodes[node].next = old.next < 0 ? -1 : old.next - from + base;
        r->p->nodes[node].other = old.other < 0 ? -1 : old.other - from + base;
    }
    return base - from;
}

/* `again` or nothing, `again` any number of times: what a split before and a way back make of a piece. */
static struct piece optional(struct parser *r, struct piece inner) {
    struct piece split = single(r, N_SPLIT, 0), out = empty(r);
    if (r->error) return NOTHING;
    struct node *nodes = r->p->nodes;
    nodes[split.first].next = inner.first;
    nodes[split.first].other = out.first;
    nodes[inner.last].next = out.first;
    return (struct piece){split.first, out.last};
}

static struct piece any_number(struct parser *r, struct piece inner) {
    struct piece split = single(r, N_SPLIT, 1), out = empty(r);
    if (r->error) return NOTHING;
    struct node *nodes = r->p->nodes;
    nodes[split.first].next = inner.first;
    nodes[split.first].other = out.first;
    nodes[inner.last].next = split.first;
    return (struct piece){split.first, out.last};
}

/* The nodes [from, to) are the piece and nothing else. */
static struct piece repeat(struct parser *r, struct piece inner, int from, int to, int first, int last) {
    struct piece whole = NOTHING;
    int copies = last >= 0 ? last : first ? first : 1;
    if (last == 0) return empty(r);
    /* The copies are made of the piece while it is untouched. */
    struct piece *pieces = malloc((size_t)copies * sizeof *pieces);
    if (!pieces) {
        r->error = R_ESPACE;
        return NOTHING;
    }
    pieces[0] = inner;
    for (int k = 1; k < copies && !r->error; k++) {
        int shift = copy_nodes(r, from, to);
        pieces[k] = (struct piece){inner.first + shift, inner.last + shift};
    }
    if (!r->error) {
        if (last < 0) {
            /* x{2,} is x x x*: the last copy repeats itself. */
            for (int k = 0; k < copies - 1; k++) whole = join(r, whole, pieces[k]);
            struct piece end = pieces[copies - 1];
            if (first == 0) {
                whole = join(r, whole, any_number(r, end));
            } else {
                struct piece split = single(r, N_SPLIT, 1), out = empty(r);
                if (!r->error) {
                    struct node *nodes = r->p->nodes;
                    nodes[split.first].next = end.first;
                    nodes[split.first].other = out.first;
                    nodes[end.last].next = split.first;
                    whole = join(r, whole, (struct piece){end.first, out.last});
                }
            }
        } else {
            /* x{1,3} is x(x(x)?)?, from the inside. */
            struct piece tail = NOTHING;
            for (int k = last - 1; k >= first && !r->error; k--) tail = optional(r, join(r, pieces[k], tail));
            for (int k = 0; k < first; k++) whole = join(r, whole, pieces[k]);
            whole = join(r, whole, tail);
        }
    }
    free(pieces);
    return r->error ? NOTHING : whole;
}

static int is_repetition(enum token token) {
    return token == T_STAR || token == T_PLUS || token == T_QUESTION || token == T_BRACE;
}

static struct piece literal(struct parser *r, int c) {
    return single(r, N_CHAR, glibc_regex_fold(r->p, c));
}

/* An operator where an expression should begin: an error, nothing, or a character. 1: read on. */
static int misplaced(struct parser *r) {
    if (r->token == T_BRACE && r->syntax & CONTEXT_INVALID_DUP) {
        r->error = R_BADRPT;
        return 0;
    }
    if (r->syntax & CONTEXT_INVALID_OPS) {
        r->error = R_BADRPT;
        return 0;
    }
    return (r->syntax & CONTEXT_INDEP_OPS) != 0;
}

static struct piece expression(struct parser *r) {
    struct piece piece;
    int from = r->p->count;
    while (is_repetition(r->token) && misplaced(r) && !r->error) read_token(r);
    if (r->error) return NOTHING;
    switch (r->token) {
    case T_OPEN:
        piece = group(r);
        break;
    case T_BRACKET:
        piece = bracket(r);
        break;
    case T_ANY:
        piece = single(r, N_ANY, 0);
        break;
    case T_CLASS:
        piece = class_piece(r, r->value);
        break;
    case T_BACK:
        if (!(r->closed & 1u << r->value)) {
            r->error = R_ESUBREG;
            return NOTHING;
        }
        r->p->has_back = 1;
        piece = single(r, N_BACK, r->value);
        break;
    case T_ANCHOR:
        piece = single(r, N_ANCHOR, r->value);
        /* An operator cannot follow an anchor: what comes next begins anew. */
        read_token(r);
        return piece;
    case T_CLOSE:
        if (!(r->syntax & UNMATCHED_RIGHT_PAREN_ORD)) {
            r->error = R_ERPAREN;
            return NOTHING;
        }
        piece = literal(r, ')');
        break;
    case T_ALT:
    case T_END:
        return NOTHING;
    case T_BRACE:
        piece = literal(r, '{');
        break;
    case T_CLOSE_BRACE:
        piece = literal(r, '}');
        break;
    default:
        piece = literal(r, r->value);
    }
    if (r->error) return NOTHING;
    read_token(r);
    while (is_repetition(r->token) && !r->error) {
        int first = r->token == T_PLUS, last = r->token == T_QUESTION ? 1 : -1, to = r->p->count;
        if (r->token == T_BRACE) {
            const unsigned char *brace = r->token_at;
            if (!interval(r, &first, &last)) {
                if (r->error) return NOTHING;
                r->at = brace + ((r->syntax & NO_BK_BRACES) ? 1 : 2);
                r->token = T_CHAR;
                r->value = '{';
                break;
            }
            if (r->error) return NOTHING;
        }
        piece = repeat(r, piece, from, to, first, last);
        if (r->error) return NOTHING;
        read_token(r);
        if (r->syntax & CONTEXT_INVALID_DUP && (r->token == T_STAR || r->token == T_BRACE)) {
            r->error = R_BADRPT;
            return NOTHING;
        }
    }
    return piece;
}

static struct piece branch(struct parser *r) {
    struct piece whole = NOTHING;
    while (r->token != T_ALT && r->token != T_END && !r->error) {
        if (r->token == T_CLOSE && r->depth > 0) break;
        whole = join(r, whole, expression(r));
    }
    return whole;
}

static struct piece alternatives(struct parser *r) {
    struct piece whole = branch(r);
    while (r->token == T_ALT && !r->error) {
        r->caret = 1;
        read_token(r);
        struct piece other = branch(r);
        struct piece split = single(r, N_SPLIT, 0), out = empty(r);
        if (r->error) return NOTHING;
        struct node *nodes = r->p->nodes;
        nodes[split.first].next = whole.first < 0 ? out.first : whole.first;
        nodes[split.first].other = other.first < 0 ? out.first : other.first;
        if (whole.first >= 0) nodes[whole.last].next = out.first;
        if (other.first >= 0) nodes[other.last].next = out.first;
        whole = (struct piece){split.first, out.last};
    }
    return whole;
}

/* The character that every match begins with, if there is just one. */
static int first_character(const struct program *p) {
    int at = p->start;
    for (int steps = 0; steps < p->count; steps++) {
        const struct node *n = p->nodes + at;
        if (n->kind == N_CHAR) return n->value;
        if (n->kind != N_OPEN && !(n->kind == N_SPLIT && n->other < 0)) return -1;
        at = n->next;
    }
    return -1;
}

void glibc_regex_free(struct program *p) {
    if (!p) return;
    for (int k = 0; k < p->set_count; k++) free(p->sets[k].ranges);
    free(p->sets);
    free(p->nodes);
    free(p);
}

enum regex_error glibc_regex_compile(const char *pattern, size_t length, syntax_bits syntax,
                                     const unsigned char *translate, struct program **result) {
    struct program *p = calloc(1, sizeof *p);
    *result = 0;
    if (!p) return R_ESPACE;
    p->syntax = syntax;
    p->utf8 = MB_CUR_MAX > 1;
    p->fold = (syntax & IGNORE_CASE) != 0;
    p->translate = translate;
    const unsigned char *start = (const unsigned char *)pattern;
    struct parser r = {.p = p, .start = start, .at = start, .end = start + length, .syntax = syntax};
    read_token(&r);
    struct piece whole = r.error ? NOTHING : alternatives(&r);
    struct piece match = single(&r, N_MATCH, 0);
    whole = join(&r, whole, match);
    if (r.error) {
        glibc_regex_free(p);
        return r.error;
    }
    p->start = whole.first;
    p->groups = r.groups;
    p->first = first_character(p);
    *result = p;
    return R_OK;
}
