/* The entry of a libFuzzer harness: a program that defines LLVMFuzzerTestOneInput and no main gets this one. The inputs are the
   files named on the command line, one call each, or all of standard input; both are where exploration puts symbolic bytes.
   Each input is a heap block of exactly its size, so that reading beyond it is found.
   The same file serves native programs (src/frontend/cc-libraries.ts). */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((__weak__)) int LLVMFuzzerInitialize(int *argc, char ***argv);

#define CHUNK 4096

/* 1 if the input could not be read. */
static int test_input(int descriptor) {
    uint8_t *data = NULL;
    size_t size = 0, capacity = 0;
    for (;;) {
        if (size == capacity) {
            uint8_t *larger = realloc(data, capacity += CHUNK);
            if (larger == NULL) {
                free(data);
                return 1;
            }
            data = larger;
        }
        ssize_t count = read(descriptor, data + size, capacity - size);
        if (count < 0) {
            free(data);
            return 1;
        }
        if (count == 0) break;
        size += (size_t)count;
    }
    uint8_t *exact = malloc(size);
    if (exact == NULL && size > 0) {
        free(data);
        return 1;
    }
    if (size > 0) memcpy(exact, data, size);
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 0;
}

int main(int argc, char **argv) {
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
    int files = 0, status = 0;
    for (int i = 1; i < argc; i++) {
        /* Options are for libFuzzer itself. */
        if (argv[i][0] == '-' && argv[i][1] != 0) continue;
        files++;
        int descriptor = strcmp(argv[i], "-") == 0 ? 0 : open(argv[i], O_RDONLY);
        if (descriptor < 0 || test_input(descriptor)) {
            perror(argv[i]);
            status = 1;
        }
        if (descriptor > 0) close(descriptor);
    }
    if (files == 0 && test_input(0)) {
        perror("standard input");
        status = 1;
    }
    return status;
}
