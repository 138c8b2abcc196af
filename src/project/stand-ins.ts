// Putting stand-ins in the place of programs, so that they can be taken away again whatever happens in between. Before a
// program is replaced, a line in a journal says how it comes back (restore-programs.ts). The program itself gets another
// name, in a hidden folder beside it: whoever could start it still can (a test may run it as another user), and removing
// `.tangent` does not lose it. A copy goes to the state folder: it is what is analysed later, whatever becomes of the
// program. A stand-in keeps the program's times and mode, because make looks at them.
// Invariant: at every moment the program's path holds either the program or a working stand-in for it.

import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  type Dirent,
  linkSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { extractBitcode } from "../frontend/capture.js";
import { isElf } from "../frontend/elf.js";
import { loadedPieces, mentionsIn } from "../inputs/kept-environment.js";
import { PRIVATE_FOLDER } from "../support/private-modes.js";
import { readRegularFile } from "../support/regular-file.js";
import type { ProgramIdentity } from "./collect-records.js";
import { contentHash, isContentName } from "./content-hash.js";
import { executableFacts } from "./executables.js";
import { keptContent, type ProgramContent, programContent } from "./program-content.js";
import { FOLDER_NAME } from "./project-folder.js";
import { MOVED_PREFIX, noteReplaced, STAND_IN_MARK, temporaryFor } from "./restore-programs.js";
import type { Seed } from "./seed.js";
import type { ProjectState } from "./state-folder.js";

/** In CMakeFiles are CMake's own experiments. */
const NOT_SEARCHED: ReadonlySet<string> = new Set([".git", "node_modules", "CMakeFiles", FOLDER_NAME]);

/** Executables below a directory that `tangent cc` has built, in order of their paths. */
export function findPrograms(root: string): string[] {
  const found: string[] = [];
  for (const { path, entry } of foldersBelow(root)) {
    if (entry.isFile() && !entry.name.startsWith(MOVED_PREFIX) && isOurExecutable(path)) found.push(path);
  }
  return found.sort();
}

/** All that is below a directory, but for what builds keep for themselves. */
export function* foldersBelow(root: string): Generator<{ readonly path: string; readonly entry: Dirent }> {
  const walk = [root];
  for (let directory = walk.pop(); directory !== undefined; directory = walk.pop()) {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && isSearched(entry.name)) walk.push(path);
      yield { path, entry };
    }
  }
}

/** Whether `findPrograms` of that root would find a program there. */
export function isProgramBelow(root: string, path: string): boolean {
  const names = relative(realpathOf(root), realpathOf(path)).split("/");
  if (names.includes("..") || !names.slice(0, -1).every(isSearched)) return false;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true && isOurExecutable(path);
}

function realpathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isSearched(name: string): boolean {
  return !NOT_SEARCHED.has(name) && !name.startsWith(MOVED_PREFIX);
}

