// A function that stands for one which is defined nowhere: in assembly, in C++, in a library that has no IR. It has an address, which a
// program may keep and compare, and a body that ends the run with the reason.

import type { IrFunction, Module } from "./module.js";
import { parseModule } from "./text/parse-module.js";
import { VOID } from "./types.js";
import { Argument, Block, instruction } from "./values.js";

let holder: Module | null = null;

export function absentFunction(declared: IrFunction, why: string | null): IrFunction {
  holder ??= parseModule("", { name: "absent", origin: "libc" });
  const what =
    why === null ? `a call of ${declared.name}, which is defined nowhere` : `a call of ${declared.name} (${why})`;
  const { name, type, params, attributes } = declared;
  return {
    kind: "function",
    name,
    module: holder,
    linkage: "internal",
    hidden: true,
    resolved: null,
    isDeclaration: false,
    type,
    params,
    attributes: { ...attributes, returnsTwice: false, alwaysInline: false, noInline: true },
    debugId: -1,
    absent: what,
    references: () => [],
    mentionsFloat80: () => false,
    parseBody() {
      const block = new Block("absent");
      block.index = 0;
      block.instructions.push(instruction("unsupported", VOID, [], { what, terminator: true }));
      return { args: type.params.map((of, index) => new Argument(of, index, String(index))), blocks: [block] };
    },
  };
}
