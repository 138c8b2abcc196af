/* Dates read from text as glibc reads them: more conversions, and the day of the week and of the year follow from the
   rest. */
#define _GNU_SOURCE
#include <ctype.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "glibc.h"

struct reading {
    struct tm *t;
    int is_pm, has_twelve, century, has_year, has_month, has_day, has_weekday, has_yearday, week, week_kind;
};

/* At most `digits` digits, within the limits; blanks before them do not count. */
static const char *number(const char *at, int digits, int low, int high, int *value) {
    long sum = 0;
    int found = 0;
    while (*at == ' ') at++;
    for (; found < digits && isdigit((unsigned char)*at); at++, found++) {
        if (found && sum * 10 > high) break;
        sum = sum * 10 + (*at - '0');
    }
    if (!found || sum < low || sum > high) return 0;
    *value = (int)sum;
    return at;
}

/* A whole name or its abbreviation, in any case. */
static const char *name(const char *at, nl_item full, nl_item brief, int count, int *value) {
    for (int k = 0; k < count; k++) {
        const char *names[] = {nl_langinfo(full + k), nl_langinfo(brief + k)};
        for (int n = 0; n < 2; n++) {
            size_t length = strlen(names[n]);
            if (strncasecmp(at, names[n], length)) continue;
            *value = k;
            return at + length;
        }
    }
    return 0;
}

static const char *zone(const char *at, struct tm *t) {
    int sign, hours, minutes = 0;
    while (*at == ' ') at++;
    if (*at == 'Z') {
        t->tm_gmtoff = 0;
        return at + 1;
    }
    if (*at != '+' && *at != '-') return 0;
    sign = *at++ == '-' ? -1 : 1;
    if (!isdigit((unsigned char)at[0]) || !isdigit((unsigned char)at[1])) return 0;
    hours = (at[0] - '0') * 10 + at[1] - '0';
    at += 2;
    if (*at == ':') at++;
    if (isdigit((unsigned char)at[0]) && isdigit((unsigned char)at[1])) {
        minutes = (at[0] - '0') * 10 + at[1] - '0';
        at += 2;
    }
    if (hours > 14 || minutes > 59) return 0;
    t->tm_gmtoff = sign * (hours * 3600L + minutes * 60L);
    return at;
}

static const char *read_all(const char *at, const char *format, struct reading *r);

static const char *convert(const char *at, char letter, struct reading *r) {
    struct tm *t = r->t;
    int value;
    switch (letter) {
    case '%': return *at == '%' ? at + 1 : 0;
    case 'a': case 'A':
        at = name(at, DAY_1, ABDAY_1, 7, &t->tm_wday);
        r->has_weekday = 1;
        return at;
    case 'b': case 'B': case 'h':
        at = name(at, MON_1, ABMON_1, 12, &t->tm_mon);
        r->has_month = 1;
        return at;
    case 'c': return read_all(at, "%a %b %e %H:%M:%S %Y", r);
    case 'D': case 'x': return read_all(at, "%m/%d/%y", r);
    case 'F': return read_all(at, "%Y-%m-%d", r);
    case 'R': return read_all(at, "%H:%M", r);
    case 'r': return read_all(at, "%I:%M:%S %p", r);
    case 'T': case 'X': return read_all(at, "%H:%M:%S", r);
    case 'C':
        if ((at = number(at, 2, 0, 99, &value))) r->century = value;
        return at;
    case 'd': case 'e':
        r->has_day = 1;
        return number(at, 2, 1, 31, &t->tm_mday);
    case 'H': case 'k':
        r->has_twelve = 0;
        return number(at, 2, 0, 23, &t->tm_hour);
    case 'I': case 'l':
        if ((at = number(at, 2, 1, 12, &value))) t->tm_hour = value % 12;
        r->has_twelve = 1;
        return at;
    case 'j':
        if ((at = number(at, 3, 1, 366, &value))) t->tm_yday = value - 1;
        r->has_yearday = 1;
        return at;
    case 'm':
        if ((at = number(at, 2, 1, 12, &value))) t->tm_mon = value - 1;
        r->has_month = 1;
        return at;
    case 'M': return number(at, 2, 0, 59, &t->tm_min);
    case 'S': return number(at, 2, 0, 61, &t->tm_sec);
    case 'n': case 't':
        while (isspace((unsigned char)*at)) at++;
        return at;
    case 'p': case 'P':
        if (!strncasecmp(at, "AM", 2))
            r->is_pm = 0;
        else if (!strncasecmp(at, "PM", 2))
            r->is_pm = 1;
        else
            return 0;
        return at + 2;
    case 's': {
        char *end;
        time_t when = strtoll(at, &end, 10);
        if (end == at || !localtime_r(&when, t)) return 0;
        return end;
    }
    case 'u':
        if ((at = number(at, 1, 1, 7, &value))) t->tm_wday = value % 7;
        r->has_weekday = 1;
        return at;
    case 'w':
        r->has_weekday = 1;
        return number(at, 1, 0, 6, &t->tm_wday);
    case 'U': case 'W':
        r->week_kind = letter;
        return number(at, 2, 0, 53, &r->week);
    case 'V': return number(at, 2, 0, 53, &value);
    case 'g': return number(at, 2, 0, 99, &value);
    case 'G': return number(at, 4, 0, 9999, &value);
    case 'y':
        if ((at = number(at, 2, 0, 99, &value))) t->tm_year = value >= 69 ? value : value + 100;
        r->has_year = 2;
        return at;
    case 'Y':
        if ((at = number(at, 4, 0, 9999, &value))) t->tm_year = value - 1900;
        r->has_year = 4;
        r->century = -1;
        return at;
    case 'z': return zone(at, t);
    case 'Z':
        while (isalpha((unsigned char)*at)) at++;
        return at;
    default: return 0;
    }
}

