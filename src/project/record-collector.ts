// From records to seeds in the store. A suite makes tens of thousands of records, which take minutes to read, so that most are taken up
// while the suite still runs; what is left is done when it has ended.
//
// What the processes read that a process started is part of its input, so they come first. They begin after it, and a record is only taken
// up when none of those that wait for their turn can be of a process that it started, or that it has become.

import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { BlobStore } from "./blob-store.js";
import {
  type CollectedRecord,
  collectRecord,
  parseEvents,
  recordFolders,
  removeRecord,
  type StartedBy,
} from "./collect-records.js";
import { seedsOurs } from "./made-here.js";
import type { ProjectFolder } from "./project-folder.js";
import type { Seed } from "./seed.js";
import { AlikeSeeds } from "./seed-likeness.js";
import { SeedStore } from "./seed-store.js";
import type { StandIns } from "./stand-ins.js";
import type { ProjectState } from "./state-folder.js";

export interface Untraced {
  /** argv, one character a byte. */
  readonly command: readonly string[];
  /** As the system has it. */
  readonly reason: string;
}

export interface Collected {
  readonly invocations: number;
  readonly newSeeds: number;
  readonly seeds: number;
  readonly seedIds: ReadonlySet<string>;
  /** Invocations whose files and pipes could not be observed. */
  readonly untraced: readonly Untraced[];
  /** The same, because valgrind ran them. */
  readonly underValgrind: number;
  /** Recorded, but not stored; they stay for the next recording. */
  readonly unstored: number;
  readonly storeFailure: string | null;
}

/** A process that has become another program has a second record, which begins when the first one is done. */
const YOUNG_MS = 2000;
/** Of a record's events: its first ones say whose it is. */
const HEAD_BYTES = 0x2000;

/** Records of processes by who started them. */
class StartedProcesses {
  private readonly byStarter = new Map<number, CollectedRecord[]>();

  add(record: CollectedRecord): void {
    // A process that becomes another program keeps its number.
    for (const starter of new Set([record.parent, record.process])) {
      if (starter === null) continue;
      const list = this.byStarter.get(starter);
      if (list === undefined) this.byStarter.set(starter, [record]);
      else list.push(record);
    }
  }

  take({ process, parent, beganAt, endedAt }: Parameters<StartedBy>[0]): readonly Seed[] {
    if (process === null) return [];
    const records = this.byStarter.get(process) ?? [];
    this.byStarter.delete(process);
    // The number may have been another's.
    const own = records.filter(
      (record) =>
        record.beganAt >= beganAt &&
        record.beganAt <= endedAt &&
        (record.parent === process || record.parent === parent),
    );
    return own.map(({ seed }) => seed);
  }
}

export class RecordCollector {
  private readonly blobs: BlobStore;
  private readonly seeds: SeedStore;
  private known: AlikeSeeds | null = null;
  private readonly started = new StartedProcesses();
  private invocations = 0;
  private newSeeds = 0;
  private underValgrind = 0;
  private readonly untraced: Untraced[] = [];
  private readonly met = new Set<string>();
  private storeFailure: string | null = null;
  /** Of records that wait: numbers of their processes, and of those that started them. */
  private readonly waiting = new Map<string, readonly number[]>();
  /** Read, but not stored yet. */
  private readonly unstored = new Map<string, CollectedRecord>();

  /** `temporary`: TMPDIR, if the user has one. */
  constructor(
    private readonly folder: ProjectFolder,
    private readonly store: string,
    private readonly standIns: Pick<StandIns, "programs">,
    private readonly state: ProjectState,
    private readonly temporary: string,
  ) {
    this.blobs = new BlobStore(folder);
    this.seeds = new SeedStore(folder);
  }

  /** While processes are still being recorded: of those that have ended, as many as the time allows. */
  collectSome(milliseconds: number): void {
    // The disk is full: what is there is not made worse.
    if (this.storeFailure !== null) return;
    const end = performance.now() + milliseconds;
    const folders = recordFolders(this.store);
    const old = folders.filter((path) => path.endsWith(".done") && isOld(path));
    const isOlder = new Set(old);
    const needed = new Set(folders.filter((path) => !isOlder.has(path)).flatMap((path) => this.processesOf(path)));
    for (const path of old.toReversed()) {
      if (performance.now() > end) break;
      // What it waits for may have been started by what others wait for.
      if (needed.has(processOf(path))) for (const number of this.processesOf(path)) needed.add(number);
      else if (!this.take(path)) break;
    }
  }

  /** When the command has ended: all that is there. */
  collectAll(): Collected {
    const folders = recordFolders(this.store).toReversed();
    const left = folders.filter((path) => !this.take(path));
    // Those that were stored have made room.
    const unstored = left.filter((path) => !this.take(path)).length;
    const { invocations, newSeeds, met: seedIds, untraced, underValgrind, storeFailure } = this;
    return {
      ...{ invocations, newSeeds, seeds: seedIds.size, seedIds },
      ...{ untraced, underValgrind, unstored, storeFailure },
    };
  }

  /** False if it could not be stored: the record stays. */
  private take(path: string): boolean {
    try {
      let collected = this.unstored.get(path) ?? null;
      if (collected === null) {
        collected = collectRecord(path, this.standIns.programs, this.blobs, (one) => this.started.take(one));
        if (collected !== null) this.started.add(collected);
      }
      if (collected !== null) {
        this.unstored.set(path, collected);
        const seed = this.alike.asKnown(collected.seed);
        if (this.seeds.add(seed)) this.newSeeds++;
        this.invocations++;
        this.met.add(seed.id);
        if (collected.untraced !== null) {
          this.untraced.push({ command: collected.seed.arguments, reason: collected.untraced });
        }
        if (collected.valgrind) this.underValgrind++;
      }
    } catch (error) {
      if (!(error instanceof Error) || !("syscall" in error)) throw error;
      this.storeFailure = error.message;
      return false;
    }
    removeRecord(path);
    this.unstored.delete(path);
    this.waiting.delete(keyOf(path));
    return true;
  }

  /** Only those of this machine: what came with a repository does not become ours by being like it. */
  private get alike(): AlikeSeeds {
    if (this.known === null) {
      const contents = new Set(Array.from(this.standIns.programs.values(), ({ content }) => content));
      const before = this.seeds.list().filter(({ programContent }) => contents.has(programContent));
      this.known = new AlikeSeeds(seedsOurs(this.state, before), this.blobs, this.folder.root, this.temporary);
    }
    return this.known;
  }

  private processesOf(path: string): readonly number[] {
    const key = keyOf(path);
    const known = this.waiting.get(key);
    if (known !== undefined) return known;
    const head = headOf(join(path, "events"));
    const parent = parseEvents(head).find(({ key: name }) => name === "parent")?.value;
    const numbers = [processOf(path), ...(parent === undefined ? [] : [Number(parent)])];
    // It may only just have begun.
    if (parent !== undefined) this.waiting.set(key, numbers);
    return numbers;
  }
}

/** Its name changes when it is done. */
function keyOf(path: string): string {
  return path.replace(/\.[a-z]+$/, "");
}

/** As record.c names folders. */
function processOf(path: string): number {
  return Number(/\.(\d+)\.[a-z]+$/.exec(basename(path))?.[1] ?? Number.NaN);
}

function isOld(path: string): boolean {
  const written = statSync(join(path, "events"), { throwIfNoEntry: false })?.mtimeMs;
  return written !== undefined && Date.now() - written > YOUNG_MS;
}

function headOf(path: string): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES);
  try {
    const file = openSync(path, "r");
    try {
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return bytes.subarray(0, 0);
  }
}
