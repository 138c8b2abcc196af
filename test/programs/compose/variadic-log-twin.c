// A small printf of its own: %c a character, %w N a number of N places. The width comes from the command line.
#include <stdarg.h>
#include <stdio.h>

struct text {
    char bytes[64];
    int used;
};

static void put(struct text *text, char c)
{
    if (text->used < 63)
        text->bytes[text->used++] = c;
}

static void put_number(struct text *text, unsigned value, int width)
{
    char digits[8];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0 && count < 8);
    while (count < width)
        digits[count++] = ' '; // WOULD FAIL
    while (count > 0)
        put(text, digits[--count]);
}

static void message(struct text *text, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            put(text, *format);
        } else if (*++format == 'c') {
            put(text, (char)va_arg(rest, int));
        } else {
            int width = va_arg(rest, int);
            put_number(text, va_arg(rest, unsigned), width);
        }
    }
    va_end(rest);
}

static int report(const char *name, int width, unsigned value)
{
    struct text text = {{0}, 0};
    if (width < 1 || width > 8)
        return 1;
    message(&text, "%c: %w", name[0], width, value);
    printf("%s\n", text.bytes);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned value = 0;
    if (argc != 4 || argv[2][0] == '\0' || argv[2][1] != '\0')
        return 2;
    for (const char *digit = argv[3]; *digit >= '0' && *digit <= '9' && value < 1000; digit++)
        value = value * 10 + (unsigned)(*digit - '0');
    return report(argv[1], argv[2][0] - '0', value);
}
