// An input that a tool made, put on disk once more and run natively: by the build with AddressSanitizer, and by that in which the bug is
// mended. If the latter fails at the same line, it was another bug. Programs run as nobody, in a folder of their own, with no commands
// in their path: a shell or an interpreter among them does what its input says.

import { spawnSync } from "node:child_process";
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { type DeepBug, FRAMES_LOOKED_AT, isThere, nativeFrames } from "./bug.js";

export interface StagedInput {
  readonly arguments: readonly string[];
  /** Below the folder of the seeds. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  readonly stdin: Uint8Array | null;
}

export const NOBODY = 65534;
export const AS_NOBODY: readonly string[] = [
  "/usr/bin/setpriv",
  `--reuid=${NOBODY}`,
  `--regid=${NOBODY}`,
  "--clear-groups",
  "--no-new-privs",
  "--",
];
export const NO_PATH = "/nonexistent";
const TIMEOUT_MS = 20_000;
const THE_INPUT = "the-input";

/** The folder that holds the corpus and what lies where the programs run. */
export function seedsOf({ directory, run }: DeepBug): string {
  return dirname(join(directory, "src", run));
}

/** Of objects as results name them (`stdin`, `file:/path`); files outside of the seeds' folder are left out. */
export function stagedInput(
  seeds: string,
  words: readonly string[],
  objects: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): StagedInput {
  const files = objects
    .filter(({ name }) => name.startsWith("file:"))
    .map(({ name, bytes }) => ({ path: relative(seeds, name.slice("file:".length)), bytes }))
    .filter(({ path }) => path !== "" && !path.startsWith("..") && !path.startsWith("/"));
  return { arguments: words, files, stdin: objects.find(({ name }) => name === "stdin")?.bytes ?? null };
}

/** One file's or standard input's bytes, as AFL++ and exploration have them. */
export function oneInput(bug: DeepBug, bytes: Uint8Array): StagedInput {
  const words = bug.arguments.map((word) => (word === "@@" ? `../${THE_INPUT}` : word));
  if (!bug.arguments.includes("@@")) return { arguments: words, files: [], stdin: bytes };
  return { arguments: words, files: [{ path: THE_INPUT, bytes }], stdin: null };
}

/** What the program of that build says on standard error. */
export function runStaged(bug: DeepBug, build: "asan" | "fixed", input: StagedInput, scratch: string): string {
  const top = join(scratch, "staged");
  rmSync(top, { recursive: true, force: true });
  cpSync(seedsOf(bug), top, { recursive: true });
  for (const { path, bytes } of input.files) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), bytes);
  }
  const stdin = join(top, "the-standard-input");
  writeFileSync(stdin, input.stdin ?? "");
  giveToNobody(top);
  const folder = join(top, relative(seedsOf(bug), join(bug.directory, "src", bug.run)));
  const program = join(bug.directory, build, bug.program);
  const shell = ["/bin/sh", "-c", 'input=$1; shift; exec "$@" < "$input"', "sh", stdin, program, ...input.arguments];
  const [setpriv, ...options] = AS_NOBODY;
  const { stderr } = spawnSync(setpriv, [...options, ...shell], {
    cwd: folder,
    env: { PATH: NO_PATH, HOME: folder, LC_ALL: "C", ASAN_OPTIONS: "detect_leaks=0:allocator_may_return_null=1" },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
    maxBuffer: 0x400_0000,
  });
  return stderr?.toString("latin1") ?? "";
}

/** Whether it fails there natively, and whether it does so with the bug mended, where the same line has another number. */
export function judge(bug: DeepBug, input: StagedInput, scratch: string): { native: boolean; alsoMended: boolean } {
  const native = isThere(bug, nativeFrames(runStaged(bug, "asan", input, scratch)));
  const mended = nativeFrames(runStaged(bug, "fixed", input, scratch));
  const texts = new Set(bug.places.map((place) => lineAt(join(bug.directory, "asan"), placeFrame(place))));
  const moved = mended.slice(0, FRAMES_LOOKED_AT).some(({ file, line }) =>
    bug.places.some((place) => {
      const { file: path } = placeFrame(place);
      if (file === null || basename(file) !== basename(path)) return false;
      return texts.has(lineAt(join(bug.directory, "fixed"), { file: path, line }));
    }),
  );
  return { native, alsoMended: moved };
}

function placeFrame(place: string): { file: string; line: number } {
  const colon = place.lastIndexOf(":");
  return { file: place.slice(0, colon), line: Number(place.slice(colon + 1)) };
}

function lineAt(tree: string, { file, line }: { file: string; line: number }): string {
  const path = join(tree, file);
  return existsSync(path) ? (readFileSync(path, "latin1").split("\n")[line - 1] ?? "").trim() : "";
}

export function giveToNobody(folder: string): void {
  chownSync(folder, NOBODY, NOBODY);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) giveToNobody(path);
    else if (entry.isFile()) chownSync(path, NOBODY, NOBODY);
  }
}
