// Whether an input executes lines natively: it is laid out on the disk and given to the program that gcc has built with coverage; gcov
// says which lines were executed. Nothing of Tangent takes part in the run.

import { spawnSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, mkdtempSync, openSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Invocation } from "../../src/inputs/invocation.js";
import { removeStaged, stageInvocation } from "../../src/jobs/stage-invocation.js";

const RUN_MS = 10_000;

export interface NativeCoverage {
  /** `src/a.c:7`, as the places are written. */
  readonly lines: ReadonlySet<string>;
  readonly status: number | null;
  readonly signal: string | null;
}

/** `program`: built with coverage, below `tree`. */
export function linesExecuted(
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
    const environment: Record<string, string> = {};
    for (const variable of staged.environment) {
      const text = Buffer.from(variable).toString("latin1");
      const at = text.indexOf("=");
      if (at > 0) environment[text.slice(0, at)] = text.slice(at + 1);
    }
    const stdin = openSync(staged.stdin ?? "/dev/null", "r");
    const ran = spawnSync(
      program,
      staged.words.map((word) => Buffer.from(word).toString("latin1")),
      {
        argv0: Buffer.from(invocation.program, "latin1").toString(),
        cwd: staged.directory,
        env: { ...environment, GCOV_PREFIX: counters },
        stdio: [stdin, "ignore", "ignore"],
        timeout: RUN_MS,
        killSignal: "SIGTERM",
      },
    );
    return { lines: linesIn(counters, tree, files), status: ran.status, signal: ran.signal };
  } finally {
    removeStaged(scratch);
    removeStaged(counters);
  }
}

interface GcovFile {
  readonly file: string;
  readonly lines: readonly { readonly line_number: number; readonly count: number }[];
}

function linesIn(counters: string, tree: string, files: readonly string[]): Set<string> {
  const lines = new Set<string>();
  const beside = join(counters, tree);
  if (!existsSync(beside)) return lines;
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
        const name = files.find((known) => isSource(file, counted, known));
        if (name === undefined) continue;
        for (const { line_number, count } of own) if (count > 0) lines.add(`${name}:${line_number}`);
      }
    }
  }
  return lines;
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
