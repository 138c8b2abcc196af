/* Formatted output as glibc has it. Our libc's own functions do the work; where glibc differs (%p, %m, a null string with a
   short precision, the flag I, the lengths q and Z, conversions that do not exist) the conversions are given to them one
   by one, with what glibc would print. Formats without such a conversion pass untouched. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "glibc.h"

#define LONGEST 64

struct conversion {
    char flags[LONGEST];    /* The flags that our libc knows. */
    int width, precision;   /* NONE or STAR if not a number. */
    int left;               /* A minus among the flags. */
    char length;            /* 0, H for hh, h, l, L (long double) or q for all that is 8 bytes wide. */
    char letter;            /* 0: the format ends. */
    int odd;                /* A flag or length of glibc's only. */
    int positional;
};
#define NONE (-1)
#define STAR (-2)

static const char *number(const char *at, int *value) {
    *value = 0;
    for (; *at >= '0' && *at <= '9'; at++)
        if (*value < INT_MAX / 10) *value = *value * 10 + (*at - '0');
    return at;
}

/* Reads what stands behind a percent sign; returns where it ends. */
static const char *read_conversion(const char *at, struct conversion *c) {
    size_t flags = 0;
    *c = (struct conversion){.width = NONE, .precision = NONE};
    const char *digits = at;
    while (*digits >= '0' && *digits <= '9') digits++;
    if (digits != at && *digits == '$') {
        c->positional = 1;
        at = digits + 1;
    }
    for (; *at && strchr("-+ #0'I", *at); at++) {
        if (*at == 'I')
            c->odd = 1;
        else if (flags < LONGEST - 1)
            c->flags[flags++] = *at;
        if (*at == '-') c->left = 1;
    }
    if (*at == '*') {
        c->width = STAR;
        at++;
    } else if (*at >= '0' && *at <= '9') {
        at = number(at, &c->width);
    }
    if (*at == '$') c->positional = 1;
    if (*at == '.') {
        if (*++at == '*') {
            c->precision = STAR;
            at++;
        } else if (*at == '-') {
            at = number(at + 1, &c->precision);
            c->precision = NONE;
        } else {
            at = number(at, &c->precision);
        }
    }
    for (;; at++) {
        if (*at == 'h')
            c->length = c->length == 'h' ? 'H' : 'h';
        else if (*at == 'l' && !c->length)
            c->length = 'l';
        else if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't')
            c->length = 'q';
        else if (*at == 'q' || *at == 'Z')
            c->length = 'q', c->odd = 1;
        else if (*at == 'L')
            c->length = 'L';
        else
            break;
    }
    c->letter = *at;
    return *at ? at + 1 : at;
}

#define KNOWN "diouxXcsCSeEfFgGaAnpm%"

static int is_plain(const struct conversion *c) {
    if (c->positional) return 1;
    if (c->letter == 0 || c->letter == 'p' || c->letter == 'm' || c->odd) return 0;
    if (c->letter == 's' && c->precision != NONE) return 0;
    return strchr(KNOWN, c->letter) != 0;
}

/* Behind a conversion that both libcs print alike; null: it must be looked at closely. */
static const char *ordinary(const char *at) {
    int with_precision = 0;
    for (;; at++) {
        switch (*at) {
        case '-': case '+': case ' ': case '#': case '\'': case '*':
        case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        case 'h': case 'l': case 'j': case 'z': case 't': case 'L':
            continue;
        case '.':
            with_precision = 1;
            continue;
        case 's':
            return with_precision ? 0 : at + 1;
        case 'd': case 'i': case 'o': case 'u': case 'x': case 'X': case 'c': case 'n': case '%':
        case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
            return at + 1;
        default:
            return 0;
        }
    }
}

/* Positional formats are left to our libc, whatever they have. */
static int passes(const char *format) {
    int plain = 1;
    for (const char *at = strchr(format, '%'), *next; at; at = strchr(at, '%')) {
        struct conversion c;
        if ((next = ordinary(at + 1))) {
            at = next;
            continue;
        }
        at = read_conversion(at + 1, &c);
        if (c.positional) return 1;
        if (!is_plain(&c)) plain = 0;
    }
    return plain;
}

