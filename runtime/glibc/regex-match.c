/* Matching. Where the leftmost longest match lies is found by walking all ways through the nodes at once, each with the
   place where it began; a way that began earlier displaces one that began later. Then the groups are found by trying the
   ways to that end one after the other, in the order in which glibc prefers them. Back-references need the second walk
   for everything. Input is compared by plain branches: a byte against a character, or against the ends of ranges. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "regex.h"

/* 0 if no character begins here. */
static int decode(const unsigned char *at, const unsigned char *end, int *length) {
    unsigned c = *at;
    int more = c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : 0;
    if (!more || end - at <= more) return 0;
    int value = (int)(c & (0x3fu >> more));
    for (int k = 1; k <= more; k++) {
        if ((at[k] & 0xc0) != 0x80) return 0;
        value = value << 6 | (at[k] & 0x3f);
    }
    if (value < (more == 2 ? 0x800 : more == 3 ? 0x10000 : 0x80) || value > 0x10ffff) return 0;
    if (value >= 0xd800 && value < 0xe000) return 0;
    *length = more + 1;
    return value;
}

int glibc_regex_character(const struct program *p, const unsigned char *at, const unsigned char *end, int *length) {
    int c = *at;
    *length = 1;
    if (!p->utf8) return p->translate ? p->translate[c] : c;
    if (c < 0x80) return p->translate ? p->translate[c] : c;
    int value = decode(at, end, length);
    return value ? value : RAW_BYTE + c;
}

int glibc_regex_fold(const struct program *p, int c) {
    if (!p->fold) return c;
    if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    if (!p->utf8 || c >= RAW_BYTE) return c;
    return (int)towlower((wint_t)c);
}

int glibc_regex_is_word(const struct program *p, int c) {
    if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    return p->utf8 && c < RAW_BYTE && iswalnum((wint_t)c);
}

static int in_set(const struct program *p, const struct set *s, int c) {
    if (c >= RAW_BYTE) return 0;
    for (int k = 0; k < s->count; k++)
        if (c >= s->ranges[k].from && c <= s->ranges[k].to) return !s->negated;
    if (c >= 0x80)
        for (int k = 0; k < s->classes; k++)
            if (iswctype((wint_t)c, s->class_of[k])) return !s->negated;
    return s->negated;
}

static int accepts(const struct program *p, const struct node *n, int c) {
    switch (n->kind) {
    case N_CHAR:
        return c == n->value;
    case N_ANY:
        if (c >= RAW_BYTE) return 0;
        if (c == '\n' && !(p->syntax & DOT_NEWLINE)) return 0;
        return c != 0 || !(p->syntax & DOT_NOT_NULL);
    case N_SET:
        return in_set(p, p->sets + n->value, c);
    default:
        return 0;
    }
}

/* ------------------------------------------------------------ anchors */

static int character_before(const struct program *p, const struct subject *s, const unsigned char *at) {
    int length;
    const unsigned char *start = at - 1;
    if (p->utf8)
        while (start > s->text && at - start < 4 && (*start & 0xc0) == 0x80) start--;
    int c = glibc_regex_character(p, start, at, &length);
    return start + length == at ? c : glibc_regex_character(p, at - 1, at, &length);
}

static int word_before(const struct program *p, const struct subject *s, const unsigned char *at) {
    return at > s->text && glibc_regex_is_word(p, character_before(p, s, at));
}

static int word_after(const struct program *p, const struct subject *s, const unsigned char *at) {
    int length;
    return at < s->end && glibc_regex_is_word(p, glibc_regex_character(p, at, s->end, &length));
}

static int holds(const struct program *p, const struct subject *s, int anchor, const unsigned char *at) {
    switch (anchor) {
    case LINE_START:
        if (at == s->text) return !s->not_bol;
        return s->newline_anchor && at[-1] == '\n';
    case LINE_END:
        if (at == s->end) return !s->not_eol;
        return s->newline_anchor && *at == '\n';
    case BUFFER_START:
        return at == s->text;
    case BUFFER_END:
        return at == s->end;
    case WORD_START:
        return !word_before(p, s, at) && word_after(p, s, at);
    case WORD_END:
        return word_before(p, s, at) && !word_after(p, s, at);
    case WORD_EDGE:
        return word_before(p, s, at) != word_after(p, s, at);
    default:
        return word_before(p, s, at) == word_after(p, s, at);
    }
}

/* ------------------------------------------------------------ all ways at once */

/* The nodes that wait for the next character, and where the way to each began. */
struct ways {
    int count;
    int *nodes;
    long *began;
    /* Where a node stands in the list, valid if the list says so too. */
    int *place;
};

struct search {
    const struct program *p;
    const struct subject *s;
    struct ways now, then;
    int *stack;
    long best_from, best_to;
};

