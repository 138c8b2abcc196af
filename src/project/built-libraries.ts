// Where the project's own shared libraries lie. Tests of plain makefiles set LD_LIBRARY_PATH for them, each in its own way, and what a program
// is made of must be known before its first test runs.

import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { extractBitcode } from "../frontend/capture.js";
import { foldersBelow } from "./stand-ins.js";

/** Folders below `top` with shared libraries that have IR, or with links to such. */
export function builtLibraryFolders(top: string): string[] {
  const folders = new Set<string>();
  const known = new Map<string, boolean>();
  for (const { path, entry } of foldersBelow(top)) {
    if (!/\.so(\.\d+)*$/.test(entry.name) || entry.isDirectory()) continue;
    const real = realPathOf(path);
    if (real === null) continue;
    const isOurs = known.get(real) ?? extractBitcode(real).kind === "captured";
    known.set(real, isOurs);
    if (isOurs) folders.add(dirname(path));
  }
  return [...folders].sort();
}

/** Null for a link to nothing. */
function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
