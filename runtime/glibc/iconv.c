/* Conversions of characters. What follows // in glibc's names says what becomes of characters that the target lacks. */
#define _GNU_SOURCE
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include "glibc.h"

struct converter {
    iconv_t ours;
    int translit, ignore;
};

static void without_suffix(char *out, size_t size, const char *name) {
    const char *slashes = strstr(name, "//");
    size_t length = slashes ? (size_t)(slashes - name) : strlen(name);
    if (length >= size) length = size - 1;
    memcpy(out, name, length);
    out[length] = 0;
}

iconv_t glibc_iconv_open(const char *to, const char *from) {
    char to_name[64], from_name[64];
    without_suffix(to_name, sizeof to_name, to);
    without_suffix(from_name, sizeof from_name, from);
    iconv_t ours = iconv_open(*to_name ? to_name : "ASCII", *from_name ? from_name : "ASCII");
    if (ours == (iconv_t)-1) return ours;
    struct converter *c = malloc(sizeof *c);
    if (!c) {
        iconv_close(ours);
        return (iconv_t)-1;
    }
    *c = (struct converter){ours, strstr(to, "//TRANSLIT") != 0, strstr(to, "//IGNORE") || strstr(to, ",IGNORE")};
    return (iconv_t)c;
}

int glibc_iconv_close(iconv_t converter) {
    struct converter *c = (struct converter *)converter;
    int result = iconv_close(c->ours);
    free(c);
    return result;
}

/* Our libc writes a star for what the target lacks, and counts it; so it is given one character at a time from there. */
size_t glibc_iconv(iconv_t converter, char **in, size_t *in_left, char **out, size_t *out_left) {
    struct converter *c = (struct converter *)converter;
    size_t replaced = 0;
    if (!in || !*in) return iconv(c->ours, in, in_left, out, out_left);
    while (*in_left) {
        char *in_before = *in, *out_before = *out;
        size_t in_size = *in_left, out_size = *out_left, result = (size_t)-1, part;
        for (part = 1; part <= in_size && part <= 16; part++) {
            *in_left = part;
            result = iconv(c->ours, in, in_left, out, out_left);
            if (result != (size_t)-1 || errno != EINVAL) break;
            *in = in_before;
            *out = out_before;
            *out_left = out_size;
        }
        *in_left = in_size - (size_t)(*in - in_before);
        if (result == (size_t)-1) {
            if (errno == EILSEQ && c->ignore) {
                (*in)++;
                (*in_left)--;
                continue;
            }
            return result;
        }
        if (result > 0) {
            if (c->translit) {
                (*out)[-1] = '?';
                replaced++;
            } else {
                *out = out_before;
                *out_left = out_size;
                if (!c->ignore) {
                    *in = in_before;
                    *in_left = in_size;
                    errno = EILSEQ;
                    return (size_t)-1;
                }
            }
        }
    }
    return replaced;
}
