// Compares as many bytes as the word has.
// stdout: 1
// environment: TANGENT_DETECTORS=strict-strings
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *word = malloc(3);
    memcpy(word, "abc", 3);
    printf("%d\n", strncmp(word, "xyz and more", 3) < 0);
    free(word);
    return 0;
}
