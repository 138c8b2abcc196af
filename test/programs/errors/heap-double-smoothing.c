// A moving average looks one sample ahead at the end of the signal.
#include <stdio.h>
#include <stdlib.h>

static void smooth(const double *in, float *out, int n)
{
    for (int i = 0; i < n; i++) {
        double before = i > 0 ? in[i - 1] : in[i];
        double after = in[i + 1]; // expect: heap-buffer-overflow read
        out[i] = (before + 2 * in[i] + after) / 4;
    }
}

int main(void)
{
    int n = 7;
    double *signal = malloc(n * sizeof *signal);
    float *smoothed = malloc(n * sizeof *smoothed);
    for (int i = 0; i < n; i++)
        signal[i] = i % 3 ? 1.0 : 4.0;
    smooth(signal, smoothed, n);
    for (int i = 0; i < n; i++)
        printf("%.3f%c", smoothed[i], i + 1 < n ? ' ' : '\n');
    free(signal);
    free(smoothed);
    return 0;
}