/* Follows what consumes nothing. A node is entered once for each position; the earlier beginning comes first. */
static void enter(struct search *h, struct ways *w, int first, long began, const unsigned char *at) {
    const struct node *nodes = h->p->nodes;
    int depth = 0;
    h->stack[depth++] = first;
    while (depth) {
        int k = h->stack[--depth];
        int place = w->place[k];
        if (place < w->count && w->nodes[place] == k && w->began[place] <= began) continue;
        if (place >= w->count || w->nodes[place] != k) {
            place = w->place[k] = w->count++;
            w->nodes[place] = k;
        }
        w->began[place] = began;
        const struct node *n = nodes + k;
        switch (n->kind) {
        case N_SPLIT:
            if (n->other >= 0) h->stack[depth++] = n->other;
            h->stack[depth++] = n->next;
            break;
        case N_OPEN:
        case N_CLOSE:
            h->stack[depth++] = n->next;
            break;
        case N_ANCHOR:
            if (holds(h->p, h->s, n->value, at)) h->stack[depth++] = n->next;
            break;
        case N_MATCH:
            if (h->best_from < 0 || began < h->best_from || (began == h->best_from && at - h->s->text > h->best_to)) {
                h->best_from = began;
                h->best_to = at - h->s->text;
            }
            break;
        default:
            break;
        }
    }
}

static int make_ways(struct ways *w, int nodes) {
    w->count = 0;
    w->nodes = malloc((size_t)nodes * sizeof *w->nodes);
    w->place = calloc((size_t)nodes, sizeof *w->place);
    w->began = malloc((size_t)nodes * sizeof *w->began);
    return w->nodes && w->place && w->began;
}

static void free_ways(struct ways *w) {
    free(w->nodes);
    free(w->place);
    free(w->began);
}

/* 1 and the place of the leftmost longest match; 0 if there is none; -1 if memory ran out. */
static int find(const struct program *p, const struct subject *s, long from, long last, struct match *found) {
    struct search h = {.p = p, .s = s, .best_from = -1, .best_to = -1};
    h.stack = malloc(((size_t)p->count * 2 + 2) * sizeof *h.stack);
    int made = make_ways(&h.now, p->count) & make_ways(&h.then, p->count);
    const unsigned char *at = s->text + from;
    for (; h.stack && made;) {
        long offset = at - s->text;
        int length = 1, c = at < s->end ? glibc_regex_fold(p, glibc_regex_character(p, at, s->end, &length)) : -1;
        if (offset <= last && h.best_from < 0 && (p->first < 0 || c == p->first)) enter(&h, &h.now, p->start, offset, at);
        if (at >= s->end || (h.now.count == 0 && (offset >= last || h.best_from >= 0))) break;
        const unsigned char *after = at + length;
        for (int k = 0; k < h.now.count; k++) {
            const struct node *n = p->nodes + h.now.nodes[k];
            if (n->kind > N_SET) continue;
            if (h.best_from >= 0 && h.now.began[k] > h.best_from) continue;
            if (accepts(p, n, c)) enter(&h, &h.then, n->next, h.now.began[k], after);
        }
        struct ways kept = h.now;
        h.now = h.then;
        h.then = kept;
        h.then.count = 0;
        at = after;
    }
    int failed = !h.stack || !made;
    free_ways(&h.now);
    free_ways(&h.then);
    free(h.stack);
    found->from = (int)h.best_from;
    found->to = (int)h.best_to;
    return failed ? -1 : h.best_from >= 0;
}

/* ------------------------------------------------------------ one way after the other */

/* What to do when the way taken fails: go on at a node, or put a register back. */
struct choice {
    int node; /* or -1 - register */
    long value;
};

struct walk {
    const struct program *p;
    const struct subject *s;
    long *registers; /* from and to of each group */
    struct choice *choices;
    size_t depth, room;
    unsigned char *tried; /* a bit for each node at each place, if places are limited */
    long from, to;        /* to < 0: any end, the longest wanted */
    int out_of_memory;
};

static void push(struct walk *w, int node, long value) {
    if (w->depth == w->room) {
        size_t room = w->room ? 2 * w->room : 64;
        struct choice *larger = realloc(w->choices, room * sizeof *larger);
        if (!larger) {
            w->out_of_memory = 1;
            return;
        }
        w->choices = larger;
        w->room = room;
    }
    w->choices[w->depth++] = (struct choice){node, value};
}

static void set_register(struct walk *w, int index, long value) {
    push(w, -1 - index, w->registers[index]);
    w->registers[index] = value;
}

static int seen(struct walk *w, int node, long at) {
    if (!w->tried) return 0;
    size_t bit = (size_t)node * (size_t)(w->to - w->from + 1) + (size_t)(at - w->from);
    if (w->tried[bit >> 3] & 1u << (bit & 7)) return 1;
    w->tried[bit >> 3] |= (unsigned char)(1u << (bit & 7));
    return 0;
}

/* Is the way that leaves a loop still to be tried from this place? */
static int is_waiting(const struct walk *w, int node, long at) {
    for (size_t k = w->depth; k-- > 0;)
        if (w->choices[k].node == node && w->choices[k].value == at) return 1;
    return 0;
}

