/* Classes of characters. There is one character set for bytes, ASCII, in every locale. */
#include <ctype.h>
#include <locale.h>

/* c in [low, high], by one comparison. */
static inline int within(int c, int low, int high) {
    return (unsigned)c - (unsigned)low <= (unsigned)(high - low);
}

/* Each class with its variants for a locale, which all give the same answer. */
#define CLASS(name, condition)            \
    int name(int c) {                     \
        return condition;                 \
    }                                     \
    int __##name##_l(int c, locale_t l) { \
        (void)l;                          \
        return condition;                 \
    }                                     \
    int name##_l(int c, locale_t l) {     \
        (void)l;                          \
        return condition;                 \
    }

#undef isalpha
#undef isdigit
#undef islower
#undef isupper
#undef isprint
#undef isgraph
#undef isspace
#undef isascii

CLASS(isdigit, within(c, '0', '9'))
CLASS(isalpha, within(c | 32, 'a', 'z'))
CLASS(islower, within(c, 'a', 'z'))
CLASS(isupper, within(c, 'A', 'Z'))
CLASS(isalnum, within(c, '0', '9') | within(c | 32, 'a', 'z'))
CLASS(isblank, (c == ' ') | (c == '\t'))
CLASS(isspace, (c == ' ') | within(c, '\t', '\r'))
CLASS(iscntrl, within(c, 0, 31) | (c == 127))
CLASS(isprint, within(c, 32, 126))
CLASS(isgraph, within(c, 33, 126))
CLASS(ispunct, within(c, 33, 126) & !(within(c, '0', '9') | within(c | 32, 'a', 'z')))
CLASS(isxdigit, within(c, '0', '9') | within(c | 32, 'a', 'f'))
CLASS(tolower, within(c, 'A', 'Z') ? c | 32 : c)
CLASS(toupper, within(c, 'a', 'z') ? c & 95 : c)

int isascii(int c) {
    return within(c, 0, 127);
}

int toascii(int c) {
    return c & 127;
}
