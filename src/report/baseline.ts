// Which findings an earlier campaign had. A finding is known if the baseline has its identity, or one that it had formerly. What is left
// over on both sides (an old baseline's ids are of lines, which move) is compared by fingerprint, where each finding of the
// baseline answers for one only, so that a second mistake on an equal line is new.

import { resolve } from "node:path";
import type { ResultFinding } from "./campaign-result.js";
import { isSameFinding } from "./named-findings.js";
import { readResultFile } from "./result-file.js";

export type KnownFinding = Pick<ResultFinding, "id" | "formerIds" | "fingerprint">;

export type Baseline =
  | { readonly kind: "none" }
  | { readonly kind: "findings"; readonly path: string; readonly findings: readonly KnownFinding[] }
  | { readonly kind: "wrong"; readonly message: string };

/** To be read, and found wrong, before anything that takes time. */
export function readBaseline(path: string | undefined): Baseline {
  if (path === undefined) return { kind: "none" };
  const read = readResultFile(resolve(path));
  if (read.kind === "unreadable") return { kind: "wrong", message: `the baseline cannot be used: ${read.message}` };
  return { kind: "findings", path, findings: read.result.findings };
}

/** The findings, each with whether it is known. */
export function withKnown(findings: readonly ResultFinding[], baseline: readonly KnownFinding[]): ResultFinding[] {
  const isIn = (finding: ResultFinding): boolean => baseline.some((old) => isSameFinding(old, finding));
  const moved = new Map<string, number>();
  for (const old of baseline) {
    if (findings.some((finding) => isSameFinding(old, finding))) continue;
    moved.set(old.fingerprint, (moved.get(old.fingerprint) ?? 0) + 1);
  }
  return findings.map((finding) => {
    if (isIn(finding)) return { ...finding, known: true };
    const left = moved.get(finding.fingerprint) ?? 0;
    if (left > 0) moved.set(finding.fingerprint, left - 1);
    return { ...finding, known: left > 0 };
  });
}
