// From what the stand-ins wrote (runtime/native/stand-in.c) to seeds. A record is a folder with a file `events`, lines of
// "key length bytes", in the order in which things happened; a record that was cut short is read as far as it goes.

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { keptEnvironment, type Mentions } from "../inputs/kept-environment.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import type { FailingOutput } from "../vm/files/stream-shape.js";
import type { BlobStore } from "./blob-store.js";
import type { BlobName, Seed, SeedEnd, SeedEntry, SeedFile, SeedInput } from "./seed.js";
import { type SeedContent, seedId } from "./seed-store.js";

export interface RecordEvent {
  readonly key: string;
  /** One character per byte. */
  readonly value: string;
}

/** Stops at the first line that is not whole. */
export function parseEvents(bytes: Buffer): RecordEvent[] {
  const events: RecordEvent[] = [];
  let at = 0;
  while (at < bytes.length) {
    const head = /^([a-z]+) (\d+) /.exec(bytes.toString("latin1", at, Math.min(bytes.length, at + 64)));
    if (head === null) break;
    const start = at + head[0].length;
    const end = start + Number(head[2]);
    if (end >= bytes.length || bytes[end] !== 0x0a) break;
    events.push({ key: head[1], value: bytes.toString("latin1", start, end) });
    at = end + 1;
  }
  return events;
}

export interface CollectedRecord {
  readonly seed: Seed;
  /** Numbers of the process and of the one that started it; null in records of before they were told. */
  readonly process: number | null;
  readonly parent: number | null;
  /** Since 1970. */
  readonly beganAt: number;
  /** Why tracing was not possible, so that files and pipes are missing; null: it was. */
  readonly untraced: string | null;
  /** The same, because valgrind ran it. */
  readonly valgrind: boolean;
}

export interface ProgramIdentity {
  /** Where the stand-in stood. */
  readonly path: string;
  readonly content: BlobName;
  /** Which strings the program has: of the environment it can read only variables that it can name. */
  readonly mentions: Mentions;
  /** A loader starts it: variables of the loader's and of libc's own are read too. */
  readonly isDynamic?: boolean;
}

/** Those of processes that a process has started, or that it has become. */
export type StartedBy = (
  starter: Omit<CollectedRecord, "seed" | "untraced" | "valgrind"> & { readonly endedAt: number },
) => readonly Seed[];

/**
 * Null if nothing of use was written; throws if it cannot be stored. `programs`: by the path the real program was moved to.
 * What the processes read that this one started is part of its input: it may start them again.
 */
export function collectRecord(
  folder: string,
  programs: ReadonlyMap<string, ProgramIdentity>,
  blobs: BlobStore,
  startedBy: StartedBy = () => [],
): CollectedRecord | null {
  let events: RecordEvent[];
  let at: string;
  try {
    events = parseEvents(readFileSync(join(folder, "events")));
    at = statSync(join(folder, "events")).birthtime.toISOString();
  } catch {
    return null;
  }
  const all = (key: string): string[] => events.filter((event) => event.key === key).map(({ value }) => value);
  const one = (key: string): string | undefined => all(key)[0];
  const identity = programs.get(Buffer.from(one("program") ?? "", "latin1").toString("utf8"));
  if (identity === undefined || all("argument").length === 0) return null;
  const numberOf = (key: string): number | null => (one(key) === undefined ? null : Number(one(key)));
  const beganAt = startSeconds(folder);
  const known = { process: numberOf("process"), parent: numberOf("parent"), beganAt };
  const lasted = numberOf("milliseconds");
  const hasEnd = lasted !== null && (one("exit") ?? one("signal")) !== undefined;
  const started = startedBy({ ...known, endedAt: hasEnd ? beganAt + lasted / 1000 + 1 : Number.POSITIVE_INFINITY });
  const content: SeedContent = {
    program: identity.path,
    programContent: identity.content,
    arguments: all("argument"),
    environment: keptEnvironment(all("environment"), identity.mentions, identity.isDynamic === true),
    workingDirectory: one("directory") ?? "/",
    umask: Number(one("umask") ?? 0o022),
    stdin: inputOf(folder, one("stdin"), blobs),
    ...outputsOf(one),
    ...withFilesOf(started, beganAt, { files: filesOf(folder, events, blobs), ...treeOf(events) }),
    end: endOf(one("exit"), one("signal")),
  };
  const processor = one("processor");
  const recorded = {
    at,
    milliseconds: Number(one("milliseconds") ?? 0),
    ...(processor === undefined ? {} : { processorMicroseconds: Number(processor) }),
    times: 1,
  };
  return {
    seed: { id: seedId(content), ...content, recorded },
    ...known,
    untraced: one("untraced") ?? null,
    valgrind: one("valgrind") !== undefined,
  };
}

