// Putting programs back whose place a stand-in has taken. The journal of a recording says what was replaced and by what it can be
// put back; it lies in the state folder, so that nobody else can have written it, and is found at one look by whichever
// `tangent` command comes next, after a crash, a kill or a full disk. No other part of the project is needed for that.
// Invariant: what is put back has the content that was replaced, or it is not put back.

import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isElf } from "../frontend/elf.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { contentHash } from "./content-hash.js";
import { isAlive, isIdentity, ownIdentity } from "./process-identity.js";
import type { BlobName } from "./seed.js";
import { type ProjectState, pendingJournals } from "./state-folder.js";

export const STAND_IN_MARK = "TANGENT-STAND-IN";
/** What a build that strips what it has just linked leaves of a stand-in has this in it (stand-in.c), and is never large. */
const STAND_IN_CODE = "TANGENT-STAND-IN-CODE";
const MOST_STAND_IN_BYTES = 4 << 20;
/** Of the hidden folders that programs are moved to. */
export const MOVED_PREFIX = ".tangent-moved-";

/** Where a stand-in is written before it takes the place of the program that was moved there. */
export function temporaryFor(moved: string): string {
  return join(dirname(moved), `.${basename(moved)}.stand-in`);
}

/** One program that was replaced. */
export interface Replaced {
  readonly program: string;
  readonly content: BlobName;
  /** Another name of the program's own file: putting it back brings back its inode and its times to the nanosecond. */
  readonly moved: string;
  /** A copy in the state folder, for when the other is gone. */
  readonly kept: string;
  readonly mode: number;
  readonly mtimeMs: number;
}

export interface Restored {
  readonly count: number;
  /** What could not be put back, and what to do. */
  readonly problems: readonly string[];
}

/** Before the first program is replaced: whose recording it is. While that process lives nobody else restores. */
export function beginJournal(state: ProjectState): void {
  appendFileSync(state.journal, `${JSON.stringify({ recorder: ownIdentity() })}\n`, { mode: PRIVATE_FILE });
}

export function noteReplaced(state: ProjectState, replaced: Replaced): void {
  appendFileSync(state.journal, `${JSON.stringify(replaced)}\n`, { mode: PRIVATE_FILE });
}

/** Puts back every program of the project; one that was rebuilt meanwhile stays as it is. */
export function restorePrograms(state: ProjectState): Restored {
  return restoreFrom(state.journal);
}

/** After a kill: puts back the programs of all recordings whose process is gone. */
export function restoreAbandoned(env: NodeJS.ProcessEnv): Restored {
  const all = pendingJournals(env)
    .filter((path) => !hasRecorder(path))
    .map(restoreFrom);
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    problems: all.flatMap(({ problems }) => problems),
  };
}

function hasRecorder(journal: string): boolean {
  return linesOf(journal).some((line) => {
    const recorder: unknown = (line as { recorder?: unknown }).recorder;
    return isIdentity(recorder) && isAlive(recorder);
  });
}

function restoreFrom(journal: string): Restored {
  let count = 0;
  const problems: string[] = [];
  // The last first: a program that was linked anew while tests were recorded is there twice.
  for (const entry of linesOf(journal).toReversed()) {
    if (!isReplaced(entry)) continue;
    const outcome = restoreOne(entry);
    if (typeof outcome === "string") problems.push(outcome);
    else if (outcome) count++;
  }
  // What could not be put back is tried again by the next command.
  if (problems.length === 0) rmSync(journal, { force: true });
  return { count, problems };
}

/** True if there was something to do; a text if it could not be done. */
function restoreOne({ program, content, moved, kept, mode, mtimeMs }: Replaced): boolean | string {
  try {
    const isThere = lstatSync(moved, { throwIfNoEntry: false }) !== undefined;
    if (!isStandIn(program)) {
      // Built anew, or removed: that is the tests' doing, and is left so.
      rmSync(moved, { force: true });
      removeRest(moved);
      return isThere;
    }
    if (contentHash(moved) === content) {
      renameSync(moved, program);
      removeRest(moved);
      return true;
    }
    if (contentHash(kept) !== content) return `${program} is a stand-in, and its program is gone; build it again`;
    const folder = mkdtempSync(join(dirname(program), MOVED_PREFIX));
    const temporary = join(folder, ".stand-in");
    copyFileSync(kept, temporary);
    chmodSync(temporary, mode);
    utimesSync(temporary, mtimeMs / 1000, mtimeMs / 1000);
    renameSync(temporary, program);
    removeFolder(folder);
    return true;
  } catch (error) {
    return `${program} could not be put back: ${(error as Error).message}`;
  }
}

/** What a kill may have left beside a program that was moved; and its folder, if it is ours and nothing is left in it. */
function removeRest(moved: string): void {
  rmSync(temporaryFor(moved), { force: true });
  removeFolder(dirname(moved));
}

function removeFolder(path: string): void {
  if (!basename(path).startsWith(MOVED_PREFIX)) return;
  for (const name of namesIn(path)) if (name.endsWith(".stand-in")) rmSync(join(path, name), { force: true });
  try {
    rmdirSync(path);
  } catch {
    // There is more in it, or it is gone already.
  }
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** False of what is not there. */
export function isStandIn(path: string): boolean {
  const mark = Buffer.alloc(STAND_IN_MARK.length);
  let file: number;
  try {
    // A named pipe that the tests have put there would be waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  try {
    const status = fstatSync(file);
    if (!status.isFile() || status.size < mark.length) return false;
    readSync(file, mark, 0, mark.length, status.size - mark.length);
    if (mark.toString("latin1") === STAND_IN_MARK) return true;
    return status.size <= MOST_STAND_IN_BYTES && isStripped(file, status.size);
  } finally {
    closeSync(file);
  }
}

function isStripped(file: number, size: number): boolean {
  const bytes = Buffer.alloc(size);
  readSync(file, bytes, 0, size, 0);
  return isElf(bytes) && bytes.includes(STAND_IN_CODE, 0, "latin1");
}

function linesOf(journal: string): object[] {
  let text: string;
  try {
    text = readFileSync(journal, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "object" && value !== null ? [value] : [];
    } catch {
      // The last line of a process that was killed: nothing was replaced yet.
      return [];
    }
  });
}

function isReplaced(value: object): value is Replaced {
  const { program, content, moved, kept, mode, mtimeMs } = value as Partial<Replaced>;
  const texts = [program, content, moved, kept];
  return texts.every((text) => typeof text === "string") && typeof mode === "number" && typeof mtimeMs === "number";
}
