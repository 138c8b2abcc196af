// The repository as the tidy test sees it: files with their text, and what their import statements say. Imports are read by
// pattern and not by a parser: the formatter makes them all look alike, and TypeScript's own parser is no library any more.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

export interface Import {
  /** From the root of the repository, as `src/vm/kernel.ts`. */
  readonly target: string;
  /** As the target calls them; `*` for all of it. */
  readonly names: readonly string[];
  /** When the file is loaded; for its types only, of which nothing is left then; or later, by name or as a thread. */
  readonly when: "load" | "types" | "later";
}

export interface SourceFile {
  readonly name: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

export function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** All TypeScript below the folders, but for declarations, which are no code. */
export function readSources(...folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => filesBelow(join(ROOT, folder), ".ts"))
    .filter((path) => !path.endsWith(".d.ts"))
    .map((path) => {
      const name = relative(ROOT, path);
      const text = readFileSync(path, "utf8");
      return { name, text, imports: importsOf(name, text) };
    });
}

const STATEMENT = /^(?:import|export)\s+(type\s+)?([^;"]*?)\s*from\s+"(\.[^"]+)\.js"/gms;
/** A dynamic import, or the entry of a thread. */
const BY_NAME = /(?:import\(|new URL\()\s*"(\.[^"]+)\.js"/g;

export function importsOf(name: string, text: string): Import[] {
  const target = (path: string): string => relative(ROOT, resolve(ROOT, dirname(name), `${path}.ts`));
  const found: Import[] = [];
  for (const [, type, what, path] of text.matchAll(STATEMENT)) {
    const listed = /\{([^}]*)\}/.exec(what)?.[1];
    const items = (listed ?? "*").split(",").flatMap((item) => item.trim() || []);
    const isTypeOnly = type !== undefined || (listed !== undefined && items.every((item) => item.startsWith("type ")));
    const names = items.map((item) => item.replace(/^type /, "").split(" as ")[0]);
    found.push({ target: target(path), names, when: isTypeOnly ? "types" : "load" });
  }
  for (const [, path] of text.matchAll(BY_NAME)) {
    found.push({ target: target(path), names: ["*"], when: "later" });
  }
  return found;
}

/** What is under version control, and, if asked for, what is about to be: new files that nobody ignores. */
export function trackedFiles(withNew = false): string[] {
  const list = (...options: string[]): string[] =>
    execFileSync("git", ["ls-files", "-z", ...options], { cwd: ROOT, encoding: "utf8" }).split("\0");
  const gone = new Set(["", ...list("--deleted")]);
  const fresh = withNew ? list("--others", "--exclude-standard") : [];
  return [...list("--cached"), ...fresh].filter((name) => !gone.has(name));
}
