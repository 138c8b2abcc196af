// Where something is written that the user has named: below the project no link may lead it out of there. Links come with a
// repository, and `--export tests` would write scripts wherever `tests -> ~/bin` points to. Who means that place can name it.

import { lstatSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { writeSafely } from "./project-folder.js";

/** A folder to write in, absolute; it may not be there yet. Throws as the system would, which is told without a stack. */
export function outputFolder(target: string, project: string): string {
  const path = resolve(target);
  if (!isBelow(path, project)) return path;
  let there = path;
  while (lstatSync(there, { throwIfNoEntry: false }) === undefined) there = dirname(there);
  const real = realpathSync(there);
  if (isBelow(real, realpathSync(project))) return path;
  const message = `'${there}' is a link that leads out of the project, to ${real}; name that folder if you mean it`;
  throw Object.assign(new Error(message), { code: "ELOOP", syscall: "open" });
}

/** A file in a folder where it may be written. */
export function outputFile(target: string, project: string): string {
  const path = resolve(target);
  return join(outputFolder(dirname(path), project), basename(path));
}

function isBelow(path: string, folder: string): boolean {
  return relative(folder, path).split("/")[0] !== "..";
}

/**
 * Below the project as a whole file, in the place of a link or a pipe. What the user names elsewhere (`/dev/fd/3`, `/dev/null`) is written to as
 * it is, and devices always: root would rename a file over them, and then the machine has none.
 */
export function writeOutput(target: string, project: string, text: string, mode?: number): void {
  const path = outputFile(target, project);
  const there = lstatSync(path, { throwIfNoEntry: false });
  const isDevice = there?.isCharacterDevice() === true || there?.isBlockDevice() === true;
  if (!isDevice && (isBelow(path, project) || (there?.isFile() ?? true))) writeSafely(path, text, mode);
  else writeFileSync(path, text);
}
