// What of the programs that were built is in reach of the analysis, and what is not: sources without IR, libraries of the system, programs in
// C++. Told after each build, because a run that ends at such a place looks at nothing behind it.

import { basename } from "node:path";
import { extractProgram } from "../frontend/capture.js";
import { libraryKey } from "./library-key.js";
import { FROM_APT, hasApt } from "./library-sources.js";

/** So many are named; the rest is counted. */
const NAMED = 6;

/**
 * Sentences for people; none if everything is in reach. `folders`: where libraries are that stand for the system's; `ended`: how many tests
 * of the last campaign ended in a library.
 */
export function captureSummary(
  programs: readonly string[],
  folders: readonly string[],
  ended: ReadonlyMap<string, number>,
): string[] {
  const foreign = new Map<string, Set<string>>();
  const uncaptured = new Map<string, string>();
  const elsewhere: string[] = [];
  for (const program of programs) {
    const extracted = extractProgram(program, { LD_LIBRARY_PATH: folders.join(":") });
    if (extracted.kind === "failed") continue;
    for (const { name } of extracted.foreign) {
      if (!isCxxRuntime(name)) foreign.set(name, (foreign.get(name) ?? new Set()).add(basename(program)));
    }
    for (const { source, reason } of extracted.uncaptured) uncaptured.set(source, reason);
    if (extracted.mainIsElsewhere !== null) elsewhere.push(basename(program));
  }
  return [
    ...(uncaptured.size === 0
      ? []
      : [
          `${counted(uncaptured.size, "source")} without IR, built natively as ever: ` +
            listed([...uncaptured].map(([source, reason]) => `${source} (${reason})`)),
        ]),
    ...(elsewhere.length === 0
      ? []
      : [
          `${counted(elsewhere.length, "program")} with C++ in it, not analysed if its main is C++: ${listed(elsewhere)}`,
        ]),
    ...(foreign.size === 0 ? [] : foreignLines(foreign, ended)),
  ];
}

function foreignLines(foreign: ReadonlyMap<string, ReadonlySet<string>>, ended: ReadonlyMap<string, number>): string[] {
  const testsOf = (name: string): number => ended.get(name) ?? 0;
  const byTests = [...foreign].sort(([a], [b]) => testsOf(b) - testsOf(a));
  const named = byTests.map(([name, users]) => {
    const tests = testsOf(name) === 0 ? "" : `, where ${counted(testsOf(name), "test")} ended last time`;
    return `${name} (${counted(users.size, "program")}${tests})`;
  });
  const [[first]] = byTests;
  const otherwise = hasApt() ? `, or let the system get them: "${FROM_APT}"` : "";
  return [
    `libraries of the system, where a run ends that calls them: ${listed(named)}`,
    `if you have the sources of one, name them in tangent.toml: [libraries] ${libraryKey(first)} = "DIR"${otherwise}`,
  ];
}

function isCxxRuntime(name: string): boolean {
  return /^lib(stdc\+\+|c\+\+|c\+\+abi)\.so/.test(name);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).join(", ");
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
