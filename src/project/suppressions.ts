// [[suppress]] in tangent.toml: findings that a project knows and lives with. Each names a function, a file, a kind, or several of
// these, and says why. A finding that all of its conditions fit is shown as suppressed in every report, and does not count.
// Invariant: a suppression that could hide everything, or that says no reason, is refused.

import { KINDS } from "../findings/kinds.js";
import { Glob } from "../support/glob.js";

export interface Suppression {
  /** Null: any. */
  readonly function: string | null;
  /** Relative to the project; `*` stands for any part of a path. */
  readonly file: string | null;
  readonly kind: string | null;
  readonly reason: string;
}

export type Suppressions =
  | { readonly kind: "suppressions"; readonly list: readonly Suppression[] }
  | { readonly kind: "wrong"; readonly problem: string };

const KEYS = ["function", "file", "kind", "reason"];

export function readSuppressions(tables: readonly Readonly<Record<string, unknown>>[]): Suppressions {
  const list: Suppression[] = [];
  for (const [index, table] of tables.entries()) {
    const where = tables.length === 1 ? "suppress" : `suppress number ${index + 1}`;
    const problem = problemIn(table);
    if (problem !== null) return { kind: "wrong", problem: `${where}: ${problem}` };
    const text = (key: string): string | null => (table[key] as string | undefined) ?? null;
    list.push({ function: text("function"), file: text("file"), kind: text("kind"), reason: text("reason") ?? "" });
  }
  return { kind: "suppressions", list };
}

function problemIn(table: Readonly<Record<string, unknown>>): string | null {
  for (const [key, value] of Object.entries(table)) {
    if (!KEYS.includes(key)) return `there is no key ${key}; there are ${KEYS.join(", ")}`;
    if (typeof value !== "string" || value.trim() === "") return `${key} must be a text in quotes`;
  }
  if (table.reason === undefined) return 'say why: reason = "..."';
  if (table.function === undefined && table.file === undefined && table.kind === undefined) {
    return "name a function, a file or a kind; without any, every finding would be suppressed";
  }
  if (table.kind !== undefined && !Object.hasOwn(KINDS, table.kind as string)) {
    return `there is no kind ${table.kind}; there are ${Object.keys(KINDS).join(", ")}`;
  }
  return null;
}

/** `file`: relative to the project, or as it is elsewhere; null if it is not known. */
export interface Suppressible {
  readonly function: string | null;
  readonly file: string | null;
  readonly kind: string;
}

/** The reason why it does not count, or null. The first that fits says it. */
export function suppressedBy(finding: Suppressible, list: readonly Suppression[]): string | null {
  const fits = (one: Suppression): boolean =>
    (one.function === null || one.function === finding.function) &&
    (one.kind === null || one.kind === finding.kind) &&
    (one.file === null || (finding.file !== null && Glob.withStars(one.file.replace(/^\.\//, "")).fits(finding.file)));
  return list.find(fits)?.reason ?? null;
}
