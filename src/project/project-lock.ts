// One `tangent` at a time works on a project: two that replace the same programs, or write the same campaign, would undo
// each other. A lock is a file with the process's number and the moment it started, because numbers are used again; the
// lock of a process that is gone, however it went, is taken over.

import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import type { ProjectFolder } from "./project-folder.js";

interface Holder {
  readonly pid: number;
  readonly started: string;
  readonly command: string;
}

export type LockResult =
  | { readonly kind: "locked"; release(): void }
  | { readonly kind: "busy"; readonly message: string };

export function lockProject(folder: ProjectFolder, command: string): LockResult {
  const path = folder.file("lock");
  keepOutOfGit(folder);
  const own: Holder = { pid: process.pid, started: startOf(process.pid) ?? "", command };
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, "w");
  writeSync(file, JSON.stringify(own));
  closeSync(file);
  try {
    // A link is made whole or not at all, and never over a file that is there.
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        linkSync(draft, path);
        return locked(path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const holder = readHolder(path);
      if (holder !== null && isAlive(holder)) {
        return {
          kind: "busy",
          message: `\`tangent ${holder.command}\` (process ${holder.pid}) is at work in ${folder.root}; wait for it, or stop it`,
        };
      }
      // Moved aside rather than removed: of two that find the same stale lock, one fails here and looks again.
      const aside = `${path}.stale.${process.pid}`;
      try {
        renameSync(path, aside);
        rmSync(aside, { force: true });
      } catch {
        // The other one was faster.
      }
    }
    return { kind: "busy", message: `${path} changes hands too fast; try again` };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Nobody wants to commit it by accident. */
function keepOutOfGit(folder: ProjectFolder): void {
  const path = folder.file(".gitignore");
  if (!existsSync(path)) writeFileSync(path, "*\n");
}

function locked(path: string): LockResult {
  const release = (): void => {
    process.off("exit", release);
    if (readHolder(path)?.pid === process.pid) rmSync(path, { force: true });
  };
  process.once("exit", release);
  return { kind: "locked", release };
}

function readHolder(path: string): Holder | null {
  try {
    const value = JSON.parse(readFileSync(path, "utf8")) as Holder;
    return typeof value.pid === "number" && typeof value.started === "string" ? value : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, started }: Holder): boolean {
  const now = startOf(pid);
  return now !== null && (started === "" || started === now);
}

/** When a process started, in the kernel's ticks; null if there is no such process. */
function startOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in parentheses, and may hold blanks and parentheses itself.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    // A zombie does nothing any more.
    return fields[0] === "Z" ? null : fields[19];
  } catch {
    return null;
  }
}
