// Compares a word that has no end; that the first bytes differ decides.
// environment: TANGENT_DETECTORS=strict-strings
// native: none (AddressSanitizer tells it with strict_string_checks)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *word = malloc(3);
    memcpy(word, "abc", 3);
    printf("%d\n", strncmp(word, "xyz and more", 8) < 0); // expect: heap-buffer-overflow read
    free(word);
    return 0;
}
