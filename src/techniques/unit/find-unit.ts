// The function that a user means, in a linked program: by its name, and by its file where there are several. If there is none, the
// nearest names are told, because names are mostly mistyped or half remembered.

import { posix } from "node:path";
import type { LinkedProgram } from "../../ir/link.js";
import type { IrFunction } from "../../ir/module.js";
import { editDistance } from "../../support/edit-distance.js";
import { pathOfFunction } from "./function-path.js";

export type FoundUnit =
  | { readonly kind: "found"; readonly fn: IrFunction }
  /** `files`: of the functions of that name, if there are several. */
  | { readonly kind: "not-found"; readonly message: string; readonly files: readonly string[] };

const MOST_NAMES = 5;
/** Mistakes in a name beyond which it is another name. */
const MOST_MISTAKES = 3;

export function findUnit(program: LinkedProgram, name: string, file: string | null): FoundUnit {
  const own = program.functions.filter(({ module }) => module.origin === "program");
  const named = own.filter((fn) => fn.name === name);
  // As the compiler was given it, or as one finds it from elsewhere.
  const fits = (fn: IrFunction): boolean =>
    file === null || fileOf(fn) === file || isFile(pathOfFunction(fn) ?? fn.module.name, file);
  const found = named.filter(fits);
  // Copies of one static function of a header are alike.
  const isOne = found.length > 0 && found.every((fn) => placeOf(fn) === placeOf(found[0]));
  if (isOne) return { kind: "found", fn: found[0] };
  if (found.length > 1) {
    const files = found.map(fileOf);
    const message = `there are several functions ${name}, in ${files.join(", ")}: choose one by --file`;
    return { kind: "not-found", message, files };
  }
  if (named.length > 0) {
    const message = `there is no function ${name} in ${file}, but in ${named.map(fileOf).join(", ")}`;
    return { kind: "not-found", message, files: [] };
  }
  const names = own.map((fn) => fn.name);
  return { kind: "not-found", message: notThere(name, names), files: [] };
}

/** `names`: of the functions that there are. */
export function notThere(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  const hint = near.length === 0 ? "" : `; there is ${near.join(", ")}`;
  return `there is no function ${name}${hint} (a static function that nothing uses is left out by the compiler)`;
}

function placeOf(fn: IrFunction): string {
  const frame = fn.module.debug.subprogram(fn.debugId);
  return frame === null || frame.file === "" ? fn.module.name : `${frame.file}:${frame.line}`;
}

function fileOf(fn: IrFunction): string {
  return fn.module.debug.subprogram(fn.debugId)?.file || fn.module.name;
}

/** The end of a path, at a slash; where it is not known where a path begins, also the other way round. */
function isFile(path: string, given: string): boolean {
  const wanted = posix.normalize(given);
  const isPart = !path.startsWith("/") && wanted.endsWith(`/${posix.normalize(path)}`);
  return path === wanted || path.endsWith(`/${wanted}`) || isPart;
}

/** Names with few mistakes first, then those that contain it or are contained. */
export function nearest(name: string, names: readonly string[]): readonly string[] {
  const low = name.toLowerCase();
  const ranked = [...new Set(names)].flatMap((one) => {
    const other = one.toLowerCase();
    const mistakes = editDistance(low, other, MOST_MISTAKES);
    if (mistakes <= Math.min(MOST_MISTAKES, Math.floor(low.length / 2))) return [{ one, rank: mistakes }];
    const isPart = low.length > 2 && (other.includes(low) || (other.length > 2 && low.includes(other)));
    return isPart ? [{ one, rank: MOST_MISTAKES + 1 + Math.abs(other.length - low.length) }] : [];
  });
  ranked.sort((a, b) => a.rank - b.rank || (a.one < b.one ? -1 : 1));
  return ranked.slice(0, MOST_NAMES).map(({ one }) => one);
}
