// What of an invocation can be edited: what the program reads, and its arguments; of a library's test with literals that vary, these alone.

import { placeOfLiteral } from "../../support/literal-names.js";
import type { Invocation, InvocationLiteral } from "../invocation.js";
import { readCommandLine } from "../moves/command-line.js";
import { MOVE_LIMITS } from "../moves/move.js";
import { isFile, ownEntries } from "../moves/tree.js";

const MOST_FILES = 8;

/** Something of an invocation that has bytes. */
export interface EditedPart {
  /** The same in tests that read the same. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly longest: number;
  readonly with: (bytes: Uint8Array) => Invocation;
}

/** An invocation is edited again and again. */
const known = new WeakMap<Invocation, readonly EditedPart[]>();

/** Standard input, and files that the command line names; or literals. */
export function contentsOf(from: Invocation): readonly EditedPart[] {
  let parts = known.get(from);
  if (parts === undefined) {
    parts = contentsIn(from);
    known.set(from, parts);
  }
  return parts;
}

function contentsIn(from: Invocation): EditedPart[] {
  const parts: EditedPart[] = [];
  const { stdin, literals } = from;
  if (literals !== undefined) return literalsIn(from, literals);
  const longest = MOVE_LIMITS.fileBytes;
  if (stdin.kind === "bytes" && stdin.bytes.length > 0)
    parts.push({
      name: "stdin",
      bytes: stdin.bytes,
      longest,
      with: (bytes) => ({ ...from, stdin: { ...stdin, bytes } }),
    });
  const { texts, operands } = readCommandLine(from, []);
  const named = operands.map((n) => texts[n]);
  for (const file of ownEntries(from, named).filter(isFile).slice(0, MOST_FILES)) {
    const tree = (bytes: Uint8Array) => from.tree.map((entry) => (entry === file ? { ...file, bytes } : entry));
    parts.push({ name: file.path, bytes: file.bytes, longest, with: (bytes) => ({ ...from, tree: tree(bytes) }) });
  }
  return parts;
}

/** A literal has its size at least, so a shorter text has zeros behind it. Wide strings are left out: not all bytes are characters there. */
function literalsIn(from: Invocation, literals: readonly InvocationLiteral[]): EditedPart[] {
  return literals.flatMap((literal): EditedPart[] => {
    const { name, bytes: own, least = own.length, most = own.length } = literal;
    if (placeOfLiteral(name)?.wide !== undefined) return [];
    const withBytes = (bytes: Uint8Array): Invocation => {
      const sized = new Uint8Array(Math.min(most, Math.max(least, bytes.length)));
      sized.set(bytes.subarray(0, sized.length));
      return { ...from, literals: literals.map((one) => (one === literal ? { ...literal, bytes: sized } : one)) };
    };
    return [{ name, bytes: own.subarray(0, endOf(own)), longest: most, with: withBytes }];
  });
}

/** Behind the last byte that is no zero. */
function endOf(bytes: Uint8Array): number {
  return bytes.findLastIndex((byte) => byte !== 0) + 1;
}

export function argumentsOf(from: Invocation): EditedPart[] {
  if (from.literals !== undefined) return [];
  return from.arguments.map((own, n) => ({
    name: `argument ${n}`,
    bytes: own,
    longest: MOVE_LIMITS.argumentBytes,
    with: (bytes) => ({ ...from, arguments: from.arguments.map((old, k) => (k === n ? bytes : old)) }),
  }));
}
