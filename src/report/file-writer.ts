// Files of a run's folder, written so that a full disk loses nothing: a file that cannot be written is kept in memory
// and tried again, at the next success and at the end, and only what is still unwritten then is told to the user. What
// is kept is limited: beyond that the tests that come are counted as lost, because the exploration is worth more than they are.
// Each file is written at once and not in batches: a process that is killed has then lost only what it was doing.

import { closeSync, constants, mkdirSync, openSync, renameSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

/** What is kept of files that could not be written. */
const KEPT_BYTES_LIMIT = 64 << 20;
/** After a failure, so many files are kept before the disk is asked again: a failing write can be slow. */
const RETRY_INTERVAL = 256;

/** The name of a file ends like this until it is whole. */
export const UNFINISHED = ".new";

/** A link that lies in a folder to be continued could lead anywhere. */
const APPEND_HERE = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
const WRITE_HERE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

interface Kept {
  readonly name: string;
  readonly bytes: string | Uint8Array;
  readonly mode: number;
}

/** Where a run's files go; names are relative to the folder. */
export interface FileSink {
  readonly folder: string;
  /** Why the last attempt failed; null after a success. */
  readonly failure: string | null;
  /** Files that wait for room, and files given up because too many waited. */
  readonly waiting: number;
  readonly lost: number;
  write(name: string, bytes: string | Uint8Array, mode?: number): void;
  /** Replaces a file as a whole: whoever reads it meanwhile sees the old one or the new one. */
  replace(name: string, bytes: string | Uint8Array): void;
  append(name: string, text: string): void;
  /** Starts what was only collected so far. */
  flush(): void;
  /** Tries everything that waits; true if all is written. */
  finish(): boolean;
}

export class FileWriter implements FileSink {
  failure: string | null = null;
  lost = 0;
  private kept: Kept[] = [];
  private keptBytes = 0;
  private sinceFailure = 0;
  private readonly folders = new Set<string>();

  constructor(readonly folder: string) {}

  get waiting(): number {
    return this.kept.length;
  }

  write(name: string, bytes: string | Uint8Array, mode = 0o666): void {
    if (this.failure === null && this.attempt({ name, bytes, mode })) return;
    if (this.keptBytes + bytes.length > KEPT_BYTES_LIMIT) {
      this.lost++;
      return;
    }
    this.kept.push({ name, bytes, mode });
    this.keptBytes += bytes.length;
    if (++this.sinceFailure >= RETRY_INTERVAL) this.finish();
  }

  flush(): void {
    if (this.kept.length > 0) this.finish();
  }

  finish(): boolean {
    this.sinceFailure = 0;
    while (this.kept.length > 0) {
      const next = this.kept[0];
      if (!this.attempt(next)) return false;
      this.kept.shift();
      this.keptBytes -= next.bytes.length;
    }
    this.failure = null;
    return true;
  }

  replace(name: string, bytes: string | Uint8Array): void {
    try {
      writeWhole(join(this.folder, name), bytes, 0o666);
    } catch (error) {
      this.failure = messageOf(error);
      this.write(name, bytes);
    }
  }

  append(name: string, text: string): void {
    if (text === "") return;
    try {
      appendHere(join(this.folder, name), text);
    } catch (error) {
      // Rows of a table come again with the next sample; keeping them would reorder the file.
      this.failure = messageOf(error);
    }
  }

  private attempt({ name, bytes, mode }: Kept): boolean {
    try {
      const path = join(this.folder, name);
      const parent = dirname(path);
      if (!this.folders.has(parent)) {
        mkdirSync(parent, { recursive: true });
        this.folders.add(parent);
      }
      writeWhole(path, bytes, mode);
      return true;
    } catch (error) {
      this.failure = messageOf(error);
      return false;
    }
  }
}

export function appendHere(path: string, text: string): void {
  const file = openSync(path, APPEND_HERE);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Under another name first: a killed process leaves no half file, nor does a full disk. */
function writeWhole(path: string, bytes: string | Uint8Array, mode: number): void {
  const unfinished = `${path}${UNFINISHED}`;
  try {
    const file = openSync(unfinished, WRITE_HERE, mode);
    try {
      writeFileSync(file, bytes);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
  } catch (error) {
    try {
      unlinkSync(unfinished);
    } catch {
      // It may never have come into being.
    }
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
