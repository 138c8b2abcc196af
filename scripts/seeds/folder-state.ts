// What lies in a folder, entry by entry, as far as two runs of one test should leave the same: kinds, modes, sizes and contents. No times,
// no owners, no inode numbers: those are of the moment.

import { createHash } from "node:crypto";
import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import type { FileChange } from "../../src/vm/files/overlay-changes.js";

/** By absolute path, one character a byte. */
export type FolderState = Map<string, string>;

/** As the machine keeps of a file that it tells of. */
const CONTENT_LIMIT = 0x40_0000;

export function folderState(folder: string): FolderState {
  const state: FolderState = new Map();
  const pending = [Buffer.from(folder)];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const name of readdirSync(at, "buffer")) {
      const path = Buffer.concat([at, Buffer.from("/"), name]);
      const status = lstatSync(path);
      if (status.isDirectory()) pending.push(path);
      state.set(path.toString("latin1"), wordsOf(path, status));
    }
  }
  return state;
}

/** What the folder would hold if the changes had been made on the disk. */
export function withChanges(before: FolderState, changes: readonly FileChange[], folder: string): FolderState {
  const after = new Map(before);
  for (const change of changes) {
    const { path } = change;
    if (!path.startsWith(`${folder}/`)) continue;
    // Whatever was below is told of by itself, if it is there again.
    if (change.kind !== "directory") for (const other of below(after, path)) after.delete(other);
    if (change.kind === "removed") after.delete(path);
    else after.set(path, changeInWords(change));
  }
  return after;
}

export interface EntryDifference {
  readonly path: string;
  readonly one: string | null;
  readonly two: string | null;
}

export function stateDifferences(one: FolderState, two: FolderState): EntryDifference[] {
  return [...new Set([...one.keys(), ...two.keys()])]
    .sort()
    .map((path) => ({ path, one: one.get(path) ?? null, two: two.get(path) ?? null }))
    .filter((entry) => entry.one !== entry.two);
}

function below(state: FolderState, path: string): string[] {
  return [...state.keys()].filter((other) => other.startsWith(`${path}/`));
}

function wordsOf(path: Buffer, status: ReturnType<typeof lstatSync>): string {
  if (status === undefined) return "gone";
  const mode = Number(status.mode) & 0o7777;
  if (status.isDirectory()) return inWords("directory", mode, 0, new Uint8Array(0));
  if (status.isSymbolicLink()) return inWords("link", 0o777, 0, readlinkSync(path, "buffer"));
  if (!status.isFile()) return inWords("other", mode, 0, new Uint8Array(0));
  return inWords("file", mode, Number(status.size), beginningOf(path, Number(status.size)));
}

function changeInWords({ kind, mode, size, bytes }: FileChange): string {
  return inWords(kind, kind === "link" ? 0o777 : mode, kind === "file" ? size : 0, bytes);
}

function inWords(kind: string, mode: number, size: number, bytes: Uint8Array): string {
  const content =
    kind === "file" || kind === "link" ? createHash("sha256").update(bytes).digest("hex").slice(0, 12) : "";
  return `${kind} ${mode.toString(8)}${kind === "file" ? ` ${size}` : ""}${content && ` ${content}`}`;
}

function beginningOf(path: Buffer, size: number): Uint8Array {
  const bytes = new Uint8Array(Math.min(size, CONTENT_LIMIT));
  const file = openSync(path, "r");
  try {
    let at = 0;
    while (at < bytes.length) {
      const count = readSync(file, bytes, at, bytes.length - at, at);
      if (count <= 0) break;
      at += count;
    }
    return bytes.subarray(0, at);
  } finally {
    closeSync(file);
  }
}