/* Where the characters go: a stream, or a buffer that has room for `size` with the final zero. */
struct sink {
    FILE *stream;
    char *buffer;
    size_t size;
    long count;
};

static void put(struct sink *s, const char *format, ...) {
    va_list arguments;
    if (s->count < 0) return;
    va_start(arguments, format);
    int printed;
    if (s->stream) {
        printed = vfprintf(s->stream, format, arguments);
    } else {
        size_t done = (size_t)s->count < s->size ? (size_t)s->count : s->size;
        printed = vsnprintf(s->buffer ? s->buffer + done : 0, s->size - done, format, arguments);
    }
    va_end(arguments);
    s->count = printed < 0 ? -1 : s->count + printed;
    if (s->count > INT_MAX) {
        errno = EOVERFLOW;
        s->count = -1;
    }
}

/* The conversion again, with numbers for stars and a letter that our libc knows. */
static void respell(char *out, const struct conversion *c, int width, int precision, const char *letters) {
    out += sprintf(out, "%%%s", c->flags);
    if (width != NONE) out += sprintf(out, "%d", width);
    if (precision != NONE) out += sprintf(out, ".%d", precision);
    sprintf(out, "%s", letters);
}

static void put_text(struct sink *s, const struct conversion *c, int width, int precision, const char *text) {
    put(s, c->left ? "%-*.*s" : "%*.*s", width == NONE ? 0 : width, precision, text);
}

static void put_pointer(struct sink *s, const struct conversion *c, int width, int precision, void *pointer) {
    char spelled[2 * LONGEST];
    if (!pointer) {
        put_text(s, c, width, -1, "(nil)");
        return;
    }
    respell(spelled, c, width, precision, "lx");
    memmove(spelled + 2, spelled + 1, strlen(spelled));
    spelled[1] = '#';
    put(s, spelled, (unsigned long)pointer);
}

/* One conversion with its argument. */
static void put_conversion(struct sink *s, const struct conversion *c, va_list *arguments, const char *from, size_t span) {
    char spelled[2 * LONGEST], letters[4] = {0};
    struct conversion copy = *c;
    int width = c->width, precision = c->precision;
    if (width == STAR) {
        width = va_arg(*arguments, int);
        if (width < 0) {
            copy.left = 1;
            strcat(copy.flags, "-");
            width = width == INT_MIN ? INT_MAX : -width;
        }
    }
    if (precision == STAR) {
        precision = va_arg(*arguments, int);
        if (precision < 0) precision = NONE;
    }
    int wide = c->length == 'l' || c->length == 'q' || c->length == 'L';
    letters[0] = c->letter;
    switch (c->letter) {
    case 'd': case 'i': case 'o': case 'u': case 'x': case 'X':
        if (wide) {
            letters[0] = 'l';
            letters[1] = c->letter;
            respell(spelled, &copy, width, precision, letters);
            put(s, spelled, va_arg(*arguments, long));
            return;
        }
        if (c->length) {
            letters[0] = 'h';
            letters[1] = c->length == 'H' ? 'h' : c->letter;
            letters[2] = c->length == 'H' ? c->letter : 0;
        }
        respell(spelled, &copy, width, precision, letters);
        put(s, spelled, va_arg(*arguments, int));
        return;
    case 'c':
    case 'C':
        respell(spelled, &copy, width, precision, c->letter == 'C' || wide ? "lc" : "c");
        put(s, spelled, va_arg(*arguments, int));
        return;
    case 's':
    case 'S': {
        void *text = va_arg(*arguments, void *);
        if (!text) {
            put_text(s, &copy, width, precision >= 0 && precision < 6 ? 0 : -1, "(null)");
            return;
        }
        respell(spelled, &copy, width, precision, c->letter == 'S' || wide ? "ls" : "s");
        put(s, spelled, text);
        return;
    }
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        if (c->length == 'L' || c->length == 'q') {
            letters[0] = 'L';
            letters[1] = c->letter;
            respell(spelled, &copy, width, precision, letters);
            put(s, spelled, va_arg(*arguments, long double));
            return;
        }
        respell(spelled, &copy, width, precision, letters);
        put(s, spelled, va_arg(*arguments, double));
        return;
    case 'n': {
        void *place = va_arg(*arguments, void *);
        if (c->length == 'H')
            *(signed char *)place = (signed char)s->count;
        else if (c->length == 'h')
            *(short *)place = (short)s->count;
        else if (wide)
            *(long *)place = s->count;
        else
            *(int *)place = (int)s->count;
        return;
    }
    case 'p':
        put_pointer(s, &copy, width, precision, va_arg(*arguments, void *));
        return;
    case 'm':
        put_text(s, &copy, width, precision, glibc_strerror_r(errno, (char[UNKNOWN_ERROR]){0}, UNKNOWN_ERROR));
        return;
    case '%':
        put(s, "%%");
        return;
    default:
        put(s, "%.*s", (int)span, from);
    }
}

