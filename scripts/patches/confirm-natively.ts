// Whether an input executes lines natively: it is laid out on the disk and given to the program that gcc has built with coverage; gcov
// says which lines were executed. Nothing of Tangent takes part in the run.

import { spawnSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import type { Invocation } from "../../src/inputs/invocation.js";
import { removeStaged, stageInvocation } from "../../src/jobs/stage-invocation.js";
import { type NativeResult, type NativeStart, startNatively } from "../../src/jobs/start-natively.js";
import { statementStarts } from "../../src/project/patch/statement-lines.js";
import type { TargetPlace } from "../../src/techniques/reach/targets.js";
import type { ListedPatch } from "./patch-list.js";

const RUN_MS = 10_000;

interface NativeCoverage {
  /** `src/a.c:7`, as the places are written. */
  readonly lines: ReadonlySet<string>;
  /** All lines on which gcov knows code. */
  readonly known: ReadonlySet<string>;
  readonly end: NativeResult["kind"];
}

/** Whether gcov sees one of the target's lines; null if there is no build with coverage. */
export function executesTarget(
  invocation: Invocation | null,
  program: string,
  { file, line, lines: own }: Pick<TargetPlace, "file" | "line" | "lines">,
  { coverageTree, newTree }: Pick<ListedPatch, "coverageTree" | "newTree">,
): boolean | null {
  if (coverageTree === null) return null;
  if (invocation === null) return false;
  const native = `${coverageTree}/${relative(newTree, program)}`;
  const { lines, known } = linesExecuted(invocation, native, coverageTree, newTree, [file]);
  // Two compilers give a statement of several lines to different ones of them.
  const all = [line, ...own];
  const source = readFileSync(`${newTree}/${file}`, "latin1");
  const last = Math.max(...all);
  let isKnown = false;
  for (let at = Math.min(...all, ...statementStarts(source, all).values()); at <= last; at++) {
    if (lines.has(`${file}:${at}`)) return true;
    if (known.has(`${file}:${at}`)) isKnown = true;
  }
  // `while (true)` is no code to gcc, which counts the brace of its body.
  return !isKnown && lines.has(`${file}:${last + 1}`);
}

/** `program`: built with coverage, below `tree`. */
function linesExecuted(
  invocation: Invocation,
  program: string,
  tree: string,
  root: string,
  files: readonly string[],
): NativeCoverage {
  const scratch = mkdtempSync(join(tmpdir(), "tangent-native-"));
  const counters = mkdtempSync(join(tmpdir(), "tangent-gcov-"));
  try {
    const staged = stageInvocation(invocation, scratch, root);
    const settings = [`GCOV_PREFIX=${counters}`];
    const start = { ...staged, program, settings, timeoutMs: RUN_MS };
    const ran = startNatively(start, process.env);
    // A program that crashes writes no counters; a debugger can have it write them.
    if (ran.kind === "signal" && existsSync(DEBUGGER)) startNatively(debugged(start), process.env);
    return { ...linesIn(counters, tree, files), end: ran.kind };
  } finally {
    removeStaged(scratch);
    removeStaged(counters);
  }
}

const DEBUGGER = "/usr/bin/gdb";

function debugged(start: NativeStart): NativeStart {
  const before = ["-q", "-batch", "-ex", "run", "-ex", "call (void)__gcov_dump()", "--args", start.program];
  return { ...start, program: DEBUGGER, words: [...before.map((word) => Buffer.from(word)), ...start.words] };
}

interface GcovFile {
  readonly file: string;
  readonly lines: readonly { readonly line_number: number; readonly count: number }[];
}

function linesIn(counters: string, tree: string, files: readonly string[]): Omit<NativeCoverage, "end"> {
  const lines = new Set<string>();
  const known = new Set<string>();
  const beside = join(counters, tree);
  if (!existsSync(beside)) return { lines, known };
  for (const counted of countersBelow(beside)) {
    const object = join(tree, counted.slice(beside.length));
    const notes = object.replace(/\.gcda$/, ".gcno");
    const copied = counted.replace(/\.gcda$/, ".gcno");
    if (!existsSync(notes)) continue;
    mkdirSync(dirname(copied), { recursive: true });
    if (!existsSync(copied)) linkOrCopy(notes, copied);
    const asked = spawnSync("gcov", ["--json-format", "--stdout", basename(counted)], {
      cwd: dirname(counted),
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    for (const line of asked.stdout.split("\n")) {
      if (!line.startsWith("{")) continue;
      for (const { file, lines: own } of (JSON.parse(line) as { readonly files: readonly GcovFile[] }).files) {
        const name = files.find((wanted) => isSource(file, counted, wanted));
        if (name === undefined) continue;
        for (const { line_number, count } of own) {
          known.add(`${name}:${line_number}`);
          if (count > 0) lines.add(`${name}:${line_number}`);
        }
      }
    }
  }
  return { lines, known };
}

/** gcov names a file as the compiler was told: `analyze.c` for an object in src, or a longer path. */
function isSource(file: string, counted: string, known: string): boolean {
  if (basename(file) !== basename(known)) return false;
  const folder = file.includes("/") ? dirname(file) : dirname(counted);
  return folder.endsWith(dirname(known)) || `${folder}/`.includes(`/${dirname(known)}/`);
}

function countersBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? countersBelow(path) : entry.name.endsWith(".gcda") ? [path] : [];
  });
}

function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    spawnSync("cp", [from, to]);
  }
}
