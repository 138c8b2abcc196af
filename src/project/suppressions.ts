// [[suppress]] in tangent.toml: findings that a project knows and lives with. Each names a function, a file, a kind, or several of
// these, and says why. A finding that all of its conditions fit is shown as suppressed in every report, and does not count.
// Invariant: a suppression that could hide everything, or that says no reason, is refused.

import { KINDS } from "../findings/kinds.js";
import { Glob } from "../support/glob.js";

export interface Suppression {
  /** Of one finding, or the beginning of it; it may be one that the finding had formerly. */
  readonly id: string | null;
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

const KEYS = ["id", "function", "file", "kind", "reason"];

export function readSuppressions(tables: readonly Readonly<Record<string, unknown>>[]): Suppressions {
  const list: Suppression[] = [];
  for (const [index, table] of tables.entries()) {
    const where = tables.length === 1 ? "suppress" : `suppress number ${index + 1}`;
    const problem = problemIn(table);
    if (problem !== null) return { kind: "wrong", problem: `${where}: ${problem}` };
    const text = (key: string): string | null => (table[key] as string | undefined) ?? null;
    list.push({
      id: text("id"),
      function: text("function"),
      file: text("file"),
      kind: text("kind"),
      reason: text("reason") ?? "",
    });
  }
  return { kind: "suppressions", list };
}

function problemIn(table: Readonly<Record<string, unknown>>): string | null {
  for (const [key, value] of Object.entries(table)) {
    if (!KEYS.includes(key)) return `there is no key ${key}; there are ${KEYS.join(", ")}`;
    if (typeof value !== "string" || value.trim() === "") return `${key} must be a text in quotes`;
  }
  if (table.reason === undefined) return 'say why: reason = "..."';
  if ([table.id, table.function, table.file, table.kind].every((one) => one === undefined)) {
    return "name an id, a function, a file or a kind; without any, every finding would be suppressed";
  }
  if (table.file !== undefined && /^[*./]*$/.test(table.file as string)) {
    return `file must name a file or a part of its path; every file fits ${table.file}`;
  }
  if (table.id !== undefined && !/^[0-9a-f]{6,64}$/.test(table.id as string)) {
    return `id must be six digits of a finding's id or more, not ${table.id}`;
  }
  if (table.kind !== undefined && !Object.hasOwn(KINDS, table.kind as string)) {
    return `there is no kind ${table.kind}; there are ${Object.keys(KINDS).join(", ")}`;
  }
  return null;
}

/** `file`: relative to the project, or as it is elsewhere; null if it is not known. */
export interface Suppressible {
  /** Its id, and those it had formerly. */
  readonly ids: readonly string[];
  readonly function: string | null;
  readonly file: string | null;
  readonly kind: string;
}

/** The reason why it does not count, or null. The first that fits says it. */
export function suppressedBy(finding: Suppressible, list: readonly Suppression[]): string | null {
  const fits = (one: Suppression): boolean =>
    (one.id === null || finding.ids.some((id) => id.startsWith(one.id ?? ""))) &&
    (one.function === null || one.function === finding.function) &&
    (one.kind === null || one.kind === finding.kind) &&
    (one.file === null || (finding.file !== null && Glob.withStars(one.file.replace(/^\.\//, "")).fits(finding.file)));
  return list.find(fits)?.reason ?? null;
}
