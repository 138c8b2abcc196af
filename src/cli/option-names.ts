// Which option a word of a command line is, by the declaration.

import { nearName } from "../support/edit-distance.js";
import type { OptionSpec, OptionSpecs } from "./command.js";
import { dashed } from "./describe.js";

/** The name in the declaration. */
export function optionNamed(specs: OptionSpecs, flag: string): string | undefined {
  return Object.keys(specs).find((key) => isFlagOf(flag, key, specs[key]));
}

function isFlagOf(flag: string, name: string, spec: OptionSpec): boolean {
  const long = dashed(name);
  return flag === `--${long}` || flag === `-${spec.short}` || (spec.kind === "tuple" && flag === `-${long}`);
}

/** Words that belong to an option without `=`. */
export function valueCount(spec: OptionSpec): number {
  if (spec.kind === "tuple") return spec.values.length;
  return spec.kind === "flag" || (spec.kind === "choice" && spec.bare !== undefined) ? 0 : 1;
}

/** For whoever has nearly written an option: with one dash (`-max-time=5m`), only its beginning, or with a slip. Empty if nothing is near. */
export function nearest(specs: OptionSpecs, flag: string): string {
  const wanted = flag.replace(/^-+/, "").split("=", 1)[0];
  if (wanted.length < 2) return "";
  const names = Object.keys(specs).map(dashed);
  const begins = names.includes(wanted) ? [wanted] : names.filter((name) => name.startsWith(wanted));
  // Other commands may call it by its last word: --time, --max-time.
  const near = begins.length > 0 ? begins : names.filter((name) => name.endsWith(`-${wanted}`));
  const meant = near.length > 1 ? null : (near[0] ?? nearName(wanted, names));
  return meant === null ? "" : `; is --${meant} meant?`;
}
