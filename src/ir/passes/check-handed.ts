// Functions of libc get pointers and know no objects: `strcpy(table + n, word)` with a far n writes into somebody else's, and
// nothing is wrong with it inside of strcpy. So the first byte of what such a function surely touches is checked before the call,
// where the object that is meant is known: the check holds it to that one, and what follows is kept together by the redzones.
//
// Invariant: only what the function touches whatever its other arguments are; a pointer that is not used may point anywhere.

import { calledName } from "../../support/library-names.js";
import { calledFunction } from "../analysis/call-graph.js";
import { rootOf, staticVariable } from "../analysis/root.js";
import { VOID } from "../types.js";
import { type Body, type Instruction, instruction } from "../values.js";

/** By name, for each argument: r if its first byte is read, w if it is written, - if it is no such pointer. */
const TOUCHED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    r: ["strlen", "strchr", "strrchr", "strdup", "puts", "fputs", "atoi", "atol", "atof", "strtol", "strtoul", "strtod", "printf"],
    rr: ["strcmp", "strstr", "strpbrk", "strspn", "strcspn", "strcasecmp", "fopen"],
    wr: ["strcpy", "stpcpy", "strcat", "strncat", "sprintf", "vsprintf"],
    "-r": ["fprintf"],
    rw: ["stat", "lstat"],
  }).flatMap(([touched, names]) => names.map((name) => [name, touched] as const)), // biome-ignore format: a table
);

/** Returns how many checks were inserted. */
export function checkHanded(body: Body): number {
  let inserted = 0;
  for (const block of body.blocks) {
    let out: Instruction[] | null = null;
    block.instructions.forEach((i, k) => {
      const checks = i.op === "call" ? checksFor(i) : NONE;
      if (checks.length > 0) {
        out ??= block.instructions.slice(0, k);
        out.push(...checks);
        inserted += checks.length;
      }
      out?.push(i);
    });
    if (out !== null) block.instructions = out;
  }
  return inserted;
}

const NONE: readonly Instruction[] = [];

function checksFor(call: Instruction): readonly Instruction[] {
  const callee = calledFunction(call.operands[0]);
  if (callee === null || callee.module.origin === "program") return NONE;
  const touched = TOUCHED.get(calledName(callee.name));
  if (touched === undefined) return NONE;
  return [...touched].flatMap((how, n) => {
    const pointer = call.operands[n + 1];
    if (how === "-" || pointer?.type.kind !== "ptr") return NONE;
    const root = rootOf(pointer);
    const isMade = root?.kind === "instruction" && (root.op === "alloca" || root.op === "call");
    if (root === null || root === pointer || !(isMade || staticVariable(root) !== null)) return NONE;
    const asked = { size: 1, write: how === "w", align: 1 };
    return [instruction("check", VOID, [pointer], asked, undefined, call.loc)];
  });
}
