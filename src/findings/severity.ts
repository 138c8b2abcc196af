// How bad a finding is, and its number in the Common Weakness Enumeration: the one place for both (docs/findings.md has the table,
// and a test keeps them together). Scores are CVSS 3.1's for a local program whose input somebody else has made
// (AV:L/AC:L/PR:N/UI:R/S:U). Whether strangers reach the program over a network is not ours to know, so nothing is "critical".
// What counts is what was seen: reads are told from writes, and a read that ends next to its object from one that goes anywhere.

import { NULL_LIMIT } from "../jit/memory-layout.js";
import type { Finding } from "./finding.js";
import { type Harm, KINDS, type KindName } from "./kinds.js";

const HARMS = {
  /** C:H/I:H/A:H */
  takeover: { severity: "high", score: 7.8 },
  /** C:L/I:N/A:H */
  disclosure: { severity: "medium", score: 6.1 },
  /** C:N/I:N/A:H */
  crash: { severity: "medium", score: 5.5 },
  /** One of the three is L, the others N. */
  slight: { severity: "low", score: 3.3 },
} as const satisfies { readonly [Name in Harm]: { readonly severity: string; readonly score: number } };

/** A read that stays this near to its object shows what lies there, which is a few bytes, and crashes nothing. */
const NEAR_BYTES = 16;

const OUT_OF_BOUNDS: ReadonlySet<KindName> = new Set<KindName>([
  "heap-buffer-overflow",
  "stack-buffer-overflow",
  "global-buffer-overflow",
  "argument-overflow",
]);

const EXPIRED: ReadonlySet<KindName> = new Set<KindName>([
  "heap-use-after-free",
  "stack-use-after-return",
  "stack-use-after-scope",
]);

export interface Weight {
  readonly severity: (typeof HARMS)[Harm]["severity"];
  /** As CVSS counts. */
  readonly score: number;
  readonly cwe: number;
}

type Weighed = Pick<Finding, "kind" | "access" | "address" | "size"> & {
  readonly object: Pick<NonNullable<Finding["object"]>, "kind" | "offset" | "size"> | null;
  /** What follows natively weighs as much. */
  readonly follows?: Weighed | undefined;
};

export function weightOf(finding: Weighed): Weight {
  const harms = [HARMS[harmOf(finding)], ...(finding.follows === undefined ? [] : [HARMS[harmOf(finding.follows)]])];
  const worst = harms.reduce((a, b) => (b.score > a.score ? b : a));
  return { ...worst, cwe: cweOf(finding) };
}

/** Whether it is a memory access outside of its object. */
export function isOutOfBounds(kind: KindName): boolean {
  return OUT_OF_BOUNDS.has(kind);
}

/** Kinds of which a read is another matter than a write. */
export function tellsReads(kind: string): boolean {
  const name = kind as KindName;
  return OUT_OF_BOUNDS.has(name) || EXPIRED.has(name) || name === "wild-access";
}

function harmOf({ kind, access, address, size, object }: Weighed): Harm {
  if (kind === "wild-call" && address !== null && address < NULL_LIMIT) return "crash";
  if (access !== "read") return KINDS[kind].harm;
  if (EXPIRED.has(kind) || kind === "wild-access") return "disclosure";
  if (!OUT_OF_BOUNDS.has(kind)) return KINDS[kind].harm;
  if (object === null) return "disclosure";
  const isNear = object.offset >= -NEAR_BYTES && object.offset + size <= object.size + NEAR_BYTES;
  return isNear ? "slight" : "disclosure";
}

function cweOf({ kind, access, object }: Weighed): number {
  // A variable, or a block from malloc.
  if (kind === "uninitialised") return object?.kind === "heap" ? 908 : KINDS[kind].cwe;
  if (kind === "wild-access" && access !== null) return access === "read" ? 125 : 787;
  if (!OUT_OF_BOUNDS.has(kind) || access === null) return KINDS[kind].cwe;
  const isBefore = object !== null && object.offset < 0;
  if (access === "write") return isBefore ? 124 : KINDS[kind].cwe;
  if (object === null) return 125;
  return isBefore ? 127 : 126;
}
