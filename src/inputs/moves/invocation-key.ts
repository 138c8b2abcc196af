// When two invocations are the same, and when one can be run at all. Contents are compared by hashes that are kept beside the
// arrays, and so is what stands for a file or for the environment: moves and mutations share what they do not change, and are made by the
// thousand.

import { createHash } from "node:crypto";
import type { Invocation, TreeEntry } from "../invocation.js";
import { MOVE_LIMITS } from "./move.js";

const digests = new WeakMap<Uint8Array, string>();
const entryTexts = new WeakMap<TreeEntry, string>();
const environmentTexts = new WeakMap<readonly string[], string>();

/** What is made of an object, once. */
function kept<K extends object>(known: WeakMap<K, string>, of: K, make: (of: K) => string): string {
  let text = known.get(of);
  if (text === undefined) {
    text = make(of);
    known.set(of, text);
  }
  return text;
}

function digestOf(bytes: Uint8Array): string {
  return kept(digests, bytes, () => createHash("sha256").update(bytes).digest("base64"));
}

/** Equal for invocations with the same content, whatever the order of their trees' entries. */
export function invocationKey(invocation: Invocation): string {
  const { program, environment, workingDirectory, umask, stdin, outputs, literals } = invocation;
  const entries = new Map<string, TreeEntry>();
  for (const entry of invocation.tree) if (!entries.has(entry.path)) entries.set(entry.path, entry);
  const tree = [...entries.values()].map((entry) => kept(entryTexts, entry, plainEntry)).sort();
  const plain = {
    program,
    arguments: invocation.arguments.map((bytes) => Buffer.from(bytes).toString("latin1")),
    environment: kept(environmentTexts, environment, (all) => [...all].sort().join("\0")),
    workingDirectory,
    umask,
    stdin: stdin.kind === "bytes" ? ["bytes", digestOf(stdin.bytes), stdin.regularFile] : [stdin.kind],
    tree,
    ...(outputs === undefined ? {} : { outputs }),
    ...(literals === undefined ? {} : { literals: literals.map(({ name, bytes }) => [name, digestOf(bytes)]) }),
  };
  return createHash("sha256").update(JSON.stringify(plain)).digest("base64");
}

function plainEntry(entry: TreeEntry): string {
  return JSON.stringify(partsOf(entry));
}

function partsOf(entry: TreeEntry): unknown[] {
  switch (entry.kind) {
    case "file":
      return [entry.path, "file", digestOf(entry.bytes), entry.mode, entry.modified ?? null];
    case "directory":
      return [entry.path, "directory", entry.mode, entry.modified ?? null, entry.isWhole];
    case "link":
      return [entry.path, "link", entry.to];
    case "missing":
      return [entry.path, "missing"];
    default:
      return [entry.path, entry.kind, entry.mode];
  }
}

/**
 * What is wrong with an invocation that was made from another one, in words; null if it can be run. What the other one had already
 * is nobody's fault.
 */
export function problemOf(made: Invocation, from: Invocation): string | null {
  if (made.arguments.length > Math.max(MOVE_LIMITS.arguments, from.arguments.length)) return "too many arguments";
  for (const bytes of made.arguments) {
    if (from.arguments.includes(bytes)) continue;
    if (bytes.includes(0)) return "an argument with a zero byte";
    if (bytes.length > MOVE_LIMITS.argumentBytes) return "a long argument";
  }
  for (const variable of made.environment) {
    if (from.environment.includes(variable)) continue;
    if (variable.includes("\0") || variable.indexOf("=") < 1) return "a malformed variable";
    if (variable.length > MOVE_LIMITS.argumentBytes) return "a long variable";
  }
  if (made.stdin.kind === "bytes" && made.stdin.bytes.length > MOVE_LIMITS.fileBytes && made.stdin !== from.stdin) {
    return "a long standard input";
  }
  if (made.tree.length > from.tree.length + MOVE_LIMITS.addedEntries) return "too many files";
  const known = new Set(from.tree);
  const kinds = new Map(made.tree.map((entry) => [entry.path, entry.kind]));
  for (const entry of made.tree) {
    if (known.has(entry)) continue;
    if (!isPlainPath(entry.path)) return "a path that is not absolute";
    if (entry.kind === "file" && entry.bytes.length > MOVE_LIMITS.fileBytes) return "a long file";
    const parent = kinds.get(parentOf(entry.path));
    if (parent !== undefined && parent !== "directory" && entry.kind !== "missing")
      return "a file inside of no directory";
  }
  return null;
}

/** Absolute, without `.`, `..`, empty parts and zero bytes. */
function isPlainPath(path: string): boolean {
  if (!path.startsWith("/") || path.includes("\0")) return false;
  return path
    .slice(1)
    .split("/")
    .every((part) => part !== "" && part !== "." && part !== "..");
}

export function parentOf(path: string): string {
  const at = path.lastIndexOf("/");
  return at <= 0 ? "/" : path.slice(0, at);
}
