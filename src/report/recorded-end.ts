// How a test ended when it was made, from whatever stands beside it: a row of tests.csv, a .err of ours or of KLEE's, the
// finding.json of a finding's folder. A raw file or a lone .ktest has no record, and a replay then only tells.

import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { KINDS, type KindName } from "../findings/kinds.js";
import { readRegularFile } from "../support/regular-file.js";
import { SET_ASIDE } from "./path-end.js";

export type RecordedEnd =
  /** In the words of path-end.ts. */
  | { readonly kind: "end"; readonly end: string }
  /** KLEE's word for an error; several kinds of ours may be meant. */
  | { readonly kind: "klee"; readonly suffix: string };

/** Null if nothing is recorded. `rows` remembers the tables of folders already seen. */
export function recordedEnd(path: string, rows: Map<string, ReadonlyMap<string, string>>): RecordedEnd | null {
  const folder = dirname(path);
  const name = basename(path).replace(/\.ktest$/, "");
  const finding = join(folder, "finding.json");
  if (name === "input" && existsSync(finding)) {
    const kind = kindIn(finding);
    return kind === null ? null : { kind: "end", end: kind };
  }
  let table = rows.get(folder);
  if (table === undefined) {
    table = readTable(join(folder, "tests.csv"));
    rows.set(folder, table);
  }
  const end = table.get(name);
  if (end !== undefined) return end === SET_ASIDE ? null : { kind: "end", end };
  if (!path.endsWith(".ktest")) return null;
  const error = readdirSync(folder).find((entry) => entry.startsWith(`${name}.`) && entry.endsWith(".err"));
  if (error === undefined) return null;
  const ours = /^\tkind: (\S+)$/m.exec(readRegularFile(join(folder, error)).toString())?.[1];
  if (ours !== undefined) return { kind: "end", end: ours };
  return { kind: "klee", suffix: error.slice(name.length + 1, -".err".length) };
}

/** Null if it is no finding of ours: the folder may come from anybody. */
function kindIn(path: string): KindName | null {
  try {
    const value = JSON.parse(readRegularFile(path).toString()) as { readonly kind?: unknown } | null;
    const kind = value?.kind;
    return typeof kind === "string" && Object.hasOwn(KINDS, kind) ? (kind as KindName) : null;
  } catch {
    return null;
  }
}

function readTable(path: string): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  try {
    for (const line of readRegularFile(path).toString().split("\n").slice(1)) {
      const [name, end] = line.split(",");
      if (end !== undefined) ends.set(name, end);
    }
  } catch {
    // No table, no records.
  }
  return ends;
}
