// Functions of the trusted runtime that a program calls through a pointer: `hooks.allocate = malloc`. Trusted code knows nothing of shadows, so
// what a call by name hands to it is pinned where the call is (jit/shadow-calls.ts). A call through a pointer does not know whom it
// calls, and hands on shadows that nobody would look at: the size of a block would be what it is without being told. So in the
// table of functions another one stands in such a function's place (jit/assemble.ts), which does nothing but call it by name.

import type { LinkedProgram } from "./link.js";
import { holderOf, madeFunction } from "./made-function.js";
import type { IrFunction, Module } from "./module.js";
import { PTR, VOID } from "./types.js";
import { instruction } from "./values.js";

const PREFIX = "__tangent_through_pointer_";
/** The heap: all of the trusted runtime that programs know by name. */
const HEAP =
  /^(malloc|calloc|realloc|reallocarray|free|malloc_usable_size|memalign|aligned_alloc|valloc|posix_memalign)$/;

let holder: Module | null = null;

/** The program with a function for each of those that it may call through a pointer. */
export function withPointerCalls(program: LinkedProgram): LinkedProgram {
  const made = program.functions.filter(isOfHeap).map((fn) => [fn, caller(fn)] as const);
  if (made.length === 0) return program;
  const references = new Map(program.references);
  for (const [fn, through] of made) references.set(through, [fn]);
  return { ...program, functions: [...program.functions, ...made.map(([, through]) => through)], references };
}

function isOfHeap({ name, module }: IrFunction): boolean {
  return module.origin === "trusted" && HEAP.test(name);
}

/** Whose place in the table each of these functions has: by position, another's or its own. */
export function placesInTable(functions: readonly IrFunction[]): readonly number[] {
  const through = new Map(functions.map(({ name }, n) => [name, n]));
  return functions.map((fn, n) => (isOfHeap(fn) ? (through.get(`${PREFIX}${fn.name}`) ?? n) : n));
}

function caller(fn: IrFunction): IrFunction {
  holder ??= holderOf("through pointers");
  const { type, params, attributes } = fn;
  const made = madeFunction({
    ...{ name: `${PREFIX}${fn.name}`, type, params, attributes, holder, references: [fn] },
    body: (args) => {
      const extra = {
        fnType: type,
        paramAttributes: [],
        noreturn: false,
        returnsTwice: false,
        mustTail: false,
        mayInline: false,
      };
      const call = instruction("call", type.result, [{ kind: "global", type: PTR, target: fn }, ...args], extra);
      return [call, instruction("ret", VOID, type.result.kind === "void" ? [] : [call], null)];
    },
  });
  made.resolved = made;
  return made;
}
