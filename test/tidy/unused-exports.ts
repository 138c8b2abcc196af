// Exports that nobody imports. An export is a promise to the rest of the program; one that nobody took up hides what is dead
// and makes the file harder to change. Types are excepted if their own file uses them: they are the words of its
// signatures, and whoever calls it may need to say one. What only tests import has to be listed, so that code which the
// program has stopped using does not live on because of its tests.

import type { SourceFile } from "./sources.js";

const DECLARED =
  /^export (?:async |abstract |declare )*(const|let|function\*?|class|interface|type|enum) ([A-Za-z0-9_$]+)/gm;
const LISTED = /^export (?:type )?\{([^}]*)\}/gm;

export interface Export {
  readonly name: string;
  readonly isType: boolean;
}

export function exportsOf(text: string): Export[] {
  const found: Export[] = [];
  for (const [, what, name] of text.matchAll(DECLARED)) {
    found.push({ name, isType: what === "interface" || what === "type" });
  }
  for (const [, list] of text.matchAll(LISTED)) {
    for (const item of list.split(",")) {
      const name = item.trim().split(" as ").pop() ?? "";
      if (name !== "") found.push({ name: name.replace(/^type /, ""), isType: false });
    }
  }
  return found;
}

/** Tests, and what is made for tests alone. */
export function isTestCode(name: string): boolean {
  return /^test\/|^src\/expr\/reference|(\.test|-fixture|guest-probe|tiny-module|script-executor)\.ts$/.test(name);
}

export interface ExportUse {
  /** As `src/vm/kernel.ts Kernel`: imported by no other file. */
  readonly unused: string[];
  /** Imported by tests alone. */
  readonly forTests: string[];
}

/** `files` are those looked at, `users` all that may import from them. */
export function exportUse(files: readonly SourceFile[], users: readonly SourceFile[]): ExportUse {
  const usedBy = new Map<string, string[]>();
  for (const { name, imports } of users) {
    for (const { target, names } of imports) {
      for (const what of names) {
        const key = `${target} ${what}`;
        const list = usedBy.get(key);
        if (list === undefined) usedBy.set(key, [name]);
        else list.push(name);
      }
    }
  }
  const unused: string[] = [];
  const forTests: string[] = [];
  for (const { name: file, text } of files) {
    for (const { name, isType } of exportsOf(text)) {
      const key = `${file} ${name}`;
      const by = [...(usedBy.get(key) ?? []), ...(usedBy.get(`${file} *`) ?? [])];
      if (by.length === 0 && !(isType && timesNamed(text, name) > 1)) unused.push(key);
      // What scripts and benchmarks use is used.
      else if (by.length > 0 && !isTestCode(file) && by.every(isTestCode) && !isType) forTests.push(key);
    }
  }
  return { unused, forTests };
}

function timesNamed(text: string, name: string): number {
  return text.match(new RegExp(`(?<![\\w$])${name.replace("$", "\\$")}(?![\\w$])`, "g"))?.length ?? 0;
}
