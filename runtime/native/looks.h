/* What a traced program looks at, as it was before the program first looked at it or changed it: kinds, modes, sizes, times, targets
   of links, what is not there, the names in directories that are read, the contents of files that are opened. What the
   program made itself is not told. */
#ifndef TANGENT_LOOKS_H
#define TANGENT_LOOKS_H

#include <sys/types.h>

enum {
    /* A link at the end of the path is followed. */
    LOOK_FOLLOWS = 1,
    /* The content is wanted too. */
    LOOK_CONTENT = 2,
    /* The content is the program's own from here on. */
    LOOK_CHANGES = 4,
    /* The name itself comes or goes. */
    LOOK_NAMES = 8,
};

/* `own`: two directories whose files are a test's own wherever they lie. */
void begin_looks(pid_t traced, const char *first_own, const char *second_own);
/* A path that a system call is about to use. `directory`: descriptor of the program, or AT_FDCWD. */
void look(int directory, const char *path, int how);
/* The named pipe that the last look found, if it is about to be read from for the first time; null: there was none. */
const char *pipe_looked_at(unsigned *mode);
/* The names in an open directory are about to be read. */
void look_into(int descriptor);
/* Something is about to be renamed, and was: it stays known under its old name. */
void look_renaming(int from_directory, const char *from, int to_directory, const char *to);
void look_renamed(void);

#endif