static const char *read_all(const char *at, const char *format, struct reading *r) {
    for (; at && *format; format++) {
        if (isspace((unsigned char)*format)) {
            while (isspace((unsigned char)*at)) at++;
        } else if (*format != '%') {
            at = *at == *format ? at + 1 : 0;
        } else {
            format++;
            while (*format == '-' || *format == '_' || *format == '0' || *format == '^' || *format == '#') format++;
            if (*format == 'E' || *format == 'O') format++;
            if (!*format) return 0;
            at = convert(at, *format, r);
        }
    }
    return at;
}

static int is_leap(long year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static const short BEFORE_MONTH[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

static int day_of_year(const struct tm *t) {
    return BEFORE_MONTH[t->tm_mon] + (t->tm_mon > 1 && is_leap(t->tm_year + 1900L)) + t->tm_mday - 1;
}

static int day_of_week(const struct tm *t, int yearday) {
    long year = t->tm_year + 1899L, days = year * 365 + year / 4 - year / 100 + year / 400 + yearday + 1;
    return (int)((days % 7 + 7) % 7);
}

char *glibc_strptime(const char *text, const char *format, struct tm *t) {
    struct reading r = {.t = t, .is_pm = -1, .century = -1};
    const char *end = read_all(text, format, &r);
    if (!end) return 0;
    if (r.has_twelve && r.is_pm == 1) t->tm_hour += 12;
    if (r.century >= 0) {
        t->tm_year = r.has_year == 2 ? (r.century - 19) * 100 + t->tm_year % 100 : (r.century - 19) * 100;
        r.has_year = r.has_year ? r.has_year : 4;
    }
    if (r.has_yearday && !(r.has_month && r.has_day)) {
        int month = 11, leap = is_leap(t->tm_year + 1900L);
        while (month > 0 && t->tm_yday < BEFORE_MONTH[month] + (month > 1 && leap)) month--;
        t->tm_mon = month;
        t->tm_mday = t->tm_yday - BEFORE_MONTH[month] - (month > 1 && leap) + 1;
        r.has_month = r.has_day = 1;
    }
    if ((r.has_year || r.has_month || r.has_day) && t->tm_mon >= 0 && t->tm_mon < 12) {
        int yearday = day_of_year(t);
        if (!r.has_weekday) t->tm_wday = day_of_week(t, yearday);
        if (!r.has_yearday) t->tm_yday = yearday;
    }
    return (char *)end;
}
