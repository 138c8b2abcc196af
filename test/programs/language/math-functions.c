// math.h: rounding, remainders, classification, exponentials, trigonometry to 12 digits, and special values.
// stdout: 0.479425538604 0.87758256189 0.546302489844 0.463647609001 1.00501252086 -0.69314718056 0.793700525984
// stdout: 5e-10 0.46211715726 0.48121182506 0 1 0 1 0 1
// stdout: 0.841470984808 0.540302305868 1.55740772465 0.785398163397 1.01005016708 0 1
// stdout: 1e-09 0.761594155956 0.88137358702 1 1 1 1 1 1
// stdout: 0.909297426826 -0.416146836547 -2.18503986326 1.10714871779 1.02020134003 0.69314718056 1.25992104989
// stdout: 2e-09 0.964027580076 1.44363547518 2 2 2 2 2 2
// stdout: -0.681638760023 0.731688868874 -0.931596459944 -0.643501108793 0.992528054819 -0.287682072452 -0.908560296416
// stdout: -7.5e-10 -0.635148952387 -0.69314718056 -1 -0 -0 -1 -1 -1
// stdout: -0.544021110889 -0.839071529076 0.648360827459 1.4711276743 1.10517091808 2.30258509299 2.15443469003
// stdout: 1e-08 0.999999995878 2.9982229503 10 10 10 10 10 10
// stdout: -0.277282856455 0.960788331276 -0.288599317278 1.56082159528 2.72508603474 4.60766706619 4.64545360545
// stdout: 1.0025e-07 1 5.30083912129 100 101 100 100 100 100
// stdout: 9.99999999983e-06 0.99999999995 1.00000000003e-05 9.99999999967e-06 1.0000001 -11.512925465 0.0215443469003
// stdout: 1e-14 9.99999999967e-06 9.99999999983e-06 0 1 0 0 0 0
// stdout: 0.756148473395 -0.654400096411 -1.15548343825 -1.32575882629 0.960799047095 1.38604432986 -1.58726875752
// stdout: -3.999e-09 -0.999327957447 -2.0944699831 -4 -3 -3 -4 -4 -4
// stdout: -0.487506025088 0.873119622677 -0.558349637811 1.57079632669 inf 23.0258509299 2154.43469003
// stdout: 11013.2328747 1 23.7189981105 1e+10 1e+10 1e+10 1e+10 1e+10 10000000000
// stdout: 1.41421356237 -8 0.001
// stdout: 1.41421356237 5 10
// stdout: 1.5 -1.5 -0.5 0.5
// stdout: 0.523598775598 1.0471975512 2.35619449019 -3.14159265359
// stdout: 3.32192809489 0.301029995664 9.9999999995e-11
// stdout: 1.41421356237 1.00000000005e-10 52.34277778 13.94062522
// stdout: 0.520499877813 0.00467773498105
// stdout: 0.78125 7 -0.25 -3 24
// stdout: 9 -4 1024
// stdout: -3 2.22045e-16 2
// stdout: 1 -1
// stdout: 1 1 1 1
// stdout: 0 1 0
// stdout: 0.841471 1.414214 -2 1.732051
// stdout: 1 2
// stdout: 1 0
// stdout: -0 -inf
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const double values[] = { 0.5, 1, 2, -0.75, 10, 100.25, 1e-5, -3.999, 1e10 };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        double x = values[i];
        printf("%.12g %.12g %.12g %.12g ", sin(x), cos(x), tan(x), atan(x));
        printf("%.12g %.12g %.12g\n", exp(x / 100), log(fabs(x)), cbrt(x));
        printf("%.12g %.12g %.12g ", sinh(x / 1e9), tanh(x), asinh(x));
        printf("%g %g %g %g %g %ld\n", floor(x), ceil(x), trunc(x), round(x), rint(x), lround(x));
    }
    printf("%.12g %.12g %.12g\n", pow(2, 0.5), pow(-2, 3), pow(10, -3));
    printf("%.12g %.12g %.12g\n", sqrt(2), hypot(3, 4), fma(2, 3, 4));
    printf("%g %g %g %g\n", fmod(7.5, 2), fmod(-7.5, 2), remainder(7.5, 2), remainder(8.5, 2));
    printf("%.12g %.12g %.12g %.12g\n", asin(0.5), acos(0.5), atan2(1, -1), atan2(-0.0, -1));
    printf("%.12g %.12g %.12g\n", log2(10), log10(2), log1p(1e-10));
    printf("%.12g %.12g %.10g %.10g\n", exp2(0.5), expm1(1e-10), tgamma(5.5), lgamma(10.5));
    printf("%.12g %.12g\n", erf(0.5), erfc(2));
    int exponent;
    double whole, mantissa = frexp(100, &exponent), fraction = modf(-3.25, &whole);
    printf("%g %d %g %g %g\n", mantissa, exponent, fraction, whole, ldexp(0.75, 5));
    printf("%d %g %d\n", ilogb(1000), logb(0.1), (int)scalbn(1, 10));
    printf("%g %g %g\n", copysign(3, -0.0), nextafter(1, 2) - 1, fdim(5, 3));
    printf("%g %g\n", fmax(1, NAN), fmin(-1, 1));
    printf("%d %d %d %d\n", isnan(sqrt(-1)) != 0, isinf(exp(1000)) != 0, isfinite(1.0) != 0, signbit(-0.0) != 0);
    printf("%d %d %d\n", isnormal(1e-310) != 0, fpclassify(0.0) == FP_ZERO, isless(1, NAN) != 0);
    printf("%.7g %.7g %.7g %.7g\n", sinf(1), powf(2, 0.5f), floorf(-1.5f), sqrtf(3));
    printf("%d %d\n", fegetround() == FE_TONEAREST, (int)nearbyint(2.5));
    printf("%d %d\n", 0.0 == -0.0, NAN == NAN);
    printf("%g %g\n", strtod("-0", NULL), 1 / strtod("-0", NULL));
    return 0;
}
