// Functions that many others call (xmalloc, a quoting function, a reader of bytes). A bug that shows in one is its caller's, as far as one can tell,
// so identities and groups of findings look through them (findings/general-helpers.ts).
//
// The rule is computed from the program, not from a list of projects: a function is called often if it is called from many places outside of its
// own source file, or does the work of a function of its file that is (a quoting function is one worker behind a dozen entries). Within one
// file it takes as many calling functions, because a program that is one file has nothing outside. "Many" grows with the program: what is
// called from twenty places is general in a small tool and a module of its own in a large one.
//
// Places are counted in the linked IR, before anything is inlined, and only what `main` leads to: so a program has the same ones however it is
// translated, and a finding has the same identity for every command. A mention counts as a call, since that is known without reading bodies.
//
// Calls from a test program's own code do not count: a library's tests call each of its functions many times.
//
// A mistake in this rule costs little on one side and much on the other: looking through too much shows one bug once for each caller,
// looking through too little takes the bugs of several callers for one. So the threshold is rather low.

import { referencesOfVariable } from "../ir/analysis/references.js";
import type { LinkedProgram } from "../ir/link.js";
import type { GlobalDefinition, GlobalValue, IrFunction } from "../ir/module.js";
import { pathOf } from "../jit/line-table.js";
import { functionKey } from "../support/function-key.js";
import { calledName } from "../support/library-names.js";
import type { TestFunctions } from "./test-functions.js";

/** One call for so many functions of the program, and at least so many calls; measured, see docs/findings.md. */
const FUNCTIONS_A_CALL = 20;
const LEAST_CALLS = 6;

interface Called {
  /** Places in other files, by function. A function has several bodies if a header defines it: one counts. */
  readonly outside: Map<string, number>;
  /** Functions of the same file that call it. */
  readonly inside: Set<string>;
}

/** Keys of functions. */
export function oftenCalled(
  program: LinkedProgram,
  tests: Pick<TestFunctions, "named" | "files"> | undefined,
): readonly string[] {
  const testFiles = new Set(tests?.named === "surely" ? tests.files : []);
  const own = reachableFromMain(program).filter(({ module }) => module.origin === "program");
  const places = new Map(own.map((fn) => [fn, placeOf(fn)]));
  const called = new Map<string, Called>();
  for (const place of places.values()) called.set(place.key, { outside: new Map(), inside: new Set() });
  for (const [fn, caller] of places) {
    for (const [{ resolved }, times] of countedMentions(fn, program)) {
      const callee = resolved?.kind === "function" ? places.get(resolved) : undefined;
      if (callee === undefined || callee.key === caller.key) continue;
      if (testFiles.has(caller.file ?? "") && !testFiles.has(callee.file ?? "")) continue;
      const { outside, inside } = called.get(callee.key) as Called;
      if (caller.file === callee.file) inside.add(caller.key);
      else outside.set(caller.key, Math.max(times, outside.get(caller.key) ?? 0));
    }
  }
  const many = Math.max(LEAST_CALLS, Math.floor(called.size / FUNCTIONS_A_CALL));
  return [...called.keys()].filter((key) => callsOf(key, called) >= many);
}

/** Calls from other files, of it or of that function of its file which leads here and has the most; or its callers, if they are more. */
function callsOf(key: string, called: ReadonlyMap<string, Called>): number {
  let most = called.get(key)?.inside.size ?? 0;
  const met = new Set([key]);
  for (const at of met) {
    const { outside, inside } = called.get(at) as Called;
    most = Math.max(
      most,
      [...outside.values()].reduce((sum, times) => sum + times, 0),
    );
    for (const caller of inside) met.add(caller);
  }
  return most;
}

/** What was not read from text mentions each once. */
function countedMentions(
  fn: IrFunction,
  { references }: LinkedProgram,
): Iterable<readonly [value: GlobalValue, times: number]> {
  return fn.countedReferences?.() ?? (references.get(fn) ?? []).map((value) => [value, 1] as const);
}

/** Translations differ in what else is kept. Without `main`, all. */
export function reachableFromMain(program: LinkedProgram): readonly IrFunction[] {
  const main = program.lookup("main");
  if (main === null) return program.functions;
  const met = new Set<GlobalDefinition>([main]);
  for (const at of met) for (const { resolved } of mentionsOf(at, program)) if (resolved !== null) met.add(resolved);
  return program.functions.filter((fn) => met.has(fn));
}

function mentionsOf(definition: GlobalDefinition, program: LinkedProgram): readonly GlobalValue[] {
  if (definition.kind === "function") return program.references.get(definition) ?? [];
  return definition.kind === "variable" ? referencesOfVariable(definition) : [];
}

export function placeOf({ name, debugId, module }: IrFunction): { readonly key: string; readonly file: string | null } {
  const where = debugId < 0 ? null : module.debug.subprogram(debugId);
  const path = where === null ? "" : pathOf(where);
  const file = path === "" ? null : path;
  return { key: functionKey(calledName(where === null ? name : where.functionName), file), file };
}
