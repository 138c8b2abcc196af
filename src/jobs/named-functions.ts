// Whether functions that somebody named are there at all, asked before a campaign begins: a slip is answered in the time that it takes to
// load the programs, which the campaign needs in any case, and not after all tests were run.

import { UNIT_COMPILE_OPTIONS } from "../jit/options.js";
import type { LoadOptions } from "../program/warm.js";
import { factsOf } from "../techniques/compose/program-facts.js";
import { notThere } from "../techniques/unit/find-unit.js";
import { findProgram } from "./find-program.js";

export interface MissingFunctions {
  /** One for each name that no program has: what there is instead. */
  readonly messages: readonly string[];
  /** Not one of the names is there. */
  readonly isAll: boolean;
}

/** `programs`: paths. Programs that cannot be loaded have none of the functions; if that is all of them, nothing is missing. */
export async function missingFunctions(
  names: readonly string[],
  programs: readonly string[],
  { env, onProgress }: Pick<LoadOptions, "env" | "onProgress">,
): Promise<MissingFunctions> {
  const missing = new Set(names);
  const known = new Set<string>();
  for (const path of programs) {
    if (missing.size === 0) break;
    const options = { env, clang: null, flags: [], compile: UNIT_COMPILE_OPTIONS };
    const found = await findProgram(path, onProgress === undefined ? options : { ...options, onProgress });
    if (found.kind === "failed") continue;
    for (const { name } of factsOf(found.image()).functions) {
      known.add(name);
      missing.delete(name);
    }
  }
  if (known.size === 0) return { messages: [], isAll: false };
  const messages = [...missing].map((name) => notThere(name, [...known]));
  return { messages, isAll: missing.size > 0 && missing.size === new Set(names).size };
}
