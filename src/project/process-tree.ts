// A command and everything it has started. A process group would be simpler, but a command in a group of its own is not in the
// foreground of its terminal, and tests may ask for that; so the kernel is asked who descends from whom.

import { readdirSync, readFileSync } from "node:fs";

/** Sends the signal to a process and all its descendants that are still connected to it. */
export function signalTree(root: number, signal: NodeJS.Signals): void {
  for (const pid of descendants(root)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function descendants(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const parent = Number.isInteger(pid) ? parentOf(pid) : null;
    if (parent === null) continue;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [pid]);
    else siblings.push(pid);
  }
  const found = [root];
  for (let i = 0; i < found.length; i++) found.push(...(children.get(found[i]) ?? []));
  return found;
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the command, in parentheses, may contain anything.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null;
  }
}
