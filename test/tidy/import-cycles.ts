// Files that import one another in a circle. What such a file finds in another when it is loaded depends on which of them was
// asked for first, and none of them can be understood alone. Imports of types are excepted: nothing is left of them when
// the program runs, and two classes that hand each other work (a kernel and what it asks to deliver a signal) have to know
// each other's shape. So is what is loaded later: a thread begins with a program of its own.

import type { SourceFile } from "./sources.js";

/** What each file loads at once. */
function loadedBy(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    files.map(({ name, imports }) => [name, imports.filter(({ when }) => when === "load").map(({ target }) => target)]),
  );
}

/** All that is loaded, sooner or later, because one file is. */
export function loadedWith(files: readonly SourceFile[], first: string): ReadonlySet<string> {
  const next = loadedBy(files);
  const all = new Set([first]);
  for (const name of all) for (const target of next.get(name) ?? []) all.add(target);
  return all;
}

/** Each circle once, as the way around it. */
export function importCycles(files: readonly SourceFile[]): string[] {
  const next = loadedBy(files);
  const done = new Set<string>();
  const way: string[] = [];
  const cycles: string[] = [];
  const visit = (name: string): void => {
    const seen = way.indexOf(name);
    if (seen >= 0) cycles.push([...way.slice(seen), name].join(" -> "));
    if (seen >= 0 || done.has(name)) return;
    way.push(name);
    for (const target of next.get(name) ?? []) visit(target);
    way.pop();
    done.add(name);
  };
  for (const name of next.keys()) visit(name);
  return cycles;
}
