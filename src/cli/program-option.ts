// `--program NAME`: of a project with many programs only some are wanted. A name is that of the file, or a path whose end it is, whether the
// program lies in the project or in the copy it was built in.

import { basename, isAbsolute, normalize } from "node:path";
import { visible } from "../support/visible-text.js";

export const PROGRAM_OPTION = {
  kind: "list",
  short: "p",
  value: "NAME",
  help: "only tests of this program, by its name or path (several times: of these)",
} as const;

/** `path`: absolute. libtool starts programs under a name of its own. */
export function isNamed(path: string, name: string): boolean {
  const wanted = normalize(name);
  if (isAbsolute(wanted)) return path === wanted;
  const plain = path.replace(/\/(\.libs\/)?lt-([^/]+)$/, "/$1$2");
  if (wanted.includes("/")) {
    const ends = [path, plain, plain.replace(/\/\.libs\/([^/]+)$/, "/$1")];
    return ends.some((end) => end.endsWith(`/${wanted.replace(/^(\.\.\/)+/, "")}`));
  }
  return basename(path) === wanted || basename(plain) === wanted;
}

/** The first name that no path has, in words that say which there are; null if there is none. */
export function unknownName(names: readonly string[], paths: readonly string[]): string | null {
  const unknown = names.find((name) => !paths.some((path) => isNamed(path, name)));
  if (unknown === undefined) return null;
  return `--program ${visible(unknown)}: there is no such program; ${shownNames(paths)}`;
}

const MOST_NAMES = 20;

function shownNames(paths: readonly string[]): string {
  const names = [...new Set(paths.map((path) => basename(path)))].sort();
  if (names.length === 0) return "there is none at all";
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `${names.length === 1 ? "the only one is" : "the programs are"} ${visible(names.slice(0, MOST_NAMES).join(", "))}${more}`;
}
