/* A record while it is written: a folder with a file `events` (lines of key, length, bytes) and files beside it. It is named .part
   until the program has ended; one that stays so was cut short. If it could not be written, it is named .lost and counted.
   Read by src/project/collect-records.ts. */
#ifndef TANGENT_RECORD_H
#define TANGENT_RECORD_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#define MAX_FILE_BYTES (64u << 20)

/* Where records go, absolute. */
extern char record_store[];
/* Descriptor of `events`, or -1. */
extern int record_events;

int begin_record(void);
void end_record(void);
/* This invocation has no record of use. */
void count_as_lost(void);

void tell(const char *key, const void *bytes, size_t size);
void tell_text(const char *key, const char *text);
void tell_number(const char *key, long long number);
/* What is told between the two is written at once. */
void tell_together(void);
void told_together(void);

int write_all(int file, const void *bytes, size_t size);
/* As write_all; a failure makes the record a lost one. */
void keep(int file, const void *bytes, size_t size);
int create_in_folder(const char *name);
/* Copies from the source's offset; the source's own offset stays as it is. */
int copy_into(const char *name, int source, off_t offset);
/* A file's content as it is read by nobody: what is not a regular file is left alone (opening one end of a named pipe would wake
   the other), and the time of the last access stays as it is where that is permitted. Otherwise -1, and why in errno. */
int open_unnoticed(const char *path, struct stat *status);

#endif
