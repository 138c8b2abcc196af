// Which programs of a build are under test: those that the configuration names, else all. The configuration came with the project, so what
// it names must lie in the build.

import { realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { visible } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";
import { isNamed, unknownName } from "./program-option.js";

/** Absolute paths; null if one leads elsewhere, which has been told. */
export function chosenPrograms(
  directory: string,
  names: readonly string[],
  all: readonly string[],
  context: CommandContext,
): readonly string[] | null {
  const foreign = names.find((name) => !isBelow(directory, join(directory, name)));
  if (foreign !== undefined) {
    const problem = `programs: ${visible(foreign)} is not below ${directory}; only what is there is recorded`;
    context.error(`tangent: tangent.toml: ${problem}\n`);
    return null;
  }
  return names.length > 0 ? names.map((name) => join(directory, name)) : all;
}

export type NamedPrograms =
  | { readonly kind: "programs"; readonly programs: readonly string[] }
  | { readonly kind: "wrong"; readonly problem: string };

/** Those of `all` that the user names, or a file anywhere else that is named by its path; all if none is named. */
export function programsNamed(names: readonly string[], all: readonly string[]): NamedPrograms {
  if (names.length === 0) return { kind: "programs", programs: all };
  const chosen = new Set<string>();
  for (const name of names) {
    const matching = all.filter((path) => isNamed(path, name));
    for (const path of matching) chosen.add(path);
    if (matching.length > 0) continue;
    const path = resolve(name);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) chosen.add(path);
    else return { kind: "wrong", problem: unknownName([name], all) ?? name };
  }
  return { kind: "programs", programs: [...chosen] };
}

/** Also by its real path: a folder of the repository may be a link. What is not there is told later. */
function isBelow(directory: string, path: string): boolean {
  try {
    return !relative(realpathSync(directory), realpathSync(dirname(path))).startsWith("..");
  } catch {
    return !relative(directory, path).startsWith("..");
  }
}