static int print(struct sink *s, const char *format, va_list given) {
    va_list arguments;
    va_copy(arguments, given);
    while (*format && s->count >= 0) {
        const char *percent = strchrnul(format, '%');
        if (percent != format) put(s, "%.*s", (int)(percent - format), format);
        if (!*percent) break;
        struct conversion c;
        format = read_conversion(percent + 1, &c);
        if (!c.letter) {
            s->count = -1;
            break;
        }
        put_conversion(s, &c, &arguments, percent, (size_t)(format - percent));
    }
    va_end(arguments);
    return (int)s->count;
}

int glibc_vfprintf(FILE *stream, const char *format, va_list arguments) {
    if (passes(format)) return vfprintf(stream, format, arguments);
    return print(&(struct sink){.stream = stream}, format, arguments);
}

int glibc_vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) {
    if (passes(format)) return vsnprintf(buffer, size, format, arguments);
    if (size) *buffer = 0;
    return print(&(struct sink){.buffer = buffer, .size = size}, format, arguments);
}

int glibc_vsprintf(char *buffer, const char *format, va_list arguments) {
    return passes(format) ? vsprintf(buffer, format, arguments) : glibc_vsnprintf(buffer, INT_MAX, format, arguments);
}

int glibc_vasprintf(char **result, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = glibc_vsnprintf(0, 0, format, again);
    va_end(again);
    if (length < 0 || !(*result = malloc((size_t)length + 1))) return -1;
    return glibc_vsnprintf(*result, (size_t)length + 1, format, arguments);
}

int glibc_vdprintf(int file, const char *format, va_list arguments) {
    char *text;
    if (passes(format)) return vdprintf(file, format, arguments);
    int length = glibc_vasprintf(&text, format, arguments);
    for (int done = 0; done < length;) {
        ssize_t written = write(file, text + done, (size_t)(length - done));
        if (written < 0) {
            length = -1;
            break;
        }
        done += (int)written;
    }
    free(text);
    return length;
}

int glibc_fprintf(FILE *stream, const char *format, ...) {
    WITH_ARGUMENTS(glibc_vfprintf(stream, format, arguments));
}
int glibc_sprintf(char *buffer, const char *format, ...) {
    WITH_ARGUMENTS(glibc_vsprintf(buffer, format, arguments));
}
int glibc_snprintf(char *buffer, size_t size, const char *format, ...) {
    WITH_ARGUMENTS(glibc_vsnprintf(buffer, size, format, arguments));
}
int glibc_asprintf(char **result, const char *format, ...) {
    WITH_ARGUMENTS(glibc_vasprintf(result, format, arguments));
}
int glibc_dprintf(int file, const char *format, ...) {
    WITH_ARGUMENTS(glibc_vdprintf(file, format, arguments));
}
