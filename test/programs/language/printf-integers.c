// printf of integers, strings and pointers: every flag, width, precision and length modifier, and positions.
// stdout: [42] [   42] [42   ] [00042] [+42] [ 42] [042] [     042]
// stdout: [-2147483648] [-1] [4294967295] [ff] [FF] [10] [0xff] [010] [0XFF]
// stdout: [-56] [-25536] [-9223372036854775808] [9223372036854775807] [-1] [-2] [3]
// stdout: [] [] [     ] [0]
// stdout: [text] [      text] [text      ] [te] [tex] [text    ]
// stdout: [x] [    y] [z    ] [%]
// stdout: [twice 7 twice]
// stdout: [0xabc] [               0xabc]
// stdout: abc def
// stdout: 3 7
// stdout: ffffffffffffffff 250 -5
// stdout: 15 truncat 7
// stdout: 80
// stdout: 500 07
// stdout: ok
// stdout: 122333
// stdout: 7
// stdout: to stdout
// stdout: puts
// stdout: fputs
// stdout: pc
// stdout: write
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d]\n", 42, 42, 42, 42, 42, 42, 42, 42);
    printf("[%d] [%i] [%u] [%x] [%X] [%o] [%#x] [%#o] [%#X]\n", INT_MIN, -1, UINT_MAX, 255, 255, 8, 255, 8, 255);
    printf("[%hhd] [%hd] [%ld] [%lld] [%zd] [%jd] [%td]\n", 200, 40000, LONG_MIN, LLONG_MAX, (ssize_t)-1, (intmax_t)-2,
           (ptrdiff_t)3);
    printf("[%.0d] [%.0x] [%5.0d] [%#.0o]\n", 0, 0, 0, 0);
    printf("[%s] [%10s] [%-10s] [%.2s] [%.*s] [%*s]\n", "text", "text", "text", "text", 3, "text", -8, "text");
    printf("[%c] [%5c] [%-5c] [%%]\n", 'x', 'y', 'z');
    printf("[%2$s %1$d %2$s]\n", 7, "twice");
    printf("[%p] [%20p]\n", (void *)0xabc, (void *)0xabc);
    int n, m;
    printf("abc%n def%n\n", &n, &m);
    printf("%d %d\n", n, m);
    printf("%" PRIx64 " %" PRIu8 " %" PRId16 "\n", UINT64_MAX, (uint8_t)250, (int16_t)-5);
    char small[8];
    int wanted = snprintf(small, sizeof small, "%s-%d", "truncated", 12345);
    printf("%d %s %zu\n", wanted, small, strlen(small));
    printf("%d\n", snprintf(NULL, 0, "%080d", 1));
    char large[600];
    sprintf(large, "%0500d", 7);
    printf("%zu %c%c\n", strlen(large), large[0], large[499]);
    printf("%s\n", (char[]){ 'o', 'k', 0 });
    int written = printf("%d%d%d\n", 1, 22, 333);
    printf("%d\n", written);
    fprintf(stdout, "%s %s\n", "to", "stdout");
    puts("puts");
    fputs("fputs\n", stdout);
    putchar('p');
    putc('c', stdout);
    fwrite("\nwrite\n", 1, 7, stdout);
    dprintf(1, "");
    return 0;
}
