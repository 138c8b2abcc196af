// A witness as a shell script that any POSIX sh runs: it lays out the test's files below a fresh directory, each at its own
// absolute path there, goes to where the test was and runs the program. Words that name such a file by its absolute path are
// led to the copy, so that nothing of the user's is read or written by its name. Used to confirm a finding natively, and exported
// as a regression test.

import { dirname, normalize } from "node:path";
import type { InputValue } from "../inputs/input-value.js";
import { surroundingsOf, type TestInput, withValues } from "../inputs/test-input.js";
import { isSystemFile } from "../project/system-files.js";
import { quoted, shellAssignment } from "./shell-words.js";

export interface WitnessFiles {
  /** argv without the program's name. */
  readonly words: readonly Uint8Array[];
  readonly stdin: Uint8Array | null;
  /** Absolute paths. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

export function witnessFiles(test: TestInput, witness: readonly InputValue[]): WitnessFiles {
  const around = surroundingsOf(withValues(test, witness));
  // What is the system's stays where it is.
  const own = test.given.directories ?? [];
  const given = (test.given.files ?? []).filter(({ path }) => !isSystemFile(path, own));
  const files = [...given, ...around.files.map(({ name, bytes }) => ({ path: name, bytes }))];
  return {
    words: around.words.map(({ bytes }) => bytes),
    stdin: around.stdin,
    // The machine's names are one character a byte. No name leads out of the directory that they are laid out in.
    files: files.map(({ path, bytes }) => ({
      path: normalize(`/${Buffer.from(path, "latin1").toString("utf8")}`),
      bytes,
    })),
  };
}

export interface ScriptParts {
  /** Up to the directory: `#!`, comments, the program's variable; must set `program`. */
  readonly head: readonly string[];
  /** How the program is started, before its words: "$program". */
  readonly start: string;
  /** After the run; `status` is set. */
  readonly tail: readonly string[];
  /** Name of the folder beside the script with contents too long for it. */
  readonly dataFolder: string;
}

export interface WitnessScript {
  readonly text: string;
  /** What must lie in the data folder. */
  readonly data: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

/** Longer contents are files beside the script. */
const INLINE_BYTES = 1024;

export function renderScript({ words, stdin, files }: WitnessFiles, from: string, parts: ScriptParts): WitnessScript {
  const cwd = normalize(`/${from}`);
  const data: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  const lines = [...parts.head];
  const write = (bytes: Uint8Array, target: string): void => {
    if (bytes.length <= INLINE_BYTES) lines.push(`printf '${octalFormat(bytes)}' >"$work"${target} || exit 99`);
    else {
      const name = String(data.length);
      data.push({ name, bytes });
      lines.push(`cp "$here"/${quoted(parts.dataFolder)}/${name} "$work"${target} || exit 99`);
    }
  };
  lines.push(
    'here=$(cd "$(dirname "$0")" && pwd) || exit 99',
    "work=$(mktemp -d) || exit 99",
    "trap 'rm -rf \"$work\"' EXIT",
  );
  const folders = [...new Set([cwd, ...files.map(({ path }) => dirname(path))])].sort();
  lines.push(`mkdir -p ${folders.map((path) => `"$work"${quoted(path)}`).join(" ")} || exit 99`);
  for (const { path, bytes } of files) write(bytes, quoted(path));
  if (stdin !== null) write(stdin, "/.stdin");
  for (const [index, word] of words.entries()) lines.push(...wordLines(`word${index}`, word, files));
  lines.push(
    `cd "$work"${quoted(cwd)} || exit 99`,
    `${parts.start}${words.map((_, index) => ` "$word${index}"`).join("")} <${stdin === null ? "/dev/null" : '"$work"/.stdin'}`,
    "status=$?",
    ...parts.tail,
    "",
  );
  return { text: lines.join("\n"), data };
}

/** A word that ends in the absolute path of a file of the test gets the directory in front of that path. */
function wordLines(name: string, word: Uint8Array, files: WitnessFiles["files"]): string[] {
  const text = Buffer.from(word).toString("latin1");
  const file = files.find(({ path }) => text.endsWith(Buffer.from(path).toString("latin1")));
  if (file === undefined) return [shellAssignment(name, word)];
  const path = Buffer.from(file.path);
  const before = word.subarray(0, word.length - path.length);
  return [shellAssignment(name, before), shellAssignment("path", path), `${name}=$${name}$work$path`];
}

function octalFormat(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    if (/[A-Za-z0-9 .,:;=_/+(){}[\]<>@!?*&|"-]/.test(char)) text += char;
    else text += `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return text;
}
