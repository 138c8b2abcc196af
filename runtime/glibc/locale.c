/* Locales by glibc's rules: C unless the environment says otherwise, C.UTF-8 always there, others only if the system has
   them. What a locale means is our libc's: bytes or UTF-8. */
#define _GNU_SOURCE
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "glibc.h"

enum { CATEGORIES = 13, ALL = 6, LONGEST_NAME = 80 };

static const char *const VARIABLES[CATEGORIES] = {
    "LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES", "LC_ALL",
    "LC_PAPER", "LC_NAME", "LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION",
};

static char names[CATEGORIES][LONGEST_NAME];
static char whole[CATEGORIES * (LONGEST_NAME + 20)];

static const char *name_of(int category) {
    return *names[category] ? names[category] : "C";
}

static int is_utf8(const char *name) {
    const char *dot = strchr(name, '.');
    return dot && (!strncasecmp(dot + 1, "UTF-8", 5) || !strncasecmp(dot + 1, "utf8", 4));
}

static int is_plain(const char *name) {
    return !strcmp(name, "C") || !strcmp(name, "POSIX");
}

/* UTF-8 is written in many ways; folders of locales have one. */
static int is_installed(const char *name) {
    char path[LONGEST_NAME + 40];
    const char *dot = strchrnul(name, '.');
    if (!is_utf8(name)) return 0;
    strcpy(path, "/usr/lib/locale/");
    strncat(path, name, (size_t)(dot - name));
    strcat(path, ".utf8");
    return access(path, R_OK) == 0 || access("/usr/lib/locale/locale-archive", R_OK) == 0;
}

static int exists(const char *name) {
    if (is_plain(name)) return 1;
    if (strlen(name) >= LONGEST_NAME || strchr(name, '/')) return 0;
    if (!strncmp(name, "C.", 2) && is_utf8(name)) return 1;
    return is_installed(name);
}

static const char *from_environment(int category) {
    const char *const sources[] = {"LC_ALL", VARIABLES[category], "LANG"};
    for (int k = 0; k < 3; k++) {
        const char *value = getenv(sources[k]);
        if (value && *value) return value;
    }
    return "C";
}

static void apply(int category, const char *name) {
    strcpy(names[category], is_plain(name) ? "C" : name);
    if (category == LC_CTYPE) setlocale(LC_CTYPE, is_utf8(name) ? "C.UTF-8" : "C");
    if (category == LC_MESSAGES && strlen(name) < 23) setlocale(LC_MESSAGES, is_plain(name) ? "C" : name);
}

static char *all_names(void) {
    int same = 1;
    char *at = whole;
    for (int k = 0; k < CATEGORIES; k++)
        if (k != ALL && strcmp(name_of(k), name_of(0))) same = 0;
    if (same) return strcpy(whole, name_of(0));
    for (int k = 0; k < CATEGORIES; k++)
        if (k != ALL) at += sprintf(at, "%s%s=%s", k ? ";" : "", VARIABLES[k], name_of(k));
    return whole;
}

/* Of "LC_CTYPE=C;LC_NUMERIC=..." the part for a category; the name itself if it is not of that form. */
static const char *part_for(int category, const char *name, char part[LONGEST_NAME]) {
    size_t length = strlen(VARIABLES[category]);
    if (!strchr(name, ';')) return name;
    for (const char *at = name; *at;) {
        const char *end = strchrnul(at, ';');
        if (!strncmp(at, VARIABLES[category], length) && at[length] == '=') {
            size_t size = (size_t)(end - at) - length - 1;
            if (size >= LONGEST_NAME) return "?";
            memcpy(part, at + length + 1, size);
            part[size] = 0;
            return part;
        }
        at = *end ? end + 1 : end;
    }
    return "?";
}

char *glibc_setlocale(int category, const char *name) {
    char part[LONGEST_NAME];
    if (category < 0 || category >= CATEGORIES) {
        errno = EINVAL;
        return 0;
    }
    if (!name) return category == ALL ? all_names() : (char *)name_of(category);
    for (int k = 0; k < CATEGORIES; k++) {
        if (k == ALL || (category != ALL && category != k)) continue;
        const char *wanted = *name ? part_for(k, name, part) : from_environment(k);
        if (!exists(wanted)) {
            errno = ENOENT;
            return 0;
        }
    }
    for (int k = 0; k < CATEGORIES; k++) {
        if (k == ALL || (category != ALL && category != k)) continue;
        apply(k, *name ? part_for(k, name, part) : from_environment(k));
    }
    return category == ALL ? all_names() : (char *)name_of(category);
}

#define ALL_CATEGORIES 0x3f

locale_t glibc_newlocale(int mask, const char *name, locale_t base) {
    const char *wanted = *name ? name : from_environment(LC_CTYPE);
    if (!exists(wanted)) {
        errno = ENOENT;
        return 0;
    }
    return newlocale(mask & ALL_CATEGORIES, is_utf8(wanted) ? "C.UTF-8" : "C", base);
}

/* Items that musl lacks: the months by themselves, as opposed to those of a date, and what date(1) prints. */
enum { ALTERNATIVE_MONTH = 0x2006f, SHORT_ALTERNATIVE_MONTH = 0x20087, DATE_FORMAT = 0x2006c };

static char *information(nl_item item, int utf8, char *ours) {
    if (item == CODESET) return utf8 ? "UTF-8" : "ANSI_X3.4-1968";
    /* The name of a category's locale; our libc has only the first six. */
    if ((item & 0xffff) == 0xffff && item >> 16 > ALL && item >> 16 < CATEGORIES) return utf8 ? "C.UTF-8" : "C";
    if (item == CRNCYSTR) return "-";
    if (item == D_T_FMT) return "%a %b %e %H:%M:%S %Y";
    if (item == DATE_FORMAT) return "%a %b %e %H:%M:%S %Z %Y";
    if (item >= ALTERNATIVE_MONTH && item < ALTERNATIVE_MONTH + 12) return nl_langinfo(MON_1 + item - ALTERNATIVE_MONTH);
    if (item >= SHORT_ALTERNATIVE_MONTH && item < SHORT_ALTERNATIVE_MONTH + 12)
        return nl_langinfo(ABMON_1 + item - SHORT_ALTERNATIVE_MONTH);
    if (item == ERA_D_T_FMT || item == ERA_D_FMT || item == ERA_T_FMT || item == ALT_DIGITS) return "";
    if (item == YESSTR || item == NOSTR) return "";
    return ours;
}

char *glibc_nl_langinfo(nl_item item) {
    return information(item, MB_CUR_MAX > 1, nl_langinfo(item));
}

char *glibc_nl_langinfo_l(nl_item item, locale_t locale) {
    return information(item, !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8"), nl_langinfo_l(item, locale));
}

/* glibc allows for the six bytes that UTF-8 once had. */
size_t glibc___ctype_get_mb_cur_max(void) {
    return MB_CUR_MAX > 1 ? 6 : 1;
}

int glibc_rpmatch(const char *answer) {
    if (*answer == 'y' || *answer == 'Y') return 1;
    return *answer == 'n' || *answer == 'N' ? 0 : -1;
}
