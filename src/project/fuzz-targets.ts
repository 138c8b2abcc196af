// Fuzz targets of a project: C files that define `LLVMFuzzerTestOneInput`, which libFuzzer, AFL++ and OSS-Fuzz call with bytes. Each
// has as a rule a folder of inputs beside it, its corpus. Both are found by the habits of projects; whoever has others says so.

import { readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { readRegularFile } from "../support/regular-file.js";
import { foldersBelow } from "./stand-ins.js";

export interface FuzzTarget {
  readonly source: string;
  /** The file's name without its ending; each once. */
  readonly name: string;
}

export interface FoundTargets {
  readonly targets: readonly FuzzTarget[];
  /** In C++, which is not analysed. */
  readonly inCxx: readonly string[];
}

const CXX = new Set([".cc", ".cpp", ".cxx"]);
const DEFINITION = /\bLLVMFuzzerTestOneInput\s*\([^;{]*\)[^;{]*\{/;
/** Larger ones were not written by people. */
const MOST_SOURCE_BYTES = 0x10_0000;

export function findFuzzTargets(root: string): FoundTargets {
  const found: string[] = [];
  const inCxx: string[] = [];
  for (const { path, entry } of foldersBelow(root)) {
    const kind = extname(entry.name);
    if (!entry.isFile() || (kind !== ".c" && !CXX.has(kind)) || !definesTarget(path)) continue;
    (kind === ".c" ? found : inCxx).push(path);
  }
  const names = new Set<string>();
  const targets = found.sort().map((source): FuzzTarget => {
    const plain = basename(source, ".c");
    let name = plain;
    for (let n = 2; names.has(name); n++) name = `${plain}-${n}`;
    names.add(name);
    return { source, name };
  });
  return { targets, inCxx: inCxx.sort() };
}

function definesTarget(path: string): boolean {
  const text = textOf(path) ?? "";
  return text.includes("LLVMFuzzerTestOneInput") && DEFINITION.test(text);
}

export function textOf(path: string): string | null {
  try {
    return readRegularFile(path, { mostBytes: MOST_SOURCE_BYTES }).toString("latin1");
  } catch {
    return null;
  }
}

/** What folders of inputs are called. */
const CORPUS = /^(seed[-_]?)?(corpus|corpora|seeds|inputs|testcases|test[-_]?cases)$/i;
/** Of a name, what is only "fuzz". */
const FUZZ = /^(fuzz(er|ing|target)?[-_]?)+|([-_]?(fuzz(er|ing)?|target))+$/gi;

/** The folder of a target's inputs; null if there is none that the habits of projects would call so. */
export function findCorpus(root: string, { source }: FuzzTarget): string | null {
  const plain = basename(source, ".c").toLowerCase();
  const short = plain.replace(FUZZ, "");
  const names = new Set([plain, short].filter((name) => name !== ""));
  let best: { readonly path: string; readonly rank: number } | null = null;
  for (const { path, entry } of foldersBelow(root)) {
    if (!entry.isDirectory()) continue;
    const rank = rankOf(path, names, dirname(source));
    if (rank === null || (best !== null && best.rank <= rank) || inputsIn(path, 1).length === 0) continue;
    best = { path, rank };
  }
  return best?.path ?? null;
}

/** Of its own name first; then what lies beside the source, then above it. Null if it is no corpus of the target. */
function rankOf(path: string, names: ReadonlySet<string>, beside: string): number | null {
  const own = basename(path).toLowerCase();
  const above = basename(dirname(path));
  const [, stem = "", kind = ""] = /^(.*?)[-_.]?((?:seed[-_]?)?(?:corpus|corpora|seeds|inputs))$/.exec(own) ?? [];
  if (kind !== "" && names.has(stem)) return 0;
  if (CORPUS.test(above) && names.has(own)) return 1;
  if (!CORPUS.test(own)) return null;
  if (dirname(path) === beside) return 2;
  return dirname(path) === dirname(beside) ? 3 : null;
}

/** Larger inputs are slow, and small ones are near to the same bugs. */
const MOST_INPUT_BYTES = 0x1_0000;

/** Files of a corpus, the smallest first. */
export function inputsIn(folder: string, most: number): readonly string[] {
  const files: { readonly path: string; readonly size: number }[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isFile() || entry.name.startsWith(".")) continue;
    const { size } = statSync(path);
    if (size <= MOST_INPUT_BYTES) files.push({ path, size });
  }
  files.sort((a, b) => a.size - b.size || (a.path < b.path ? -1 : 1));
  return files.slice(0, most).map(({ path }) => path);
}
