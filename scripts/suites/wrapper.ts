// Replaces a program by one that runs it in the VM. A shell script would do, but it never learns the name it was called by, which
// programs print in their messages; so the wrapper is a program too.

import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

export interface WrapperOptions {
  readonly launcher: string;
  /** The command that runs a program: its words are followed by --argv0 NAME -- PROGRAM ARGUMENTS. Null: no VM, to try the rest. */
  readonly run: readonly string[] | null;
  readonly cacheDirectory: string;
}

const REAL_FOLDER = ".native";

function source(real: string, { run, cacheDirectory }: WrapperOptions): string {
  const words = (run ?? []).map((word) => `    words[n++] = ${quoted(word)};\n`).join("");
  return `#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char **words = calloc(argc + 64, sizeof *words);
    int n = 0;
${run === null ? `    execv(${quoted(real)}, argv);\n` : ""}${words}    words[n++] = "--argv0";
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

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

export function wrap(program: string, options: WrapperOptions): void {
  const folder = join(dirname(program), REAL_FOLDER);
  mkdirSync(folder, { recursive: true });
  const real = join(folder, basename(program));
  if (!existsSync(real)) renameSync(program, real);
  const text = join(folder, `${basename(program)}-wrapper.c`);
  writeFileSync(text, source(real, options));
  execFileSync(options.launcher, ["cc", "-O1", text, "-o", program], { stdio: "inherit" });
  chmodSync(program, 0o755);
}

export function unwrap(program: string): void {
  const real = join(dirname(program), REAL_FOLDER, basename(program));
  if (!existsSync(real)) return;
  rmSync(program, { force: true });
  copyFileSync(real, program);
  rmSync(real);
}
