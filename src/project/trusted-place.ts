// Whether what a name leads to is this user's own: a file that says what is executed must not be another user's doing. Owning the
// file is not enough, since a link to a file of ours in a shared folder chooses *which* file of ours; so the link, its target
// and every folder on the way to that belong to this user or to root, and nobody else may write there. Folders in which one stands
// anyway are the measure: whoever owns the folder, or may write to it, needs no way around (a checkout in a container, a
// team's folder), and who may write above the file's own folder could exchange all of it.

import { lstatSync, readlinkSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";

export type Trust =
  | { readonly kind: "none" }
  | { readonly kind: "ours" }
  /** `place`: what another user owns or may write to. */
  | { readonly kind: "foreign"; readonly place: string };

const STICKY = 0o1000;
const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;
/** As the system has it. */
const MOST_LINKS = 40;

/** `standing`: the folder that the user works in. */
export function trustOf(path: string, standing: string): Trust {
  const own = process.getuid?.();
  const folder = statSync(standing, { throwIfNoEntry: false });
  const isOurs = (status: Stats): boolean => {
    if (own === undefined) return true;
    if (![own, 0, folder?.uid].includes(status.uid)) return false;
    // Where only owners may rename and remove, an entry stays what it is.
    if (status.isSymbolicLink() || (status.isDirectory() && (status.mode & STICKY) !== 0)) return true;
    const groups = [process.getgid?.(), 0, (folder?.mode ?? 0) & GROUP_WRITES ? folder?.gid : undefined];
    const isGroups = (status.mode & GROUP_WRITES) !== 0 && !groups.includes(status.gid);
    return !isGroups && (status.mode & OTHERS_WRITE & ~(folder?.mode ?? 0)) === 0;
  };
  const holder = dirname(path);
  let at = "/";
  let links = 0;
  try {
    for (const names = namesOf(path); names.length > 0; ) {
      const name = names.shift() as string;
      const next = name === ".." ? dirname(at) : join(at, name);
      const status = lstatSync(next);
      if (!isAbove(next, holder) && !isOurs(status)) return { kind: "foreign", place: next };
      if (!status.isSymbolicLink()) {
        at = next;
        continue;
      }
      if (++links > MOST_LINKS) return { kind: "none" };
      const target = readlinkSync(next);
      if (target.startsWith("/")) at = "/";
      names.unshift(...namesOf(target));
    }
  } catch (error) {
    // Nothing, or nothing that may be looked at.
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    return { kind: "none" };
  }
  return { kind: "ours" };
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

function isAbove(path: string, holder: string): boolean {
  return path !== holder && (path === "/" || holder.startsWith(`${path}/`));
}
