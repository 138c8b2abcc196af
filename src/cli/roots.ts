// --root DIR: which directories of the real disk the program sees. Given as the user spells them; the machine wants them
// without links, since it resolves a path before it decides. A root that is reached through a link is named both ways, so
// that the spelled path still leads there.

import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";

export const ROOT_OPTION = {
  kind: "list",
  value: "DIR",
  help: "let the program see only DIR (and other --root) of the real disk (default all but /dev, /proc and /sys)",
} as const;

export type RootsResult =
  | { readonly kind: "roots"; readonly roots: readonly string[] | undefined }
  | { readonly kind: "wrong"; readonly problem: string };

export function rootsOf(directories: readonly string[]): RootsResult {
  if (directories.length === 0) return { kind: "roots", roots: undefined };
  const roots = new Set<string>();
  for (const directory of directories) {
    const spelled = resolve(directory);
    if (statSync(spelled, { throwIfNoEntry: false })?.isDirectory() !== true) {
      return { kind: "wrong", problem: `--root: ${directory} is no directory` };
    }
    roots.add(spelled);
    roots.add(realpathSync(spelled));
  }
  return { kind: "roots", roots: [...roots] };
}

/** For options that are left out where nothing is said. */
export function withRoots(roots: readonly string[] | undefined): { readonly roots?: readonly string[] } {
  return roots === undefined ? {} : { roots };
}