function inputOf(folder: string, kind: string | undefined, blobs: BlobStore): SeedInput {
  if (kind === "file" || kind === "pipe") {
    const bytes = copyIn(folder, "stdin");
    // A pipe from which nothing was read.
    if (bytes === null) return { kind: "empty" };
    // A pipe has no such field, as in seeds recorded before there was one: the same invocation keeps its name.
    return { kind: "bytes", content: blobs.put(bytes), ...(kind === "file" ? { regularFile: true } : {}) };
  }
  return { kind: kind === "terminal" || kind === "closed" ? kind : "empty" };
}

/** Nothing if nothing was told: the same invocation keeps its name. */
function outputsOf(one: (key: string) => string | undefined): Pick<Seed, "outputs"> {
  const isSignalIgnored = one("ignored") !== undefined ? { isSignalIgnored: true as const } : {};
  const failing = (key: string): FailingOutput | null => {
    const kind = one(key);
    const broken = one(`${key}broken`);
    if (kind === "full" || kind === "closed") return kind;
    return broken === undefined ? null : { brokenAfter: Number(broken), ...isSignalIgnored };
  };
  const [stdout, stderr] = [failing("stdout"), failing("stderr")];
  if (stdout === null && stderr === null) return {};
  return { outputs: { ...(stdout === null ? {} : { stdout }), ...(stderr === null ? {} : { stderr }) } };
}

function filesOf(folder: string, events: readonly RecordEvent[], blobs: BlobStore): SeedFile[] {
  const files: SeedFile[] = [];
  let mode = 0o644;
  let name = "";
  for (const { key, value } of events) {
    if (key === "mode") mode = Number(value);
    else if (key === "content") name = value;
    else if (key === "missing") files.push({ path: value, content: null, mode: 0 });
    else if (key === "file") {
      const bytes = copyIn(folder, name);
      // The copy is gone: better no file than a wrong one.
      if (bytes !== null) files.push({ path: value, content: blobs.put(bytes), mode });
    }
  }
  return files;
}

/** As record.c names folders; infinitely late if the name says nothing. */
function startSeconds(folder: string): number {
  const found = /^(\d+)\.(\d+)\./.exec(basename(folder));
  return found === null ? Number.POSITIVE_INFINITY : Number(`${found[1]}.${found[2]}`);
}

type SeenFiles = Pick<Seed, "files" | "tree">;

/** What other processes saw of the disk, as far as it was so when this one began: not what it made for them. */
function withFilesOf(others: readonly SeenFiles[], beganAt: number, own: SeenFiles): SeenFiles {
  const files = new Map(own.files.map((file) => [file.path, file]));
  const entries = new Map((own.tree ?? []).map((entry) => [entry.path, entry]));
  for (const other of others) {
    const isNew = new Set<string>();
    for (const entry of other.tree ?? []) {
      if (entry.kind !== "missing" && entry.seconds + entry.nanoseconds / 1e9 >= beganAt) isNew.add(entry.path);
    }
    for (const file of other.files) if (!files.has(file.path) && !isNew.has(file.path)) files.set(file.path, file);
    for (const entry of other.tree ?? []) {
      if (!entries.has(entry.path) && !isNew.has(entry.path)) entries.set(entry.path, entry);
    }
  }
  if (files.size === own.files.length && entries.size === (own.tree ?? []).length) return own;
  const tree = inOrder(entries, new Map());
  return { files: [...files.values()], ...(tree.length === 0 ? {} : { tree }) };
}

