/* Dates as text, with GNU's flags (_ - 0 ^ #), widths and conversions; names are those of the locale C. */
#define _GNU_SOURCE
#include <ctype.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "glibc.h"

struct output {
    char *buffer;
    size_t size, length; /* Of the whole text, whether it had room or not. */
};

enum { UNCHANGED, UPPER, SWAPPED, LOWER };

struct field {
    int pad; /* a flag, or 0 */
    int width, change;
};

static void put(struct output *o, char c) {
    if (o->length + 1 < o->size) o->buffer[o->length] = c;
    o->length++;
}

static void put_text(struct output *o, const struct field *f, const char *text) {
    int length = (int)strlen(text);
    for (int k = length; k < f->width; k++) put(o, f->pad == '0' ? '0' : ' ');
    for (; *text; text++) {
        int c = (unsigned char)*text;
        put(o, (char)(f->change == UPPER ? toupper(c) : f->change == LOWER ? tolower(c) : c));
    }
}

static void put_number(struct output *o, const struct field *f, long value, int digits, int pad) {
    char text[32];
    if (f->pad == '_' || f->pad == '-' || f->pad == '0') pad = f->pad;
    int width = f->width > digits ? f->width : digits, used = snprintf(text, sizeof text, "%ld", value < 0 ? -value : value);
    int sign = value < 0 ? '-' : 0;
    if (pad == '-') {
        width = f->width;
        pad = f->width ? '0' : '-';
        if (f->pad == '-') width = 0;
    }
    int fill = width - used - (sign != 0);
    if (pad == '_')
        for (; fill > 0; fill--) put(o, ' ');
    if (sign) put(o, (char)sign);
    for (; fill > 0; fill--) put(o, '0');
    for (const char *at = text; *at; at++) put(o, *at);
}

