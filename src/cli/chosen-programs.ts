// Which programs of a build are under test: those that the configuration names, else all. The configuration came with the project, so what
// it names must lie in the build.

import { realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { visible } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";

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

/** Also by its real path: a folder of the repository may be a link. What is not there is told later. */
function isBelow(directory: string, path: string): boolean {
  try {
    return !relative(realpathSync(directory), realpathSync(dirname(path))).startsWith("..");
  } catch {
    return !relative(directory, path).startsWith("..");
  }
}