/** As runtime/native/looks.c writes them. */
const KINDS: { readonly [letter: string]: SeedEntry["kind"] } = {
  ...{ f: "file", d: "directory", l: "link", p: "fifo", s: "socket", c: "character", b: "block", m: "missing" },
};
const ENTRY = /^([fdlpscbm]) ([0-7]+) (\d+) (\d+) (\d+) (-?\d+) (\d+) ([^\0]+)(?:\0([^\0]*))?$/;

/** Nothing if nothing was told: such records are older, or nothing was looked at, which makes the same seed. */
function treeOf(events: readonly RecordEvent[]): Pick<Seed, "tree"> {
  const entries = new Map<string, SeedEntry>();
  const listings = new Map<string, readonly string[]>();
  for (const { key, value } of events) {
    if (key === "entry") {
      const entry = entryOf(value);
      if (entry !== null && !entries.has(entry.path)) entries.set(entry.path, entry);
    } else if (key === "listed") {
      const [path, ...names] = value.split("\0");
      listings.set(path, names);
    }
  }
  if (entries.size === 0) return {};
  return { tree: inOrder(entries, listings) };
}

function entryOf(value: string): SeedEntry | null {
  const found = ENTRY.exec(value);
  if (found === null) return null;
  const [, letter, mode, links, inode, size, seconds, nanoseconds, path, to] = found;
  if (letter === "l" && (to ?? "") === "") return null;
  return {
    kind: KINDS[letter],
    path,
    mode: Number.parseInt(mode, 8),
    ...{ links: Number(links), size: Number(size), seconds: Number(seconds), nanoseconds: Number(nanoseconds) },
    // Beyond 2^53 there is no telling them apart.
    ...(inode !== "0" && Number.isSafeInteger(Number(inode)) ? { inode: Number(inode) } : {}),
    ...(letter === "l" ? { to } : {}),
  };
}

/** Level by level; what a listing does not name comes after what it names. */
function inOrder(
  entries: ReadonlyMap<string, SeedEntry>,
  listings: ReadonlyMap<string, readonly string[]>,
): SeedEntry[] {
  const places = new Map<string, number>();
  for (const path of entries.keys()) places.set(path, places.size);
  for (const [path, names] of listings) {
    for (const [index, name] of names.entries()) places.set(`${path}/${name}`, index - names.length);
  }
  const depth = ({ path }: SeedEntry): number => path.split("/").length;
  const folder = ({ path }: SeedEntry): string => path.slice(0, path.lastIndexOf("/"));
  const order = (a: SeedEntry, b: SeedEntry): number => {
    if (depth(a) !== depth(b)) return depth(a) - depth(b);
    if (folder(a) !== folder(b)) return folder(a) < folder(b) ? -1 : 1;
    return (places.get(a.path) ?? 0) - (places.get(b.path) ?? 0);
  };
  const sorted = [...entries.values()].sort(order);
  return sorted.map((entry) =>
    entry.kind === "directory" && listings.has(entry.path) ? { ...entry, isWhole: true } : entry,
  );
}

/** Only reading may fail here: what cannot be stored is somebody else's to tell. */
function copyIn(folder: string, name: string): Buffer | null {
  try {
    return readFileSync(join(folder, name));
  } catch {
    return null;
  }
}

function endOf(exit: string | undefined, signal: string | undefined): SeedEnd {
  if (exit !== undefined) return { kind: "exit", code: Number(exit) };
  return signal === undefined ? { kind: "unknown" } : { kind: "signal", signal: Number(signal) };
}

/** The folders of records, oldest first; those still being written too. */
export function recordFolders(store: string): string[] {
  return readdirSync(store)
    .filter((name) => /\.(part|done)$/.test(name))
    .sort()
    .map((name) => join(store, name));
}

export function removeRecord(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Invocations that the stand-ins could not record count themselves here, in place: there may be no room for a new file. */
const LOST_FILE = "lost";
const LOST_FILE_BYTES = 4096;

export function prepareLostCount(store: string): void {
  for (const name of readdirSync(store)) if (name.endsWith(".lost")) removeRecord(join(store, name));
  writeFileSync(join(store, LOST_FILE), new Uint8Array(LOST_FILE_BYTES), { mode: PRIVATE_FILE });
}

export function lostCount(store: string): number {
  return Number(readFileSync(join(store, LOST_FILE)).readBigUInt64LE(0));
}
