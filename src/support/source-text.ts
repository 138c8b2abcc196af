// The text of a source file that debug information names. The name comes from the program under test, so it may be anything: only
// regular files of a size that sources have are read, and what cannot be read is simply not known.

import { readFileSync, statSync } from "node:fs";

const LARGEST_SOURCE = 16 << 20;

export function readSourceText(file: string): string | null {
  try {
    const about = statSync(file);
    return about.isFile() && about.size <= LARGEST_SOURCE ? readFileSync(file, "utf8") : null;
  } catch {
    return null;
  }
}
