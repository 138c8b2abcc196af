// What a program can see of its circumstances must be the same whether a stand-in started it or not: descriptors, signals, limits,
// children, identity. One program prints all of it, under the odd circumstances that test suites make; its output without the recorder is the
// oracle.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Seed } from "../../src/project/seed.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const PROGRAM = String.raw`#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
static char text[1 << 16];
static size_t size;
#define SAY(...) (size += (size_t)snprintf(text + size, sizeof text - size, __VA_ARGS__))
int main(int argc, char **argv) {
  sigset_t mask, pending;
  if (argc > 2 && !strcmp(argv[1], "exec")) { /* with SIGCHLD blocked, and a timer that runs */
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    sigprocmask(SIG_BLOCK, &mask, 0);
    alarm(1000);
    execv(argv[0], argv + 2);
    return 125;
  }
  for (long i = 0; argc > 1 && !strcmp(argv[1], "many") && i < 110000; i++) lseek(99, 0, SEEK_CUR);
  for (int fd = 0; fd < 1024; fd++) {
    struct stat status;
    if (fstat(fd, &status) == 0)
      SAY("fd %d type %o flags %x/%x at %ld\n", fd, status.st_mode & S_IFMT, fcntl(fd, F_GETFL), fcntl(fd, F_GETFD), (long)lseek(fd, 0, SEEK_CUR));
  }
  sigprocmask(SIG_BLOCK, 0, &mask);
  sigpending(&pending);
  for (int s = 1; s < 65; s++) {
    struct sigaction action;
    if (sigaction(s, 0, &action) == 0 && action.sa_handler != SIG_DFL) SAY("ignored %d\n", s);
    if (sigismember(&mask, s) == 1) SAY("blocked %d\n", s);
    if (sigismember(&pending, s) == 1) SAY("pending %d\n", s);
  }
  for (int l = 0; l < 16; l++) {
    struct rlimit limit;
    if (getrlimit(l, &limit) == 0) SAY("limit %d %lu %lu\n", l, (unsigned long)limit.rlim_cur, (unsigned long)limit.rlim_max);
  }
  mode_t own = umask(0);
  umask(own);
  SAY("umask %o priority %d alarm %d\n", own, getpriority(PRIO_PROCESS, 0), alarm(0) > 900);
  SAY("children %d errno %d\n", (int)waitpid(-1, 0, WNOHANG), errno);
  SAY("session %d group %d\n", getsid(0) == getsid(getppid()), getpgrp() == getpgid(getppid()));
  char *directory = getcwd(0, 0);
  SAY("directory %s name %s\n", directory ? directory : "none", argv[0]);
  if (argc < 2 || strcmp(argv[1], "many")) { /* that one is let go before its end */
    char place[4096], start[6], link[64];
    snprintf(link, sizeof link, "/proc/%d/exe", (int)getpid());
    ssize_t n = readlink("/proc/self/exe", place, sizeof place), m = readlinkat(AT_FDCWD, link, start, sizeof start);
    SAY("lies at %.*s, begins with %.*s\n", (int)n, place, (int)m, start);
  }
  for (int i = 1; i < argc; i++) SAY("argument %s\n", argv[i]);
  if (argc > 2 && !strcmp(argv[1], "read")) {
    struct stat before;
    char start[8];
    int file = open(argv[2], O_RDONLY | O_NOATIME);
    ssize_t n = read(file, start, sizeof start);
    fstat(file, &before);
    SAY("read %d bytes, last access %ld\n", (int)n, S_ISREG(before.st_mode) ? (long)before.st_atime : 0);
  }
  if (argc > 2 && !strcmp(argv[1], "memory")) { /* whether the system has the file there; then no more */
    unsigned char has_page = 0;
    int file = open(argv[2], O_RDWR);
    if (mincore(mmap(0, 1, PROT_READ, MAP_SHARED, file, 0), 1, &has_page) == 0) SAY("in memory %d\n", has_page & 1);
    fsync(file);
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  }
  if (argc > 1 && argv[1][0] == '/') {
    int file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) return 124;
    return write(file, text, size) == (ssize_t)size ? 0 : 123;
  }
  return write(1, text, size) == (ssize_t)size ? 7 : 122;
}
`;

/** Everything it prints goes to the output, in order. */
const CIRCUMSTANCES = `out=/$PWD/out
show() { echo "status $?"; cat out 2>/dev/null; chmod 600 out; rm -f out; }
./probe plain; show
./probe a file < data; show
{ read -r first; ./probe further on; } < data; show
./probe closed input <&-; show
./probe $out 2>&1 >&-; show
./probe $out <&- >&- 2>&-; show
./probe full output >/dev/full; show
mkfifo broken; (exec 4<>broken 5>broken 4<&-; ./probe broken pipe >&5); show
(trap '' PIPE; exec 4<>broken 5>broken 4<&-; ./probe broken pipe >&5); show
./probe more files 5<data 9>other; show
(umask 777; ./probe mask | cat); show
(ulimit -f 0; ./probe limit | cat); show
(ulimit -n 12; ./probe limit); show
(trap '' XFSZ CHLD INT; ./probe ignoring); show
./probe exec probe blocked; show
(mkdir sub; cd sub; rmdir ../sub; ../probe gone); show
echo piped | ./probe pipe; show
mkfifo pipe; printf here > pipe & ./probe read pipe; show; wait
touch -a -t 200001010000 data; ./probe read data; show
./probe memory data > out; rm out; ./probe memory data; show; ./probe memory data; show
nice -n 3 ./probe nice; show
(./probe background > out & wait); show
PATH=$PWD:$PATH probe by name; show
ln -s probe link; ./link by another; show
cp probe copy; ./copy copied; show
./probe many calls; show
./probe; kill -l $?; show
rm -f link copy other pipe broken
`;

let folder = "";
const run = (command: string, ...words: string[]) =>
  spawnSync(command, words, { cwd: folder, encoding: "utf8", input: "" });
const tangent = (...words: string[]) => run("sh", join(ROOT, "bin/tangent"), ...words);

describe("tangent record", () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "tangent-record-"));
    writeFileSync(join(folder, "probe.c"), PROGRAM);
    writeFileSync(join(folder, "data"), "one\ntwo\n");
    writeFileSync(join(folder, "circumstances.sh"), CIRCUMSTANCES);
    const built = tangent("cc", "-o", "probe", "probe.c");
    assert.equal(built.status, 0, built.stderr);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("a program sees the same circumstances with its stand-in as without", () => {
    const plain = run("sh", "circumstances.sh");
    assert.match(plain.stdout, /directory \S+ name \.\/probe/);
    assert.match(plain.stdout, /lies at \S+\/probe, begins with \S{6}$/m);
    const recorded = tangent("record", "--", "sh", "circumstances.sh");
    assert.match(recorded.stderr, /(\d+) invocations recorded/);
    assert.equal(recorded.stdout, plain.stdout);
  });

  it("records what standard input was, also where it was closed or not at its start, and where writing failed", () => {
    const seeds = tangent("seeds", "--json")
      .stdout.trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Seed);
    const kinds = new Map(seeds.map((seed) => [seed.arguments.slice(1).join(" "), seed.stdin]));
    assert.equal(kinds.get("closed input")?.kind, "closed");
    assert.ok((kinds.get("a file") as { regularFile?: boolean }).regularFile);
    assert.ok((kinds.get("further on") as { regularFile?: boolean }).regularFile);
    assert.notDeepEqual(kinds.get("further on"), kinds.get("a file"));
    const outputs = seeds.flatMap((seed) => (seed.outputs === undefined ? [] : [JSON.stringify(seed.outputs)]));
    assert.deepEqual(outputs.sort(), [
      '{"stdout":"closed","stderr":"closed"}',
      '{"stdout":"closed"}',
      '{"stdout":"full"}',
      '{"stdout":{"brokenAfter":0,"isSignalIgnored":true}}',
      '{"stdout":{"brokenAfter":0}}',
    ]);
    // Let go before its end, which nobody saw.
    assert.equal(seeds.find((seed) => seed.arguments[1] === "many")?.end.kind, "unknown");
    assert.ok(kinds.has("mask") && kinds.has("blocked") && kinds.has("ignoring"));
  });
});
