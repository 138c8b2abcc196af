// Complex numbers of all three precisions: arithmetic, division, functions, passing and returning.
// stdout: 4.0000-2.0000i
// stdout: 11.0000+2.0000i
// stdout: -0.2000+0.4000i
// stdout: -1.0000-2.0000i
// stdout: 3.0000+4.0000i
// stdout: -4.0000+4.0000i
// stdout: 0.0000+2.0000i
// stdout: -1.0000+0.0000i
// stdout: -3.0000+4.0000i
// stdout: 5.0000 1.1071
// stdout: 2.0 -3.0
// stdout: -1.00 2.50
// stdout: ........#..
// stdout: ...........
// stdout: ......####.
// stdout: ....#.####.
// stdout: ##########.
// stdout: ....#.####.
// stdout: ......####.
// stdout: ...........
// stdout: ........#..
// stdout: 4.0000+10.0000i
#include <complex.h>
#include <math.h>
#include <stdio.h>

static double complex square(double complex z) { return z * z; }
static float complex conjugate_half(float complex z) { return conjf(z) / 2; }
static long double complex rotate(long double complex z) { return z * I; }

static int iterations(double complex c)
{
    double complex z = 0;
    int n = 0;
    while (n < 50 && cabs(z) <= 2) {
        z = square(z) + c;
        n++;
    }
    return n;
}

static void show(double complex z) { printf("%.4f%+.4fi\n", creal(z), cimag(z)); }

int main(void)
{
    double complex a = 1 + 2 * I, b = 3 - 4 * I;
    show(a + b);
    show(a * b);
    show(a / b);
    show(-a);
    show(a == b ? a : conj(b));
    show(square(a) - 1);
    show(csqrt(-4));
    show(cexp(I * acos(-1)));
    show(cpow(a, 2));
    printf("%.4f %.4f\n", cabs(b), carg(a));
    float complex f = conjugate_half(4 + 6 * I);
    printf("%.1f %.1f\n", crealf(f), cimagf(f));
    long double complex l = rotate(2.5L + 1.0L * I);
    printf("%.2Lf %.2Lf\n", creall(l), cimagl(l));
    for (int y = -4; y <= 4; y++) {
        for (int x = -8; x <= 2; x++)
            putchar(iterations(x / 4.0 + y / 4.0 * I) == 50 ? '#' : '.');
        putchar('\n');
    }
    double complex grid[2][2] = { { 1, I }, { -I, 1 } };
    __real__ grid[0][0] = 5;
    __imag__ grid[1][1] += 2;
    show(grid[0][0] * grid[1][1] - grid[0][1] * grid[1][0]);
    return 0;
}
