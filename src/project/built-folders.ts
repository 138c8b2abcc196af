// Where a project's own build has put what it makes of a source file. Sources are named as they lie in the project, but it was built in a
// copy (build-copy.ts): objects, and headers such as config.h, are only there.

import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { findProject } from "./project-folder.js";

/** The copy's own folder, and the one in it that has the file; none if the project was not built in a copy. */
export function builtFolders(file: string): readonly string[] {
  const path = resolve(file);
  const folder = findProject(dirname(path));
  const below = relative(folder.root, path);
  const copy = join(folder.path, "build");
  if (below.startsWith("..") || !existsSync(join(copy, below))) return [];
  return [...new Set([copy, dirname(join(copy, below))])];
}
