/* Characters of several bytes. In the locale C, glibc knows no character above 127, where our libc has private ones. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "glibc.h"

#define HIGHEST 0x7f

static int is_bytes(void) {
    return MB_CUR_MAX == 1;
}

static size_t invalid(void) {
    errno = EILSEQ;
    return (size_t)-1;
}

size_t glibc_mbrtowc(wchar_t *wide, const char *text, size_t size, mbstate_t *state) {
    if (is_bytes() && text && size && (unsigned char)*text > HIGHEST) return invalid();
    return mbrtowc(wide, text, size, state);
}

size_t glibc_mbrlen(const char *text, size_t size, mbstate_t *state) {
    if (is_bytes() && text && size && (unsigned char)*text > HIGHEST) return invalid();
    return mbrlen(text, size, state);
}

int glibc_mbtowc(wchar_t *wide, const char *text, size_t size) {
    if (is_bytes() && text && size && (unsigned char)*text > HIGHEST) return (int)invalid();
    return mbtowc(wide, text, size);
}

int glibc_mblen(const char *text, size_t size) {
    return glibc_mbtowc(0, text, size);
}

wint_t glibc_btowc(int byte) {
    return byte > HIGHEST ? WEOF : btowc(byte);
}

int glibc_wctob(wint_t wide) {
    return wide > HIGHEST ? EOF : wctob(wide);
}

size_t glibc_wcrtomb(char *text, wchar_t wide, mbstate_t *state) {
    if (is_bytes() && text && (unsigned)wide > HIGHEST) return invalid();
    return wcrtomb(text, wide, state);
}

int glibc_wctomb(char *text, wchar_t wide) {
    if (is_bytes() && text && (unsigned)wide > HIGHEST) return (int)invalid();
    return wctomb(text, wide);
}

size_t glibc_mbsnrtowcs(wchar_t *wide, const char **text, size_t bytes, size_t size, mbstate_t *state) {
    if (!is_bytes()) return mbsnrtowcs(wide, text, bytes, size, state);
    const char *at = *text;
    size_t count = 0;
    for (; bytes && (!wide || count < size); at++, count++, bytes--) {
        if ((unsigned char)*at > HIGHEST) {
            if (wide) *text = at;
            return invalid();
        }
        if (wide) wide[count] = *at;
        if (!*at) {
            if (wide) *text = 0;
            return count;
        }
    }
    if (wide) *text = at;
    return count;
}

size_t glibc_mbsrtowcs(wchar_t *wide, const char **text, size_t size, mbstate_t *state) {
    return is_bytes() ? glibc_mbsnrtowcs(wide, text, (size_t)-1, size, state) : mbsrtowcs(wide, text, size, state);
}

size_t glibc_mbstowcs(wchar_t *wide, const char *text, size_t size) {
    return is_bytes() ? glibc_mbsnrtowcs(wide, &text, (size_t)-1, size, 0) : mbstowcs(wide, text, size);
}

size_t glibc_wcsnrtombs(char *text, const wchar_t **wide, size_t characters, size_t size, mbstate_t *state) {
    if (!is_bytes()) return wcsnrtombs(text, wide, characters, size, state);
    const wchar_t *at = *wide;
    size_t count = 0;
    for (; characters && (!text || count < size); at++, count++, characters--) {
        if ((unsigned)*at > HIGHEST) {
            if (text) *wide = at;
            return invalid();
        }
        if (text) text[count] = (char)*at;
        if (!*at) {
            if (text) *wide = 0;
            return count;
        }
    }
    if (text) *wide = at;
    return count;
}

size_t glibc_wcsrtombs(char *text, const wchar_t **wide, size_t size, mbstate_t *state) {
    return is_bytes() ? glibc_wcsnrtombs(text, wide, (size_t)-1, size, state) : wcsrtombs(text, wide, size, state);
}

size_t glibc_wcstombs(char *text, const wchar_t *wide, size_t size) {
    return is_bytes() ? glibc_wcsnrtombs(text, &wide, (size_t)-1, size, 0) : wcstombs(text, wide, size);
}
