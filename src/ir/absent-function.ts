// A function that stands for one which is defined nowhere: in assembly, in C++, in a library that has no IR. It has an address, which a
// program may keep and compare, and a body that ends the run with the reason.

import { holderOf, madeFunction } from "./made-function.js";
import type { IrFunction, Module } from "./module.js";
import { VOID } from "./types.js";
import { instruction } from "./values.js";

let holder: Module | null = null;

export function absentFunction(declared: IrFunction, why: string | null): IrFunction {
  holder ??= holderOf("absent");
  const what =
    why === null ? `a call of ${declared.name}, which is defined nowhere` : `a call of ${declared.name} (${why})`;
  const { name, type, params } = declared;
  const attributes = { ...declared.attributes, returnsTwice: false };
  const body = () => [instruction("unsupported", VOID, [], { what, terminator: true })];
  return { ...madeFunction({ name, type, params, attributes, holder, references: [], body }), absent: what };
}
