// Putting stand-ins in the place of programs, and taking them away again, whatever happens in between. Before a program is
// moved, a line in a journal says where it goes; restoring reads the journal, so that it works after a crash, a kill or a
// full disk, by whichever `tangent` command comes next. A stand-in keeps the program's times and mode, because make looks
// at them.
// Invariant: at every moment the program's path holds either the program or a working stand-in for it.

import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  type Dirent,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { extractBitcode } from "../frontend/capture.js";
import { isElf } from "../frontend/elf.js";
import type { ProgramIdentity } from "./collect-records.js";
import { FOLDER_NAME, type ProjectFolder } from "./project-folder.js";

const MAGIC = "TANGENT-STAND-IN";

/** In CMakeFiles are CMake's own experiments. */
const NOT_SEARCHED: ReadonlySet<string> = new Set([".git", "node_modules", "CMakeFiles", FOLDER_NAME]);

interface JournalLine {
  readonly program: string;
  /** Another name of the program's own file: putting it back brings back its inode and its times to the nanosecond. */
  readonly moved: string;
}

/** Executables below a directory that `tangent cc` has built, in order of their paths. */
export function findPrograms(root: string): string[] {
  const found: string[] = [];
  const walk = [root];
  for (let directory = walk.pop(); directory !== undefined; directory = walk.pop()) {
    for (const entry of entriesOf(directory)) {
      const path = join(directory, entry.name);
      if (entry.isDirectory() && !NOT_SEARCHED.has(entry.name)) walk.push(path);
      else if (entry.isFile() && isOurExecutable(path)) found.push(path);
    }
  }
  return found.sort();
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
  if ((statSync(path).mode & 0o111) === 0) return false;
  const start = Buffer.alloc(20);
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return false;
  }
  const count = readSync(file, start, 0, start.length, 0);
  closeSync(file);
  // ET_EXEC or ET_DYN; objects and libraries are not started.
  if (count < start.length || !isElf(start) || (start[16] !== 2 && start[16] !== 3)) return false;
  return extractBitcode(path).kind === "captured";
}

function isStandIn(path: string): boolean {
  const bytes = readFileSync(path);
  return bytes.subarray(-MAGIC.length).toString("latin1") === MAGIC;
}

export class StandIns {
  private readonly journal: string;
  /** By where the real program is. */
  readonly programs = new Map<string, ProgramIdentity>();

  /** `recorder`: the stand-in's executable without its configuration. `store`: where records go. */
  constructor(
    readonly folder: ProjectFolder,
    readonly recorder: Buffer,
    readonly store: string,
  ) {
    this.journal = folder.file("stand-ins.journal");
  }

  install(program: string): void {
    const content = createHash("sha256").update(readFileSync(program)).digest("hex");
    const real = join(this.folder.directory("real", content.slice(0, 16)), basename(program));
    const status = statSync(program);
    const moved = join(this.folder.directory("moved", String(this.programs.size)), basename(program));
    appendFileSync(this.journal, `${JSON.stringify({ program, moved } satisfies JournalLine)}\n`);
    // The copy is what runs and what is analysed later, whatever becomes of the program itself.
    if (!existsSync(real)) {
      // Under another name until it is whole: a full disk must not leave half a program under this one.
      copyFileSync(program, `${real}.part`);
      chmodSync(`${real}.part`, status.mode & 0o777);
      renameSync(`${real}.part`, real);
    }
    rmSync(moved, { force: true });
    linkSync(program, moved);
    const temporary = join(dirname(program), `.${basename(program)}.tangent-${process.pid}`);
    try {
      writeFileSync(temporary, this.configured(real), { mode: status.mode & 0o777 });
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
    this.programs.set(real, { path: program, content });
  }

  private configured(real: string): Buffer {
    const text = Buffer.from(`${real}\0${this.store}\0`);
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    return Buffer.concat([this.recorder, text, length, Buffer.from(MAGIC, "latin1")]);
  }
}

/** Puts every program back. Returns how many; a program that was rebuilt meanwhile stays as it is. */
export function restorePrograms(folder: ProjectFolder): number {
  const journal = folder.file("stand-ins.journal");
  if (!existsSync(journal)) return 0;
  let restored = 0;
  for (const line of readFileSync(journal, "utf8").split("\n")) {
    const entry = parseLine(line);
    if (entry === null || !existsSync(entry.moved) || !existsSync(entry.program)) continue;
    if (isStandIn(entry.program)) renameSync(entry.moved, entry.program);
    else rmSync(entry.moved);
    restored++;
  }
  rmSync(journal, { force: true });
  return restored;
}

function parseLine(line: string): JournalLine | null {
  try {
    const value = JSON.parse(line) as JournalLine;
    return typeof value.program === "string" && typeof value.moved === "string" ? value : null;
  } catch {
    return null;
  }
}