/** None of a directory that may not be read. */
function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isOurExecutable(path: string): boolean {
  // It may be gone by now.
  if (((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o111) === 0) return false;
  const start = Buffer.alloc(4);
  try {
    const file = openSync(path, "r");
    const count = readSync(file, start, 0, start.length, 0);
    closeSync(file);
    // Most files are scripts and sources: they are not read as a whole.
    if (count < start.length || !isElf(start) || executableFacts(readRegularFile(path)) === null) return false;
  } catch {
    return false;
  }
  return extractBitcode(path).kind === "captured";
}

const SPECIAL_BITS = 0o6000;

export class StandIns {
  /** By where the program was moved. */
  readonly programs = new Map<string, ProgramIdentity>();
  /** What is not as it was while stand-ins are in place. */
  readonly notes: string[] = [];
  /** The hidden folders, by the folder they are in. */
  private readonly folders = new Map<string, string>();

  /** `recorder`: the stand-in's executable without its configuration. `store`: where records go. */
  constructor(
    readonly state: ProjectState,
    readonly recorder: Buffer,
    readonly store: string,
  ) {}

  /** `made`: what the program was made of before any program was replaced. */
  install(program: string, made: ProgramContent): void {
    const own = contentHash(program);
    if (own === null) throw new Error(`${program} is no file that could be recorded`);
    const status = statSync(program);
    const kept = keepProgram(this.state, program, made, status.mode);
    const bytes = readFileSync(program);
    const facts = executableFacts(bytes);
    const moved =
      facts?.usesOrigin === true ? nameBeside(program) : join(this.folderBeside(program), basename(program));
    const mode = status.mode & 0o7777;
    noteReplaced(this.state, { program, content: own, moved, kept, mode, mtimeMs: status.mtimeMs });
    if ((status.mode & SPECIAL_BITS) !== 0) {
      this.notes.push(
        `${program} has the setuid or setgid bit; while it is recorded it runs without, as whoever runs the tests`,
      );
    }
    keepUnderAnotherName(program, moved);
    const temporary = temporaryFor(moved);
    try {
      writeFileSync(temporary, this.configured(moved, kept), { flag: "wx" });
      chmodSync(temporary, status.mode & 0o777);
      // Never older than the program: make would build it again.
      const time = new Date(Math.ceil(status.mtimeMs) + 1);
      utimesSync(temporary, time, time);
      renameSync(temporary, program);
    } catch (error) {
      rmSync(temporary, { force: true });
      // Node does not say which file it was.
      if (error instanceof Error && !error.message.includes("'")) error.message += ` '${temporary}'`;
      throw error;
    }
    const { content, libraries } = made;
    const pieces = [bytes, ...libraries.map(({ path }) => readFileSync(path))].flatMap(loadedPieces);
    const isDynamic = facts?.isDynamic === true;
    this.programs.set(moved, { path: program, content, mentions: mentionsIn(pieces), isDynamic });
  }

  /**
   * A folder and not another name: the name of a process is that of its file. New, so that nobody can have prepared it; and for a program
   * that was linked anew another one, since what was recorded before is of the old program.
   */
  private folderBeside(program: string): string {
    const parent = dirname(program);
    const known = this.folders.get(parent);
    let folder = known !== undefined && this.programs.has(join(known, basename(program))) ? undefined : known;
    if (folder === undefined) {
      folder = mkdtempSync(join(parent, MOVED_PREFIX));
      chmodSync(folder, (statSync(parent).mode & 0o777) | PRIVATE_FOLDER);
      this.folders.set(parent, folder);
    }
    return folder;
  }

  private configured(moved: string, kept: string): Buffer {
    const text = Buffer.from(`${moved}\0${this.store}\0${kept}\0`);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    return Buffer.concat([this.recorder, text, length, Buffer.from(STAND_IN_MARK, "latin1")]);
  }
}

/** In the same folder: a program that finds its libraries by its own place must stay there. Its process then has another name. */
function nameBeside(program: string): string {
  return join(dirname(program), `${MOVED_PREFIX}${randomBytes(4).toString("hex")}-${basename(program)}`);
}

/** Its own file, or a copy where the file system has no links or the file is somebody else's. */
function keepUnderAnotherName(program: string, moved: string): void {
  try {
    linkSync(program, moved);
  } catch {
    const status = statSync(program);
    copyFileSync(program, moved);
    chmodSync(moved, status.mode & 0o7777);
    utimesSync(moved, status.atime, status.mtime);
  }
}

/** Gives the copy, which stays when the program is built again, with its libraries beside it. */
export function keepProgram(state: ProjectState, program: string, made: ProgramContent, mode: number): string {
  const path = state.file(KEPT, made.content, basename(program));
  if (keptContent(path) === made.content) return path;
  keepCopy(program, path, (mode & PRIVATE_FOLDER) | 0o500);
  for (const { name, path: library } of made.libraries) keepCopy(library, join(dirname(path), basename(name)), 0o500);
  return path;
}

/** Under another name until it is whole: a full disk must not leave half a program under this one. */
function keepCopy(from: string, to: string, mode: number): void {
  copyFileSync(from, `${to}.part`);
  chmodSync(`${to}.part`, mode);
  renameSync(`${to}.part`, to);
}

const KEPT = "real";

/** The program as it was when this machine recorded it; null if it did not, or the copy is not what it was. */
export function recordedProgram(state: ProjectState, { program, programContent: content }: Seed): string | null {
  if (!isContentName(content)) return null;
  const kept = state.known(KEPT, content, basename(program));
  return kept !== null && keptContent(kept) === content ? kept : null;
}

/** The same, or the program where it is now if it is still the same: to be looked at, not to be executed. */
export function sameProgram(state: ProjectState, seed: Seed): string | null {
  const kept = recordedProgram(state, seed);
  if (kept !== null) return kept;
  return programContent(seed.program)?.content === seed.programContent ? seed.program : null;
}
