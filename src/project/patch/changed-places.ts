// Where a patch changes a file, for whoever looks for code there. Lines that were added are places themselves. A patch that only takes
// lines away, a check say, leaves no line of its own, and so does a declaration that has no code: there the next code is the place, since
// it runs under other circumstances than before. A line that differs from one that was taken away beside it by nothing but white space is
// told as such: nothing of it was changed.

import type { ChangedFile, DiffLine } from "./changes.js";

export interface ChangedPlaces {
  /** Added or changed, as the new version numbers them. */
  readonly lines: readonly number[];
  /** Of the added ones, not among `lines`: they differ from what they were in white space alone. */
  readonly reindented: readonly number[];
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
  if (newPath === null) return { lines: [], reindented: [], beside: [] };
  const lines: number[] = [];
  const reindented: number[] = [];
  const beside: BesidePlace[] = [];
  for (const hunk of hunks) {
    let line = hunk.newStart;
    let group: DiffLine[] = [];
    const endGroup = (): void => {
      const same = reindentedOf(group);
      let at = line - group.filter(({ kind }) => kind === "added").length;
      let next: number | null = null;
      const added: number[] = [];
      for (const one of group) {
        if (one.kind !== "added") continue;
        if (same.has(one)) {
          reindented.push(at);
          next ??= at;
        } else added.push(at);
        at++;
      }
      lines.push(...added);
      if (group.some((one) => !same.has(one) && INDENTED.test(one.text) && !NO_CODE.test(one.text))) {
        // What was only moved to the side is what follows.
        beside.push({ line: added.length === 0 && next !== null ? next : line, instead: added });
      }
      group = [];
    };
    for (const one of hunk.lines) {
      if (one.kind === "context") endGroup();
      else group.push(one);
      if (one.kind !== "removed") line++;
    }
    endGroup();
  }
  return { lines, reindented, beside };
}

/** Lines of a group that are the same but for white space, on both sides, in their order. */
function reindentedOf(group: readonly DiffLine[]): ReadonlySet<DiffLine> {
  const removed = group.filter(({ kind }) => kind === "removed");
  const same = new Set<DiffLine>();
  let from = 0;
  for (const one of group) {
    if (one.kind !== "added") continue;
    const found = removed.findIndex(({ text }, index) => index >= from && isSameButForSpace(text, one.text));
    if (found < 0) continue;
    same.add(one).add(removed[found]);
    from = found + 1;
  }
  return same;
}

/** Inside of a literal white space means something. */
function isSameButForSpace(before: string, after: string): boolean {
  const plain = (text: string): string => (/["']/.test(text) ? text.trim() : text.trim().replace(/\s+/g, " "));
  return before !== after && plain(before) !== "" && plain(before) === plain(after);
}
