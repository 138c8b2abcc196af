// A JSON parser: builds a tree of a generated document, walks it, prints it again, frees it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NULL_VALUE, BOOLEAN, NUMBER, STRING, ARRAY, OBJECT };

struct value {
    enum kind kind;
    double number;
    char *text;
    struct value *first, *next;
    char *key;
};
struct parser {
    const char *at;
    int failed;
};
struct buffer {
    char *data;
    size_t used, size;
};

static void put(struct buffer *b, char c)
{
    if (b->used == b->size) {
        b->size = b->size ? b->size * 2 : 256;
        b->data = realloc(b->data, b->size);
    }
    b->data[b->used++] = c;
}

static void put_text(struct buffer *b, const char *text)
{
    while (*text)
        put(b, *text++);
}

static struct value *new_value(enum kind kind)
{
    struct value *v = calloc(1, sizeof *v);
    v->kind = kind;
    return v;
}

static void blanks(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\n' || *p->at == '\t')
        p->at++;
}

static int accept(struct parser *p, char c)
{
    blanks(p);
    if (*p->at != c)
        return 0;
    p->at++;
    return 1;
}

static char *parse_text(struct parser *p)
{
    struct buffer b = { 0 };
    while (*p->at && *p->at != '"') {
        char c = *p->at++;
        if (c == '\\') {
            c = *p->at++;
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        put(&b, c);
    }
    if (*p->at == '"')
        p->at++;
    else
        p->failed = 1;
    put(&b, 0);
    return b.data;
}

static double parse_number(struct parser *p)
{
    int negative = *p->at == '-';
    p->at += negative;
    double value = 0;
    while (*p->at >= '0' && *p->at <= '9')
        value = value * 10 + (*p->at++ - '0');
    if (*p->at == '.') {
        double scale = 0.1;
        for (p->at++; *p->at >= '0' && *p->at <= '9'; scale /= 10)
            value += (*p->at++ - '0') * scale;
    }
    return negative ? -value : value;
}

static struct value *parse(struct parser *p)
{
    blanks(p);
    if (accept(p, '"')) {
        struct value *v = new_value(STRING);
        v->text = parse_text(p);
        return v;
    }
    char close = *p->at == '{' ? '}' : ']';
    if (*p->at == '{' || *p->at == '[') {
        struct value *v = new_value(close == '}' ? OBJECT : ARRAY), **end = &v->first;
        p->at++;
        if (accept(p, close))
            return v;
        do {
            char *key = NULL;
            if (close == '}') {
                if (!accept(p, '"'))
                    p->failed = 1;
                key = parse_text(p);
                if (!accept(p, ':'))
                    p->failed = 1;
            }
            *end = parse(p);
            (*end)->key = key;
            end = &(*end)->next;
        } while (!p->failed && accept(p, ','));
        if (!accept(p, close))
            p->failed = 1;
        return v;
    }
    if (strncmp(p->at, "true", 4) == 0 || strncmp(p->at, "false", 5) == 0) {
        struct value *v = new_value(BOOLEAN);
        v->number = *p->at == 't';
        p->at += *p->at == 't' ? 4 : 5;
        return v;
    }
    if (strncmp(p->at, "null", 4) == 0) {
        p->at += 4;
        return new_value(NULL_VALUE);
    }
    struct value *v = new_value(NUMBER);
    v->number = parse_number(p);
    return v;
}

static void print(const struct value *v, struct buffer *out)
{
    char number[32];
    if (v->key) {
        put(out, '"');
        put_text(out, v->key);
        put_text(out, "\":");
    }
    switch (v->kind) {
    case NULL_VALUE: put_text(out, "null"); break;
    case BOOLEAN: put_text(out, v->number ? "true" : "false"); break;
    case NUMBER:
        snprintf(number, sizeof number, "%d.%02d", (int)v->number, (int)((v->number - (int)v->number) * 100 + 0.5));
        put_text(out, number);
        break;
    case STRING:
        put(out, '"');
        put_text(out, v->text);
        put(out, '"');
        break;
    default:
        put(out, v->kind == OBJECT ? '{' : '[');
        for (const struct value *c = v->first; c; c = c->next) {
            print(c, out);
            if (c->next)
                put(out, ',');
        }
        put(out, v->kind == OBJECT ? '}' : ']');
    }
}

static void release(struct value *v)
{
    for (struct value *c = v->first, *next; c; c = next) {
        next = c->next;
        release(c);
    }
    free(v->text);
    free(v->key);
    free(v);
}

static void generate(struct buffer *b, unsigned *seed, int depth)
{
    static const char *const keys[] = { "name", "size", "children", "enabled", "position", "colour" };
    *seed = *seed * 1664525 + 1013904223;
    unsigned pick = *seed >> 28;
    char text[32];
    if (depth > 0 && pick < 12) {
        int object = pick & 1;
        put(b, object ? '{' : '[');
        for (int i = 0; i < 5; i++) {
            if (i)
                put_text(b, ", ");
            if (object) {
                snprintf(text, sizeof text, "\"%s%d\": ", keys[(*seed >> 20) % 6], i);
                put_text(b, text);
            }
            generate(b, seed, depth - 1);
        }
        put(b, object ? '}' : ']');
    } else {
        snprintf(text, sizeof text, pick & 1 ? "%u.%02u" : pick & 2 ? "\"text \\n %u.%u\"" : pick & 4 ? "true" : "null",
                 (*seed >> 12) & 1023, (*seed >> 5) & 63);
        put_text(b, text);
    }
}

int main(void)
{
    struct buffer document = { 0 };
    unsigned seed = 3, sum = 0;
    put(&document, '[');
    for (int i = 0; i < 40; i++) {
        if (i)
            put(&document, ',');
        generate(&document, &seed, 6);
    }
    put(&document, ']');
    put(&document, 0);
    for (int round = 0; round < 3; round++) {
        struct parser p = { document.data, 0 };
        struct value *v = parse(&p);
        struct buffer out = { 0 };
        print(v, &out);
        for (size_t i = 0; i < out.used; i++)
            sum = sum * 31 + (unsigned char)out.data[i];
        sum += p.failed;
        free(out.data);
        release(v);
    }
    printf("%08x %zu\n", sum, document.used);
    free(document.data);
    return 0;
}
