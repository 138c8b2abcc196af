// One `tangent` at a time works on a project: two that replace the same programs, or write the same campaign, would undo
// each other. A lock is a file of the state folder with the process's number and the moment it started; the lock of a
// process that is gone, however it went, is taken over.

import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { isAlive, isIdentity, ownIdentity, type ProcessIdentity } from "./process-identity.js";
import type { ProjectFolder } from "./project-folder.js";
import type { ProjectState } from "./state-folder.js";

export interface Holder extends ProcessIdentity {
  readonly command: string;
}

export type LockResult =
  | { readonly kind: "locked"; release(): void }
  | { readonly kind: "busy"; readonly message: string };

export function lockProject(folder: ProjectFolder, state: ProjectState, command: string): LockResult {
  const path = state.file("lock");
  keepOutOfGit(folder);
  const own: Holder = { ...ownIdentity(), command };
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(own), { mode: PRIVATE_FILE });
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

/** Who works on the project at this moment; null if nobody does, or if it cannot be known. Nothing is made. */
export function lockHolder(state: ProjectState): Holder | null {
  const path = state.known("lock");
  const holder = path === null ? null : readHolder(path);
  return holder !== null && isAlive(holder) ? holder : null;
}

/** Nobody wants to commit it by accident. */
function keepOutOfGit(folder: ProjectFolder): void {
  const path = folder.file(".gitignore");
  if (!existsSync(path)) writeFileSync(path, "*\n", { mode: PRIVATE_FILE });
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
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isIdentity(value)) return null;
    return { ...value, command: "command" in value && typeof value.command === "string" ? value.command : "" };
  } catch {
    return null;
  }
}
