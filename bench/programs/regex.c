// A regular-expression matcher: compiles patterns to a small automaton and simulates it over text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum op { CHARACTER, ANY, CLASS, SPLIT, JUMP, MATCH };

struct instruction {
    enum op op;
    int x, y;
    unsigned char set[32];
};
struct program {
    struct instruction code[256];
    int length;
};
struct threads {
    int list[256], count;
    unsigned mark[256];
};

static int emit(struct program *p, enum op op, int x, int y)
{
    struct instruction *i = &p->code[p->length];
    i->op = op;
    i->x = x;
    i->y = y;
    return p->length++;
}

static void insert(struct program *p, int at, enum op op)
{
    memmove(&p->code[at + 1], &p->code[at], (p->length - at) * sizeof p->code[0]);
    p->length++;
    for (int i = at + 1; i < p->length; i++)
        if (p->code[i].op == SPLIT || p->code[i].op == JUMP) {
            p->code[i].x += p->code[i].x >= at;
            p->code[i].y += p->code[i].op == SPLIT && p->code[i].y >= at;
        }
    p->code[at].op = op;
}

static const char *alternatives(struct program *p, const char *re);

static const char *atom(struct program *p, const char *re)
{
    if (*re == '(') {
        re = alternatives(p, re + 1);
        return *re == ')' ? re + 1 : re;
    }
    if (*re == '[') {
        int at = emit(p, CLASS, 0, 0), negated = re[1] == '^';
        struct instruction *i = &p->code[at];
        memset(i->set, 0, sizeof i->set);
        for (re += 1 + negated; *re && *re != ']'; re++) {
            unsigned char low = *re, high = low;
            if (re[1] == '-' && re[2] && re[2] != ']') {
                high = re[2];
                re += 2;
            }
            for (unsigned c = low; c <= high; c++)
                i->set[c >> 3] |= 1u << (c & 7);
        }
        if (negated)
            for (int k = 0; k < 32; k++)
                i->set[k] = ~i->set[k];
        return *re ? re + 1 : re;
    }
    if (*re == '.')
        emit(p, ANY, 0, 0);
    else {
        re += *re == '\\';
        emit(p, CHARACTER, (unsigned char)*re, 0);
    }
    return re + 1;
}

static const char *sequence(struct program *p, const char *re)
{
    while (*re && *re != ')' && *re != '|') {
        int start = p->length;
        re = atom(p, re);
        if (*re == '*' || *re == '?') {
            insert(p, start, SPLIT);
            if (*re == '*')
                emit(p, JUMP, start, 0);
            p->code[start].x = start + 1;
            p->code[start].y = p->length;
            re++;
        } else if (*re == '+') {
            emit(p, SPLIT, start, p->length + 1);
            re++;
        }
    }
    return re;
}

static const char *alternatives(struct program *p, const char *re)
{
    int start = p->length;
    re = sequence(p, re);
    while (*re == '|') {
        insert(p, start, SPLIT);
        int jump = emit(p, JUMP, 0, 0);
        p->code[start].x = start + 1;
        p->code[start].y = p->length;
        re = sequence(p, re + 1);
        p->code[jump].x = p->length;
    }
    return re;
}

static void add(const struct program *p, struct threads *t, int pc, unsigned generation)
{
    while (t->mark[pc] != generation) {
        t->mark[pc] = generation;
        if (p->code[pc].op == JUMP) {
            pc = p->code[pc].x;
        } else if (p->code[pc].op == SPLIT) {
            add(p, t, p->code[pc].x, generation);
            pc = p->code[pc].y;
        } else {
            t->list[t->count++] = pc;
            return;
        }
    }
}

static int search(const struct program *p, const char *text, size_t n)
{
    static struct threads a, b;
    static unsigned generation;
    struct threads *now = &a, *next = &b;
    int matches = 0;
    now->count = 0;
    generation++;
    for (size_t i = 0; i <= n; i++) {
        add(p, now, 0, generation);
        next->count = 0;
        generation++;
        for (int k = 0; k < now->count; k++) {
            const struct instruction *in = &p->code[now->list[k]];
            unsigned char c = i < n ? (unsigned char)text[i] : 0;
            int pass = 0;
            switch (in->op) {
            case CHARACTER: pass = in->x == c; break;
            case ANY: pass = c != '\n'; break;
            case CLASS: pass = in->set[c >> 3] >> (c & 7) & 1; break;
            case MATCH: matches++; break;
            default: break;
            }
            if (pass && i < n)
                add(p, next, now->list[k] + 1, generation);
        }
        struct threads *t = now;
        now = next;
        next = t;
    }
    return matches;
}

int main(void)
{
    static const char *const patterns[] = {
        "ab*c",           "(foo|bar|baz)+", "[a-z]+@[a-z]+\\.(com|org)", "x?x?x?x?xxxx", "(a|b)*abb",
        "[^ ]+ing ",      "h.*o",           "[0-9]+\\.[0-9]+",           "qu(i|a)ck?",
    };
    enum { SIZE = 60000 };
    char *text = malloc(SIZE + 1);
    static const char *const words[] = { "foo ", "barbaz ", "me@site.org ", "xxxx", "ababb", "running ", "hello\n", "3.14 ", "quick " };
    unsigned seed = 17;
    size_t used = 0;
    while (used < SIZE - 16) {
        seed = seed * 1664525 + 1013904223;
        const char *w = words[(seed >> 16) % 9];
        size_t n = strlen(w);
        memcpy(text + used, w, n);
        used += n;
    }
    text[used] = 0;
    unsigned sum = 0;
    for (int round = 0; round < 18; round++)
        for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
            struct program p = { .length = 0 };
            alternatives(&p, patterns[i]);
            emit(&p, MATCH, 0, 0);
            sum = sum * 31 + search(&p, text + round, used - round);
        }
    printf("%08x\n", sum);
    free(text);
    return 0;
}
