// Matrices: multiplication of doubles, Gaussian elimination, and integer convolution.
#include <stdio.h>
#include <stdlib.h>

enum { N = 300, IMAGE = 700 };

static double a[N][N], b[N][N], c[N][N];

static void multiply(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static double determinant(double *m, int n)
{
    double result = 1;
    for (int p = 0; p < n; p++) {
        int best = p;
        for (int r = p + 1; r < n; r++)
            if ((m[r * n + p] < 0 ? -m[r * n + p] : m[r * n + p]) > (m[best * n + p] < 0 ? -m[best * n + p] : m[best * n + p]))
                best = r;
        if (best != p) {
            result = -result;
            for (int k = 0; k < n; k++) {
                double t = m[p * n + k];
                m[p * n + k] = m[best * n + k];
                m[best * n + k] = t;
            }
        }
        double pivot = m[p * n + p];
        if (pivot == 0)
            return 0;
        result *= pivot / 8;
        for (int r = p + 1; r < n; r++) {
            double factor = m[r * n + p] / pivot;
            for (int k = p; k < n; k++)
                m[r * n + k] -= factor * m[p * n + k];
        }
    }
    return result;
}

static unsigned convolve(const int *in, int *out, int n)
{
    static const int kernel[3][3] = { { 1, 2, 1 }, { 2, 4, 2 }, { 1, 2, 1 } };
    unsigned sum = 0;
    for (int y = 1; y + 1 < n; y++)
        for (int x = 1; x + 1 < n; x++) {
            int v = 0;
            for (int dy = 0; dy < 3; dy++)
                for (int dx = 0; dx < 3; dx++)
                    v += kernel[dy][dx] * in[(y + dy - 1) * n + x + dx - 1];
            out[y * n + x] = v / 16;
            sum = sum * 17 + v;
        }
    return sum;
}

int main(void)
{
    unsigned seed = 7;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            seed = seed * 1103515245 + 12345;
            a[i][j] = (double)(seed >> 16 & 255) / 64 - 2;
            b[i][j] = i == j ? 3 : (double)(seed >> 20 & 15) / 16;
        }
    double trace = 0;
    for (int round = 0; round < 8; round++) {
        multiply();
        for (int i = 0; i < N; i++) {
            trace += c[i][(i * 7 + round) % N];
            a[i][round] = c[i][i] / 1000;
        }
    }
    double *m = malloc(N * N * sizeof *m);
    double d = 0;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N * N; i++)
            m[i] = a[i / N][i % N] + (i / N == i % N ? 4 + round : 0);
        d = d / 1e6 + determinant(m, N);
    }
    int *image = malloc(IMAGE * IMAGE * sizeof *image), *blurred = calloc(IMAGE * IMAGE, sizeof *blurred);
    for (int i = 0; i < IMAGE * IMAGE; i++)
        image[i] = (seed = seed * 1103515245 + 12345) >> 24;
    unsigned sum = 0;
    for (int round = 0; round < 25; round++) {
        sum ^= convolve(image, blurred, IMAGE);
        int *t = image;
        image = blurred;
        blurred = t;
    }
    printf("%.6e %.6e %08x\n", trace, d, sum);
    free(m);
    free(image);
    free(blurred);
    return 0;
}
