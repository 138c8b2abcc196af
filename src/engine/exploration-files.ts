// The files that let an exploration survive its process: `journal.bin`, to which the input of every finished path is
// appended, and `snapshot.bin`, written now and then (to a temporary file, flushed to the disk, renamed over the old one: there
// is always a whole one). What was finished after the snapshot is in the journal and is run again on resuming, which costs
// no question to the solver.
//
// A journal record is length, checksum, input. A process that is killed in the middle of writing leaves a torn last record;
// reading stops there and writing goes on from there.

import { closeSync, existsSync, fsyncSync, ftruncateSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Model } from "../solver/solver.js";
import { readRegularFile } from "../support/regular-file.js";
import { checksum } from "./packing.js";

export const JOURNAL_FILE = "journal.bin";
const RECORD_HEADER_BYTES = 8;
/** Journal records are gathered up to this size or age before they are written. */
const FLUSH_BYTES = 1 << 16;

export interface SavedState {
  /** Null if there is none, or it is damaged: then the whole journal is run again. */
  readonly snapshot: Uint8Array | null;
  readonly journal: readonly JournalRecord[];
  /** What was wrong with the files, in words. */
  readonly problems: readonly string[];
}

export interface JournalRecord {
  readonly input: Model;
  /** Where it begins in the file. */
  readonly offset: number;
}

export class ExplorationFiles {
  private readonly journal: number;
  private readonly buffer = new Uint8Array(FLUSH_BYTES);
  private buffered = 0;
  private written = 0;

  private constructor(
    private readonly folder: string,
    readonly saved: SavedState,
    journalBytes: number,
  ) {
    this.journal = openSync(join(folder, JOURNAL_FILE), existsSync(join(folder, JOURNAL_FILE)) ? "r+" : "w+");
    ftruncateSync(this.journal, journalBytes);
    this.written = journalBytes;
  }

  /** Opens the files of a folder, which is made if need be. */
  static open(folder: string): ExplorationFiles {
    mkdirSync(folder, { recursive: true });
    const problems: string[] = [];
    const snapshot = readSnapshot(join(folder, "snapshot.bin"), problems);
    const { records, bytes } = readJournal(join(folder, JOURNAL_FILE), problems);
    return new ExplorationFiles(folder, { snapshot, journal: records, problems }, bytes);
  }

  /** Bytes of the journal, including those not yet written. */
  get journalBytes(): number {
    return this.written + this.buffered;
  }

  append(input: Model): void {
    const size = RECORD_HEADER_BYTES + input.length;
    if (this.buffered + size > this.buffer.length) this.flush();
    const record = size > this.buffer.length ? new Uint8Array(size) : this.buffer;
    const at = record === this.buffer ? this.buffered : 0;
    const view = new DataView(record.buffer, record.byteOffset + at);
    view.setUint32(0, input.length, true);
    view.setUint32(4, checksum(input), true);
    record.set(input, at + RECORD_HEADER_BYTES);
    if (record === this.buffer) this.buffered += size;
    else this.write(record);
  }

  flush(): void {
    if (this.buffered === 0) return;
    // If this throws, the disk being full, the records stay for the next attempt.
    this.write(this.buffer.subarray(0, this.buffered));
    this.buffered = 0;
  }

  save(snapshot: Uint8Array): void {
    this.flush();
    fsyncSync(this.journal);
    const header = new Uint8Array(4);
    new DataView(header.buffer).setUint32(0, checksum(snapshot), true);
    const temporary = join(this.folder, "snapshot.tmp");
    const file = openSync(temporary, "w");
    try {
      writeAll(file, header, null);
      writeAll(file, snapshot, null);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, join(this.folder, "snapshot.bin"));
    syncFolder(this.folder);
  }

  close(): void {
    this.flush();
    closeSync(this.journal);
  }

  private write(bytes: Uint8Array): void {
    writeAll(this.journal, bytes, this.written);
    this.written += bytes.length;
  }
}

function writeAll(file: number, bytes: Uint8Array, position: number | null): void {
  let done = 0;
  while (done < bytes.length) {
    done += writeSync(file, bytes, done, bytes.length - done, position === null ? null : position + done);
  }
}

/** The renaming itself is on the disk only when the folder is. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function readSnapshot(path: string, problems: string[]): Uint8Array | null {
  if (!existsSync(path)) return null;
  const bytes = readRegularFile(path);
  const content = new Uint8Array(bytes.subarray(4));
  if (bytes.length >= 4 && bytes.readUInt32LE(0) === checksum(content)) return content;
  problems.push(`${path} is damaged; the journal is used instead`);
  return null;
}

function readJournal(path: string, problems: string[]): { records: JournalRecord[]; bytes: number } {
  const records: JournalRecord[] = [];
  if (!existsSync(path)) return { records, bytes: 0 };
  const bytes = readRegularFile(path);
  let at = 0;
  while (at + RECORD_HEADER_BYTES <= bytes.length) {
    const size = bytes.readUInt32LE(at);
    const end = at + RECORD_HEADER_BYTES + size;
    if (end > bytes.length) break;
    const input = new Uint8Array(bytes.subarray(at + RECORD_HEADER_BYTES, end));
    if (bytes.readUInt32LE(at + 4) !== checksum(input)) break;
    records.push({ input, offset: at });
    at = end;
  }
  if (at < bytes.length) problems.push(`${path}: the last ${bytes.length - at} bytes are torn and left out`);
  return { records, bytes: at };
}
