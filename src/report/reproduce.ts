// reproduce.sh: a finding's input as a script that anyone can run, read and send on, with nothing of ours installed.
// Arguments and environment are in the script itself; standard input and files are raw bytes beside it; the program's own
// symbolic objects are in a .ktest that KTEST_FILE names (runtime/native/klee.c, and KLEE's libkleeRuntest, read it).
//
// Symbolic files have the names the program opens, so they are copied into a fresh directory, and the program runs there: writing an
// `A` into the user's directory could destroy theirs.

import { type ShownTest, surroundingsOf } from "../inputs/test-input.js";
import { quoted, shellAssignment } from "./shell-words.js";

export interface ReproduceOptions {
  /** One line: what it shows. */
  readonly title: string;
  /** Absolute. */
  readonly program: string;
  /** Whether the program can run natively at all; a .c file cannot. */
  readonly native: boolean;
  /** The .ktest beside the script. */
  readonly ktest: string;
}

/** Names, beside the script, of what it reads. */
export const STDIN_FILE = "stdin";
export const FILES_FOLDER = "files";

export function renderReproduce(test: ShownTest, options: ReproduceOptions): string {
  const around = surroundingsOf(test);
  const program = quoted(options.program);
  const lines = ["#!/bin/sh", `# ${options.title.replaceAll("\n", " ")}`, "#"];
  if (options.native) {
    lines.push(
      "#   ./reproduce.sh            runs the program natively with the input that shows it",
      "#   ./reproduce.sh PROGRAM    runs another build of it",
      "#   ./reproduce.sh --vm       runs it in tangent, whose detectors see what native code may survive",
    );
  } else {
    lines.push(
      "#   ./reproduce.sh            runs it in tangent, with the input that shows it",
      "#   ./reproduce.sh PROGRAM    runs a native build of it",
    );
  }
  const toVm = options.native ? '[ "$1" = --vm ]' : '[ $# -eq 0 ] || [ "$1" = --vm ]';
  lines.push(
    'here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 1',
    `if ${toVm}; then exec "\${TANGENT-tangent}" replay --program ${program} "$here"/${quoted(options.ktest)}; fi`,
    options.native ? `program=\${1:-${program}}` : "program=$1",
    "case $program in /*) ;; */*) program=$PWD/$program ;; esac",
    `KTEST_FILE=$here/${quoted(options.ktest)}; export KTEST_FILE`,
  );
  for (const { name, value } of around.environment) lines.push(`${shellAssignment(name, value)}; export ${name}`);
  const words: string[] = [];
  for (const [index, { bytes }] of around.words.entries()) {
    lines.push(shellAssignment(`word${index}`, bytes));
    words.push(` "$word${index}"`);
  }
  if (around.files.length > 0) {
    lines.push(
      "work=$(mktemp -d) || exit 1",
      "trap 'rm -rf \"$work\"' EXIT",
      `cp -R "$here"/${FILES_FOLDER}/. "$work" && cd "$work" || exit 1`,
    );
  }
  const input = around.stdin === null ? "/dev/null" : `"$here"/${STDIN_FILE}`;
  lines.push(`"$program"${words.join("")} <${input}`, "");
  return lines.join("\n");
}
