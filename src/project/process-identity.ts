// Which process it was, also later: its number and the moment it started, because numbers are used again.

import { readFileSync } from "node:fs";

export interface ProcessIdentity {
  readonly pid: number;
  /** In the kernel's ticks; empty if unknown. */
  readonly started: string;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) ?? "" };
}

export function isAlive({ pid, started }: ProcessIdentity): boolean {
  const now = startOf(pid);
  return now !== null && (started === "" || started === now);
}

export function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== "object" || value === null || !("pid" in value) || !("started" in value)) return false;
  return typeof value.pid === "number" && typeof value.started === "string";
}

/** When a process started; null if there is no such process. */
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