/* Does what the group matched stand here? Its length, or -1. */
static long repeated(struct walk *w, int group, const unsigned char *at) {
    long from = w->registers[2 * group], to = w->registers[2 * group + 1];
    const struct program *p = w->p;
    if (from < 0 || to < 0) return -1;
    const unsigned char *a = w->s->text + from, *a_end = w->s->text + to, *b = at;
    while (a < a_end) {
        int a_length, b_length;
        if (b >= w->s->end) return -1;
        int x = glibc_regex_fold(p, glibc_regex_character(p, a, a_end, &a_length));
        int y = glibc_regex_fold(p, glibc_regex_character(p, b, w->s->end, &b_length));
        if (x != y) return -1;
        a += a_length;
        b += b_length;
    }
    return b - at;
}

/* Walks on from the node until it matches or fails; 1: the end was reached at *at. */
static int advance(struct walk *w, int node, const unsigned char **place) {
    const unsigned char *at = *place, *text = w->s->text;
    for (;;) {
        const struct node *n = w->p->nodes + node;
        switch (n->kind) {
        case N_MATCH:
            *place = at;
            return w->to < 0 || at - text == w->to;
        case N_SPLIT:
            if (n->other < 0) {
                node = n->next;
                continue;
            }
            if (seen(w, node, at - text)) {
                /* Once around a loop without a character: that counts, and the loop is left. */
                if (!n->value || !is_waiting(w, n->other, at - text)) return 0;
                node = n->other;
                continue;
            }
            push(w, n->other, at - text);
            node = n->next;
            continue;
        case N_OPEN:
            set_register(w, 2 * n->value, at - text);
            set_register(w, 2 * n->value + 1, -1);
            node = n->next;
            continue;
        case N_CLOSE:
            set_register(w, 2 * n->value + 1, at - text);
            node = n->next;
            continue;
        case N_ANCHOR:
            if (!holds(w->p, w->s, n->value, at)) return 0;
            node = n->next;
            continue;
        case N_BACK: {
            long length = repeated(w, n->value, at);
            if (length < 0) return 0;
            at += length;
            node = n->next;
            continue;
        }
        default: {
            int length;
            if (at >= w->s->end || (w->to >= 0 && at - text >= w->to)) return 0;
            if (!accepts(w->p, n, glibc_regex_fold(w->p, glibc_regex_character(w->p, at, w->s->end, &length)))) return 0;
            at += length;
            node = n->next;
        }
        }
    }
}

/* The way that is preferred among those from `from` to `to`, or to the farthest end. */
static int trace(struct walk *w, long *best) {
    const unsigned char *text = w->s->text, *at = text + w->from;
    int count = 2 * (w->p->groups + 1), found = 0, node = w->p->start;
    for (;;) {
        const unsigned char *place = at;
        if (advance(w, node, &place) && (!found || place - text > best[1])) {
            found = 1;
            for (int k = 2; k < count; k++) best[k] = w->registers[k];
            best[0] = w->from;
            best[1] = place - text;
            if (w->to >= 0 || place == w->s->end) return 1;
        }
        for (;;) {
            if (!w->depth || w->out_of_memory) return found;
            struct choice c = w->choices[--w->depth];
            if (c.node < 0) {
                w->registers[-1 - c.node] = c.value;
                continue;
            }
            node = c.node;
            at = text + c.value;
            break;
        }
    }
}

static int with_groups(const struct program *p, const struct subject *s, long from, long to, int wanted,
                       struct match *out) {
    size_t count = 2 * ((size_t)p->groups + 1);
    struct walk w = {.p = p, .s = s, .from = from, .to = to};
    long *best = malloc(count * sizeof *best);
    int found = -1;
    w.registers = malloc(count * sizeof *w.registers);
    if (to >= 0) w.tried = calloc(((size_t)p->count * (size_t)(to - from + 1) + 7) / 8, 1);
    if (best && w.registers && (w.tried || to < 0)) {
        for (size_t k = 0; k < count; k++) w.registers[k] = best[k] = -1;
        found = trace(&w, best);
        if (w.out_of_memory) found = -1;
    }
    for (int k = 0; k < wanted && found > 0; k++) {
        int known = k <= p->groups && best[2 * k] >= 0 && best[2 * k + 1] >= 0;
        out[k].from = known ? (int)best[2 * k] : -1;
        out[k].to = known ? (int)best[2 * k + 1] : -1;
    }
    free(best);
    free(w.registers);
    free(w.tried);
    free(w.choices);
    return found;
}

int glibc_regex_match(const struct program *p, const struct subject *s, long from, long last, int wanted,
                      struct match *registers) {
    struct match whole;
    int result;
    for (int k = 0; k < wanted; k++) registers[k] = (struct match){-1, -1};
    if (!p->has_back) {
        result = find(p, s, from, last, &whole);
        if (result <= 0 || wanted == 0) return result;
        registers[0] = whole;
        if (wanted == 1 || p->groups == 0) return 1;
        return with_groups(p, s, whole.from, whole.to, wanted, registers);
    }
    for (const unsigned char *at = s->text + from; at - s->text <= last;) {
        int length = 1;
        result = with_groups(p, s, at - s->text, -1, wanted, registers);
        if (result) return result;
        if (at < s->end) glibc_regex_character(p, at, s->end, &length);
        at += length;
    }
    return 0;
}
