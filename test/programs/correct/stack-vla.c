// Edit distance keeps a row of a variable-length array.
// args: kitten sitting
// stdout: 3
#include <stdio.h>
#include <string.h>

static int distance(const char *a, const char *b)
{
    int n = strlen(b);
    int row[n + 1];
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int best = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            if (corner + 1 < best)
                best = corner + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[n];
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    printf("%d\n", distance(argv[1], argv[2]));
    return 0;
}
