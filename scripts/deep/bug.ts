// A bug of the bed: a directory with a program in which a documented crash bug was put back, made by hand and kept outside of the
// repository. `src` is built by tangent cc and has its tests recorded, `asan` by a compiler with AddressSanitizer, `afl` by AFL++'s,
// `fixed` is as `asan` with the bug mended; meta.json says what a run looks like and at which lines of the source the crash shows.

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

export interface DeepBug {
  readonly directory: string;
  readonly name: string;
  readonly package: string;
  readonly patch: string;
  readonly reference: string;
  readonly kind: string;
  /** `src/patch.c:394`, below the tree: any of these counts. The first is what a directed search is told. */
  readonly places: readonly string[];
  /** Below each tree. */
  readonly program: string;
  /** `@@` stands for the input's file; without one it is standard input. */
  readonly arguments: readonly string[];
  /** Below `src`: the inputs that the recorded tests have, and the files that lie where they run. */
  readonly corpus: string;
  readonly run: string;
  /** Another bug, which the fix does not mend, shows at the same line. */
  readonly isShared?: boolean;
}

export interface Frame {
  readonly file: string | null;
  readonly line: number;
}

/** The access may be done by a helper of the place that is meant, or by libc on its behalf. */
export const FRAMES_LOOKED_AT = 4;

/** The list is a directory of such a bug, or a file with a JSON array of them, relative to that file. */
export function readBugs(list: string): DeepBug[] {
  if (!list.endsWith(".json")) return [readBug(resolve(list))];
  const names: unknown = JSON.parse(readFileSync(list, "utf8"));
  if (!Array.isArray(names)) throw new Error(`${list} is no array of directories`);
  return names.map((name) => readBug(resolve(dirname(list), String(name))));
}

function readBug(directory: string): DeepBug {
  const path = join(directory, "meta.json");
  if (!existsSync(path)) throw new Error(`there is no ${path}`);
  const meta = JSON.parse(readFileSync(path, "utf8")) as Omit<DeepBug, "directory">;
  for (const place of meta.places) if (!/^.+:\d+$/.test(place)) throw new Error(`${path}: ${place} is no FILE:LINE`);
  if (meta.places.length === 0) throw new Error(`${path} has no places`);
  return { ...meta, directory, name: meta.name ?? basename(directory) };
}

/** Whether one of the innermost frames, the program's own only, is at a line where the bug shows. */
export function isThere({ places }: Pick<DeepBug, "places">, frames: readonly Frame[]): boolean {
  return frames.slice(0, FRAMES_LOOKED_AT).some(({ file, line }) =>
    places.some((place) => {
      const colon = place.lastIndexOf(":");
      const wanted = place.slice(0, colon);
      if (file === null || line !== Number(place.slice(colon + 1))) return false;
      return file === wanted || file.endsWith(`/${wanted}`) || wanted.endsWith(`/${file}`);
    }),
  );
}

/**
 * The frames of a report by AddressSanitizer, or of an assertion that failed. Frames without a file are of libraries, those of the
 * sanitizer's own are left out; what was freed or allocated where comes after an empty line and is not the failure.
 */
export function nativeFrames(report: string): Frame[] {
  const assertion = /(?:^|\s)(\S+\.[chyl]):(\d+): [^\n]*Assertion /.exec(report);
  if (assertion !== null) return [{ file: assertion[1], line: Number(assertion[2]) }];
  const begin = report.search(/ERROR: \w*Sanitizer/);
  if (begin < 0) return [];
  const stack = report.slice(begin).split(/\n\s*\n/)[0];
  return [...stack.matchAll(/^\s*#\d+ 0x[0-9a-f]+ in \S+ (\S+?):(\d+)(?::\d+)?\s*$/gm)]
    .map(([, file, line]) => ({ file, line: Number(line) }))
    .filter(({ file }) => !/libsanitizer|compiler-rt|sysdeps|csu\//.test(file));
}
