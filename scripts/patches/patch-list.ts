// The patches to be measured: a table of tabs, made by hand and kept outside of the repository, with a commit a line: project, commit, the
// built trees of the new and the old version ("-": none), a tree built by gcc --coverage, the folder with the recorded tests, and the
// lines to be reached (`src/a.c:1,2 src/b.c:7`).

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface ListedPatch {
  readonly project: string;
  readonly commit: string;
  readonly newTree: string;
  readonly oldTree: string | null;
  readonly coverageTree: string | null;
  readonly places: readonly { readonly file: string; readonly line: number }[];
  /** `src/a.c:1`: executed by the suite natively. */
  readonly suiteLines: ReadonlySet<string>;
}

export function readPatches(path: string): ListedPatch[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((row) => {
      const [project, commit, newTree, oldTree, coverageTree, , targets] = row.split("\t");
      if (project === undefined || project === "project" || targets === undefined) return [];
      return [
        {
          project,
          commit,
          newTree,
          oldTree: oldTree === "-" || oldTree === "" ? null : oldTree,
          coverageTree: coverageTree === "-" || coverageTree === "" ? null : coverageTree,
          places: placesOf(targets),
          suiteLines: suiteLinesOf(join(dirname(newTree), "suite-covered.txt")),
        },
      ];
    });
}

/** `src/a.c:1,2,5-7 src/b.c:7`. */
export function placesOf(text: string): { readonly file: string; readonly line: number }[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== "")
    .flatMap((word) => {
      const colon = word.lastIndexOf(":");
      const file = word.slice(0, colon);
      return word
        .slice(colon + 1)
        .split(",")
        .flatMap((part) => {
          const [first, last = first] = part.split("-").map(Number);
          return Array.from({ length: last - first + 1 }, (_, at) => ({ file, line: first + at }));
        });
    });
}

function suiteLinesOf(path: string): Set<string> {
  if (!existsSync(path)) return new Set();
  const rows = readFileSync(path, "utf8").split("\n");
  return new Set(rows.flatMap((row) => (/ [1-9]\d*$/.test(row) ? [row.slice(0, row.lastIndexOf(" "))] : [])));
}
