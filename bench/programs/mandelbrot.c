// Floating-point loops: the Mandelbrot set in doubles, a spectral norm, and a Fourier transform in floats.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned mandelbrot(int size)
{
    unsigned sum = 0;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            double cr = 3.0 * x / size - 2.2, ci = 2.4 * y / size - 1.2, zr = 0, zi = 0;
            int n = 0;
            while (n < 100 && zr * zr + zi * zi < 4) {
                double t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                n++;
            }
            sum = sum * 31 + n;
        }
    return sum;
}

static double element(int i, int j) { return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1); }

static double norm(int n)
{
    double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v), *t = malloc(n * sizeof *t), uv = 0, vv = 0;
    for (int i = 0; i < n; i++)
        u[i] = 1;
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < n; i++) {
            t[i] = 0;
            for (int j = 0; j < n; j++)
                t[i] += element(i, j) * u[j];
        }
        for (int i = 0; i < n; i++) {
            v[i] = 0;
            for (int j = 0; j < n; j++)
                v[i] += element(j, i) * t[j];
        }
        double *swap = u;
        u = v;
        v = swap;
    }
    for (int i = 0; i < n; i++) {
        uv += u[i] * v[i];
        vv += v[i] * v[i];
    }
    free(u);
    free(v);
    free(t);
    return sqrt(uv / vv);
}

static void transform(float *re, float *im, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            float t = re[i];
            re[i] = re[j];
            re[j] = t;
            t = im[i];
            im[i] = im[j];
            im[j] = t;
        }
    }
    for (int length = 2; length <= n; length *= 2) {
        float angle = -6.2831853f / length, wr = cosf(angle), wi = sinf(angle);
        for (int i = 0; i < n; i += length) {
            float cr = 1, ci = 0;
            for (int k = 0; k < length / 2; k++) {
                int a = i + k, b = a + length / 2;
                float xr = re[b] * cr - im[b] * ci, xi = re[b] * ci + im[b] * cr;
                re[b] = re[a] - xr;
                im[b] = im[a] - xi;
                re[a] += xr;
                im[a] += xi;
                float t = cr * wr - ci * wi;
                ci = cr * wi + ci * wr;
                cr = t;
            }
        }
    }
}

int main(void)
{
    enum { N = 1 << 15 };
    float *re = malloc(N * sizeof *re), *im = malloc(N * sizeof *im);
    for (int i = 0; i < N; i++) {
        re[i] = (float)((i * 7919) % 1000) / 1000;
        im[i] = 0;
    }
    for (int round = 0; round < 40; round++) {
            transform(re, im, N);
            for (int i = 0; i < N; i++)
                re[i] /= 181, im[i] /= 181;
        }
    printf("%08x %.9f %.0f\n", mandelbrot(900), norm(1400), 1e3 * log2(re[1] * re[1] + im[1] * im[1] + 1));
    free(re);
    free(im);
    return 0;
}
