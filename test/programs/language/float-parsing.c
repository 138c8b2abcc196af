// strtod and its family: correct rounding, hexadecimal, infinities, overflow, underflow, and what is left unparsed.
// stdout: 0 [] 0
// stdout: -125 [xyz] 0
// stdout: 0.10000000000000001 [] 0
// stdout: 1.7976931348623157e+308 [] 0
// stdout: 1.7976931348623157e+308 [] 0
// stdout: inf [] 1
// stdout: -inf [] 1
// stdout: 0 [] 1
// stdout: 4.94066e-324 2.22507e-308
// stdout: 9007199254740992 [] 0
// stdout: 9007199254740992 [] 0
// stdout: 12 [] 0
// stdout: 2 [] 0
// stdout: 0 [xg] 0
// stdout: inf [] 0
// stdout: -inf [x] 0
// stdout: 0.5 [.5] 0
// stdout: 0 [e5] 0
// stdout: 1 [e+] 0
// stdout: 0 [+.e1] 0
// stdout: 1
// stdout: 0.100000001 16777216
// stdout: inf
// stdout: 2.5 0
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void parse(const char *text)
{
    char *end;
    errno = 0;
    double d = strtod(text, &end);
    printf("%.17g [%s] %d\n", d, end, errno == ERANGE);
}

int main(void)
{
    parse("0");
    parse("  -12.5e1xyz");
    parse("0.1");
    parse("179769313486231570814527423731704356798070567525844996598917476803157260780028538760589558632766878e210");
    parse("1.7976931348623157e308");
    parse("1e400");
    parse("-1e400");
    parse("1e-400");
    printf("%g %g\n", strtod("4.9406564584124654e-324", NULL), strtod("2.2250738585072011e-308", NULL));
    parse("9007199254740993");
    parse("9007199254740992.99999999999999999999999999999999999");
    parse("0x1.8p3");
    parse("0x1.fffffffffffff8p0");
    parse("0xg");
    parse("inf");
    parse("-Infinityx");
    parse(".5.5");
    parse("e5");
    parse("1e+");
    parse("+.e1");
    printf("%d\n", isnan(strtod("nan(123)", NULL)) != 0);
    printf("%.9g %.9g\n", strtof("0.1", NULL), strtof("16777217", NULL));
    printf("%.9g\n", strtof("1e39", NULL));
    printf("%g %g\n", atof("2.5abc"), atof("junk"));
    return 0;
}
