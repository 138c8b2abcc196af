// Where a patch changes a file, for whoever looks for code there. Lines that were added are places themselves. A patch that only takes
// lines away, a check say, leaves no line of its own, and so does a declaration that has no code: there the next code is the place, since
// it runs under other circumstances than before.

import type { ChangedFile, DiffLine } from "./changes.js";

export interface ChangedPlaces {
  /** Added or changed, as the new version numbers them. */
  readonly lines: readonly number[];
  /** From each of these on, the next line with code is meant, unless the lines added there have some. */
  readonly beside: readonly BesidePlace[];
}

export interface BesidePlace {
  readonly line: number;
  /** Lines that were added there; if one of them has code, that is what was changed. */
  readonly instead: readonly number[];
}

/** Lines that neither were nor are code, as far as they tell by themselves. */
const NO_CODE = /^\s*(?:$|\/\/|\/\*(?:(?!\*\/).)*(?:\*\/)?\s*$|\*(?:[\s/]|$)|#|[{}]\s*$)/;
/** Inside of something: what begins a line is a function, a type or a global variable, and no code follows from its change. */
const INDENTED = /^[ \t]/;

export function placesOf({ newPath, hunks }: ChangedFile): ChangedPlaces {
  if (newPath === null) return { lines: [], beside: [] };
  const lines: number[] = [];
  const beside: BesidePlace[] = [];
  for (const hunk of hunks) {
    let line = hunk.newStart;
    let group: DiffLine[] = [];
    let added: number[] = [];
    const endGroup = (): void => {
      if (group.some(({ text }) => INDENTED.test(text) && !NO_CODE.test(text))) beside.push({ line, instead: added });
      group = [];
      added = [];
    };
    for (const one of hunk.lines) {
      if (one.kind === "context") endGroup();
      else group.push(one);
      if (one.kind === "added") {
        lines.push(line);
        added.push(line);
      }
      if (one.kind !== "removed") line++;
    }
    endGroup();
  }
  return { lines, beside };
}
