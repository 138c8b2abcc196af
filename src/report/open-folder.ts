// Where an exploration writes: DIR as the user said, or the first tangent-out-N that is free, with `tangent-last` pointing
// to it. A folder that already holds something is refused rather than mixed with another run; --resume says that mixing
// is wanted. What cannot be made or written is a message that says what to do, before any work is done.

import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { join, relative } from "node:path";

const DEFAULT_PREFIX = "tangent-out-";
const LAST_LINK = "tangent-last";

export type OpenResult =
  | {
      readonly kind: "opened";
      readonly folder: string;
      /** The highest numbers in use. */
      readonly tests: number;
      readonly findings: number;
    }
  | { readonly kind: "failed"; readonly message: string };

/** `asked`: the user's DIR. Null: find a free name below `base`. */
export function openFolder(base: string, asked: string | null, resume: boolean): OpenResult {
  try {
    if (resume) return continued(asked ?? join(base, LAST_LINK));
    if (asked !== null) return fresh(asked);
    const folder = makeNumbered(base);
    pointTo(base, folder);
    return { kind: "opened", folder, tests: 0, findings: 0 };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const where = asked ?? base;
    if (code === "EACCES" || code === "EROFS" || code === "EPERM") {
      return failed(`nothing can be written to ${where} (${code}); choose another place with --output DIR`);
    }
    if (code === "ENOSPC" || code === "EDQUOT") return failed(`there is no room left for ${where} (${code})`);
    return failed(`${where}: ${message}`);
  }
}

function fresh(folder: string): OpenResult {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) {
    return failed(`${folder} is not empty; name another folder, or continue what is there with --resume ${folder}`);
  }
  accessSync(folder, constants.W_OK);
  return { kind: "opened", folder, tests: 0, findings: 0 };
}

function continued(folder: string): OpenResult {
  if (!lstatSync(folder, { throwIfNoEntry: false })) return failed(`there is no folder ${folder} to resume`);
  accessSync(folder, constants.W_OK);
  const strange = readdirSync(folder, { recursive: true, withFileTypes: true }).find(
    (entry) => !entry.isFile() && !entry.isDirectory(),
  );
  if (strange !== undefined) {
    const what = strange.isSymbolicLink() ? "a symbolic link, and could lead anywhere" : "neither a file nor a folder";
    return failed(`${join(strange.parentPath, strange.name)} is ${what}; remove it first`);
  }
  const tests = highest(folder, /^test(\d+)\.ktest$/);
  const findings = highest(join(folder, "findings"), /^(\d+)-/);
  return { kind: "opened", folder, tests, findings };
}

function highest(folder: string, pattern: RegExp): number {
  try {
    return readdirSync(folder).reduce((most, name) => Math.max(most, Number(pattern.exec(name)?.[1] ?? 0)), 0);
  } catch {
    return 0;
  }
}

function makeNumbered(base: string): string {
  for (let number = highest(base, new RegExp(`^${DEFAULT_PREFIX}(\\d+)$`)) + 1; ; number++) {
    const folder = join(base, `${DEFAULT_PREFIX}${number}`);
    try {
      mkdirSync(folder);
      return folder;
    } catch (error) {
      // Another exploration was faster.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** Only a link is ever replaced: a file of that name is the user's own. */
function pointTo(base: string, folder: string): void {
  const link = join(base, LAST_LINK);
  try {
    const there = lstatSync(link, { throwIfNoEntry: false });
    if (there !== undefined && !there.isSymbolicLink()) return;
    if (there !== undefined) {
      if (readlinkSync(link) === relative(base, folder)) return;
      unlinkSync(link);
    }
    symlinkSync(relative(base, folder), link);
  } catch {
    // A convenience only, and some file systems have no links.
  }
}

function failed(message: string): OpenResult {
  return { kind: "failed", message };
}
