// Replaces a program by one that runs it otherwise: in the VM, or natively without the right to start processes, which the VM never
// has. A shell script would do for the VM, but it never learns the name it was called by, which programs print in their messages;
// so the wrapper is a program too.

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export type Wrapping =
  /** The command that runs a program: its words are followed by --argv0 NAME -- PROGRAM ARGUMENTS. */
  | { readonly kind: "vm"; readonly words: readonly string[]; readonly cacheDirectory: string }
  | { readonly kind: "native" }
  | { readonly kind: "no-processes" };

const REAL_FOLDER = ".native";

function source(real: string, wrapping: Wrapping): string {
  if (wrapping.kind === "native") {
    return `#include <unistd.h>
int main(int argc, char **argv) {
    execv(${quoted(real)}, argv);
    return 127;
}
`;
  }
  return wrapping.kind === "vm" ? vmSource(real, wrapping) : withoutProcessesSource(real);
}

function vmSource(real: string, { words, cacheDirectory }: Extract<Wrapping, { kind: "vm" }>): string {
  return `#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char **words = calloc(argc + 64, sizeof *words);
    int n = 0;
${words.map((word) => `    words[n++] = ${quoted(word)};\n`).join("")}    words[n++] = "--argv0";
    words[n++] = argv[0];
    words[n++] = "--";
    words[n++] = ${quoted(real)};
    for (int i = 1; i < argc; i++) words[n++] = argv[i];
    setenv("TANGENT_CACHE", ${quoted(cacheDirectory)}, 1);
    execv(words[0], words);
    perror(words[0]);
    return 127;
}
`;
}

/**
 * The kernel refuses what src/vm/syscalls/denied.ts refuses, with the same error numbers. The one execve that starts the program itself
 * is told from those that follow by the address of its path, one that no program uses by chance.
 */
function withoutProcessesSource(real: string): string {
  return `#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#define PATH_ADDRESS 0x3a5a5a5a5000ull
#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset)
#define IF(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(value), then, otherwise)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
int main(int argc, char **argv) {
    struct sock_filter filter[] = {
        LOAD(offsetof(struct seccomp_data, nr)),
        IF(SYS_clone, 10, 0), IF(SYS_fork, 9, 0), IF(SYS_vfork, 8, 0), IF(SYS_execveat, 7, 0), IF(SYS_clone3, 7, 0),
        IF(SYS_execve, 0, 4),
        LOAD(offsetof(struct seccomp_data, args)), IF(PATH_ADDRESS, 0, 3),
        LOAD(offsetof(struct seccomp_data, args) + 4), IF(PATH_ADDRESS >> 32, 0, 1),
        RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_ERRNO | EPERM), RETURN(SECCOMP_RET_ERRNO | ENOSYS),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    int access = PROT_READ | PROT_WRITE, kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    char *path = mmap((void *)PATH_ADDRESS, 4096, access, kind, -1, 0);
    if (path == MAP_FAILED || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &program)) {
        perror("no filter");
        return 127;
    }
    syscall(SYS_execve, strcpy(path, ${quoted(real)}), argv, environ);
    perror(path);
    return 127;
}
`;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

export function wrap(program: string, wrapping: Wrapping, launcher: string): void {
  const folder = join(dirname(program), REAL_FOLDER);
  mkdirSync(folder, { recursive: true });
  const real = join(folder, basename(program));
  if (!existsSync(real)) renameSync(program, real);
  const text = join(folder, `${basename(program)}-wrapper.c`);
  writeFileSync(text, source(real, wrapping));
  execFileSync(launcher, ["cc", "-O1", "-D_GNU_SOURCE", text, "-o", program], { stdio: "inherit" });
  chmodSync(program, 0o755);
}

export function unwrap(program: string): void {
  const real = join(dirname(program), REAL_FOLDER, basename(program));
  if (!existsSync(real)) return;
  rmSync(program, { force: true });
  copyFileSync(real, program);
  rmSync(real);
}
