/* Streams of a program that are no files: outputs where writing fails, and named pipes that it reads from. What comes through standard
   input is stand-in.c's own business. */
#ifndef TANGENT_STREAMS_H
#define TANGENT_STREAMS_H

#include <stddef.h>
#include <stdint.h>

/* Of the traced program; how much could be read. In stand-in.c. */
size_t read_memory(uint64_t address, void *into, size_t size);

void record_output(int descriptor, const char *key);
int ignores_broken_pipes(void);
/* System calls that have ended. */
void record_writing(uint64_t number, uint64_t descriptor, int64_t result);
void record_pipe(int64_t descriptor);
void record_pipe_delivery(int descriptor, uint64_t address, uint64_t size);
void record_pipe_closing(int descriptor);
/* At the program's end. */
void tell_pipes(void);

#endif
