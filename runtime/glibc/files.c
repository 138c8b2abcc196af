/* Files and folders: names that only glibc has, and trees of files, whose numbers differ. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "glibc.h"

/* Old programs name the version of the structure first. */
int glibc___xstat(int version, const char *path, struct stat *s) {
    return stat(path, s);
}
int glibc___lxstat(int version, const char *path, struct stat *s) {
    return lstat(path, s);
}
int glibc___fxstat(int version, int file, struct stat *s) {
    return fstat(file, s);
}
int glibc___fxstatat(int version, int folder, const char *path, struct stat *s, int flags) {
    return fstatat(folder, path, s, flags);
}
int glibc___xmknod(int version, const char *path, mode_t mode, dev_t *device) {
    return mknod(path, mode, *device);
}
int glibc___xmknodat(int version, int folder, const char *path, mode_t mode, dev_t *device) {
    return mknodat(folder, path, mode, *device);
}

/* Two slashes at the beginning may mean something else to POSIX, and to our libc; to glibc on Linux they do not. */
char *glibc_realpath(const char *restrict path, char *restrict buffer) {
    char *result = realpath(path, buffer);
    if (result && result[0] == '/' && result[1] == '/') memmove(result, result + 1, strlen(result));
    return result;
}
char *glibc_canonicalize_file_name(const char *path) {
    return glibc_realpath(path, 0);
}

/* GNU's, which changes nothing. */
char *glibc_basename(const char *path) {
    char *slash = strrchr(path, '/');
    return slash ? slash + 1 : (char *)path;
}

int glibc_close_range(unsigned first, unsigned last, int flags) {
    long most = sysconf(_SC_OPEN_MAX);
    if (first > last || flags & ~6) {
        errno = EINVAL;
        return -1;
    }
    for (long file = first; file <= (long)last && file < most; file++) {
        if (flags & 4)
            fcntl((int)file, F_SETFD, FD_CLOEXEC);
        else
            close((int)file);
    }
    errno = 0;
    return 0;
}

void glibc_closefrom(int first) {
    int kept = errno;
    glibc_close_range(first < 0 ? 0 : (unsigned)first, ~0u, 0);
    errno = kept;
}

int glibc_scandirat(int folder, const char *path, struct dirent ***list, int (*choose)(const struct dirent *),
                    int (*compare)(const struct dirent **, const struct dirent **)) {
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (here < 0 || fchdir(folder) < 0) {
        close(here);
        return -1;
    }
    int count = scandir(path, list, choose, compare), kept = errno;
    fchdir(here);
    close(here);
    errno = kept;
    return count;
}

/* ------------------------------------------------------------ trees of files: the kinds count from 0, ours from 1 */

typedef int file_visitor(const char *, const struct stat *, int);
typedef int tree_visitor(const char *, const struct stat *, int, struct FTW *);

static file_visitor *file_visit;
static tree_visitor *tree_visit;


enum { GNU_ACTIONRETVAL = 16, GNU_CONTINUE = 0, GNU_STOP = 1, GNU_SKIP_SUBTREE = 2, GNU_SKIP_SIBLINGS = 3 };

static int pass_file(const char *path, const struct stat *s, int kind) {
    return file_visit(path, s, kind - 1);
}
static int pass_tree(const char *path, const struct stat *s, int kind, struct FTW *place) {
    return tree_visit(path, s, kind - 1, place);
}

int glibc_ftw(const char *path, file_visitor *visit, int most) {
    file_visitor *outer = file_visit;
    file_visit = visit;
    int result = ftw(path, pass_file, most);
    file_visit = outer;
    return result;
}

int glibc_nftw(const char *path, tree_visitor *visit, int most, int flags) {
    tree_visitor *outer = tree_visit;
    tree_visit = visit;
    int result = nftw(path, pass_tree, most, flags & ~GNU_ACTIONRETVAL);
    tree_visit = outer;
    return result;
}

int glibc_renameat2(int old_folder, const char *old, int new_folder, const char *new, unsigned flags) {
    if (flags == 0) return renameat(old_folder, old, new_folder, new);
    if (flags == 1) {
        struct stat s;
        if (fstatat(new_folder, new, &s, AT_SYMLINK_NOFOLLOW) == 0) {
            errno = EEXIST;
            return -1;
        }
        return renameat(old_folder, old, new_folder, new);
    }
    errno = EINVAL;
    return -1;
}
