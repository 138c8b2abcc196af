/* Trees of files by fts. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_name(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void walk(int options, int skip) {
    char *paths[] = {"top", "top/b/deep", "absent", 0};
    FTS *tree = fts_open(paths, options, by_name);
    FTSENT *e;
    while ((e = fts_read(tree))) {
        printf("%d %d %s %s %d\n", e->fts_info, e->fts_level, e->fts_name, e->fts_path, e->fts_errno);
        if (skip && e->fts_info == FTS_D && !strcmp(e->fts_name, "b")) fts_set(tree, e, FTS_SKIP);
        if (e->fts_info == FTS_D && e->fts_level == 0)
            for (FTSENT *c = fts_children(tree, 0); c; c = c->fts_link) printf(" child %s\n", c->fts_name);
    }
    printf("closed %d\n", fts_close(tree));
}

int main(void) {
    char folder[] = "/tmp/tangent-fts-XXXXXX";
    mkdtemp(folder);
    chdir(folder);
    mkdir("top", 0700);
    mkdir("top/b", 0700);
    mkdir("top/b/deep", 0700);
    mkdir("top/empty", 0700);
    close(open("top/a", O_CREAT | O_WRONLY, 0600));
    close(open("top/b/file", O_CREAT | O_WRONLY, 0600));
    symlink("a", "top/link");
    symlink("nowhere", "top/broken");
    symlink("..", "top/b/up");
    walk(FTS_PHYSICAL | FTS_NOCHDIR, 0);
    walk(FTS_PHYSICAL | FTS_NOCHDIR, 1);
    walk(FTS_LOGICAL | FTS_NOCHDIR, 0);
    walk(FTS_PHYSICAL | FTS_NOCHDIR | FTS_SEEDOT, 0);
    char *remove[] = {folder, 0};
    FTS *tree = fts_open(remove, FTS_PHYSICAL | FTS_NOCHDIR, 0);
    for (FTSENT *e; (e = fts_read(tree));) {
        if (e->fts_info == FTS_DP)
            rmdir(e->fts_path);
        else if (e->fts_info != FTS_D)
            unlink(e->fts_path);
    }
    fts_close(tree);
    printf("%d\n", access(folder, F_OK));
    return 0;
}