static int is_leap(long year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The week of ISO 8601, and its year. */
static int iso_week(const struct tm *t, long *year) {
    int monday = (t->tm_wday + 6) % 7, week = (t->tm_yday - monday + 10) / 7;
    *year = t->tm_year + 1900L;
    if (week < 1) {
        int days = t->tm_yday + (is_leap(--*year) ? 366 : 365);
        return (days - monday + 10) / 7;
    }
    if (week == 53) {
        int days = is_leap(*year) ? 366 : 365;
        if (t->tm_yday - monday + 3 >= days) {
            ++*year;
            return 1;
        }
    }
    return week;
}

static const char *name_at(nl_item first, int index, int count) {
    return index < 0 || index >= count ? "?" : nl_langinfo(first + index);
}

static void format_all(struct output *o, const char *format, const struct tm *t);

/* A conversion that stands for others. */
static void put_inner(struct output *o, const struct field *f, const char *format, const struct tm *t) {
    char inner[256];
    struct output nested = {inner, sizeof inner, 0};
    format_all(&nested, format, t);
    inner[nested.length < sizeof inner ? nested.length : sizeof inner - 1] = 0;
    put_text(o, f, inner);
}

static void put_zone(struct output *o, const struct field *f, const struct tm *t) {
    long minutes = (t->tm_gmtoff < 0 ? -t->tm_gmtoff : t->tm_gmtoff) / 60;
    char text[16];
    if (t->tm_isdst < 0) return;
    snprintf(text, sizeof text, "%c%02ld%02ld", t->tm_gmtoff < 0 ? '-' : '+', minutes / 60, minutes % 60);
    put_text(o, f, text);
}

static int hour_of_twelve(const struct tm *t) {
    int hour = t->tm_hour % 12;
    return hour ? hour : 12;
}

/* 0: there is no such conversion. */
static int convert(struct output *o, struct field f, char letter, const struct tm *t) {
    long year = t->tm_year + 1900L, iso_year;
    struct field upper = f;
    switch (letter) {
    case '%': put_text(o, &f, "%"); break;
    case 'n': put_text(o, &f, "\n"); break;
    case 't': put_text(o, &f, "\t"); break;
    case 'a': case 'A':
        if (f.change == SWAPPED) f.change = UPPER;
        put_text(o, &f, name_at(letter == 'a' ? ABDAY_1 : DAY_1, t->tm_wday, 7));
        break;
    case 'b': case 'h': case 'B':
        if (f.change == SWAPPED) f.change = UPPER;
        put_text(o, &f, name_at(letter == 'B' ? MON_1 : ABMON_1, t->tm_mon, 12));
        break;
    case 'p':
        if (f.change == SWAPPED) f.change = LOWER;
        put_text(o, &f, t->tm_hour >= 12 ? "PM" : "AM");
        break;
    case 'P':
        f.change = LOWER;
        put_text(o, &f, t->tm_hour >= 12 ? "PM" : "AM");
        break;
    case 'Z':
        if (f.change == SWAPPED) f.change = LOWER;
        put_text(o, &f, t->tm_zone ? t->tm_zone : "");
        break;
    case 'c': put_inner(o, &upper, "%a %b %e %H:%M:%S %Y", t); break;
    case 'D': case 'x': put_inner(o, &upper, "%m/%d/%y", t); break;
    case 'T': case 'X': put_inner(o, &upper, "%H:%M:%S", t); break;
    case 'R': put_inner(o, &upper, "%H:%M", t); break;
    case 'r': put_inner(o, &upper, "%I:%M:%S %p", t); break;
    case 'F': put_inner(o, &upper, "%Y-%m-%d", t); break;
    case 'C': put_number(o, &f, year / 100 - (year % 100 < 0), 2, '0'); break;
    case 'd': put_number(o, &f, t->tm_mday, 2, '0'); break;
    case 'e': put_number(o, &f, t->tm_mday, 2, '_'); break;
    case 'H': put_number(o, &f, t->tm_hour, 2, '0'); break;
    case 'I': put_number(o, &f, hour_of_twelve(t), 2, '0'); break;
    case 'k': put_number(o, &f, t->tm_hour, 2, '_'); break;
    case 'l': put_number(o, &f, hour_of_twelve(t), 2, '_'); break;
    case 'j': put_number(o, &f, t->tm_yday + 1, 3, '0'); break;
    case 'M': put_number(o, &f, t->tm_min, 2, '0'); break;
    case 'm': put_number(o, &f, t->tm_mon + 1, 2, '0'); break;
    case 'S': put_number(o, &f, t->tm_sec, 2, '0'); break;
    case 's': {
        struct tm copy = *t;
        put_number(o, &f, mktime(&copy), 1, '0');
        break;
    }
    case 'u': put_number(o, &f, (t->tm_wday + 6) % 7 + 1, 1, '0'); break;
    case 'w': put_number(o, &f, t->tm_wday, 1, '0'); break;
    case 'U': put_number(o, &f, (t->tm_yday - t->tm_wday + 7) / 7, 2, '0'); break;
    case 'W': put_number(o, &f, (t->tm_yday - (t->tm_wday + 6) % 7 + 7) / 7, 2, '0'); break;
    case 'V': put_number(o, &f, iso_week(t, &iso_year), 2, '0'); break;
    case 'G':
        iso_week(t, &iso_year);
        put_number(o, &f, iso_year, f.pad ? 4 : 1, '0');
        break;
    case 'g':
        iso_week(t, &iso_year);
        put_number(o, &f, (iso_year % 100 + 100) % 100, 2, '0');
        break;
    case 'Y': put_number(o, &f, year, f.pad && f.pad != '-' && f.pad != '_' ? 4 : 1, '0'); break;
    case 'y': put_number(o, &f, (year % 100 + 100) % 100, 2, '0'); break;
    case 'z': put_zone(o, &f, t); break;
    default: return 0;
    }
    return 1;
}

static void format_all(struct output *o, const char *format, const struct tm *t) {
    for (const char *at = format; *at; at++) {
        if (*at != '%') {
            put(o, *at);
            continue;
        }
        const char *start = at++;
        struct field f = {0};
        for (;; at++) {
            if (*at == '_' || *at == '-' || *at == '0')
                f.pad = *at;
            else if (*at == '^')
                f.change = UPPER;
            else if (*at == '#')
                f.change = SWAPPED;
            else
                break;
        }
        for (; isdigit((unsigned char)*at); at++)
            if (f.width < 10000) f.width = f.width * 10 + (*at - '0');
        if (*at == 'E' || *at == 'O') at++;
        if (*at && convert(o, f, *at, t)) continue;
        /* Not a conversion: it stands for itself. */
        if (!*at) at--;
        for (const char *copy = start; copy <= at; copy++) put(o, *copy);
    }
}

size_t glibc_strftime(char *buffer, size_t size, const char *format, const struct tm *t) {
    struct output o = {buffer, size, 0};
    format_all(&o, format, t);
    if (o.length >= size) return 0;
    buffer[o.length] = 0;
    return o.length;
}

size_t glibc_strftime_l(char *buffer, size_t size, const char *format, const struct tm *t, void *locale) {
    return glibc_strftime(buffer, size, format, t);
}

/* glibc calls this zone GMT. */
struct tm *glibc_gmtime_r(const time_t *when, struct tm *t) {
    if (!gmtime_r(when, t)) return 0;
    t->tm_zone = "GMT";
    return t;
}

struct tm *glibc_gmtime(const time_t *when) {
    static struct tm kept;
    return glibc_gmtime_r(when, &kept);
}
