// sscanf and scanf: all conversions, widths, sets, assignment suppression, counts, mismatches and end of input.
// stdin: 10 20\n0x1f name:value\n3.5e2 last
// stdout: 2 12 -7 5
// stdout: 4 255 493 16 8
// stdout: 3 abc 123 def
// stdout: 3 key|some value|;
// stdout: 2 1.5 0.25
// stdout: 3 12 34 5
// stdout: 1 9
// stdout: -1 0 1
// stdout: 1 xy
// stdout: 3 44 18446744073709551615 77
// stdout: 0x1234
// stdout: 2 10 20
// stdout: 3 31 name value
// stdout: 1 350
// stdout: 1 last
// stdout: -1
#include <stdio.h>
#include <string.h>

int main(void)
{
    int a = 0, b = 0, n = -1;
    unsigned u = 0;
    long l = 0;
    char c = 0, word[20] = "", set[20] = "";
    float f = 0;
    double d = 0;
    short h = 0;
    printf("%d", sscanf("12 -7 rest", "%d%d%n", &a, &b, &n));
    printf(" %d %d %d\n", a, b, n);
    printf("%d", sscanf("ff 755 0x10 010", "%x %o %i %li", &u, &a, &b, &l));
    printf(" %u %d %d %ld\n", u, a, b, l);
    printf("%d", sscanf("abc123def", "%[a-z]%3d%s", set, &a, word));
    printf(" %s %d %s\n", set, a, word);
    printf("%d", sscanf("key = some value;", "%19[^ =] = %19[^;]%c", set, word, &c));
    printf(" %s|%s|%c\n", set, word, c);
    printf("%d", sscanf("1.5 2.5e-1 0x1p4", "%f %lf %*f", &f, &d));
    printf(" %g %g\n", f, d);
    printf("%d", sscanf("12345", "%2d%2hd%c", &a, &h, &c));
    printf(" %d %d %c\n", a, h, c);
    printf("%d", sscanf("skip 9", "%*s %d", &a));
    printf(" %d\n", a);
    printf("%d %d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a), sscanf("5%", "%d%%", &a));
    char one[3] = { 0 };
    printf("%d %s\n", sscanf("xyz", "%2c", one), one);
    unsigned char small;
    unsigned long long big;
    size_t size;
    printf("%d", sscanf("300 18446744073709551615 77", "%hhu %llu %zu", &small, &big, &size));
    printf(" %d %llu %zu\n", small, big, size);
    void *p;
    sscanf("0x1234", "%p", &p);
    printf("%p\n", p);
    printf("%d", scanf("%d %d", &a, &b));
    printf(" %d %d\n", a, b);
    printf("%d", scanf("%i %19[^:]:%19s", &a, set, word));
    printf(" %d %s %s\n", a, set, word);
    printf("%d", scanf("%lf", &d));
    printf(" %g\n", d);
    printf("%d", scanf("%s %d", word, &a));
    printf(" %s\n", word);
    printf("%d\n", scanf("%d", &a));
    return 0;
}
