// A function that no source has: its body is one block of instructions made here.

import type { GlobalValue, IrFunction, Module } from "./module.js";
import { parseModule } from "./text/parse-module.js";
import { Argument, Block, type Instruction } from "./values.js";

export interface MadeFunction extends Pick<IrFunction, "name" | "type" | "params" | "attributes"> {
  readonly holder: Module;
  readonly references: readonly GlobalValue[];
  readonly body: (args: readonly Argument[]) => readonly Instruction[];
}

/** A module for such functions. */
export function holderOf(name: string): Module {
  return parseModule("", { name, origin: "libc" });
}

/** It is never inlined: its frame is to be seen, or it is there for its address. */
export function madeFunction({ name, type, params, attributes, holder, references, body }: MadeFunction): IrFunction {
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
    attributes: { ...attributes, alwaysInline: false, noInline: true },
    debugId: -1,
    references: () => references,
    mentionsFloat80: () => false,
    parseBody() {
      const args = type.params.map((of, index) => new Argument(of, index, String(index)));
      const block = new Block("made");
      block.index = 0;
      block.instructions.push(...body(args));
      return { args, blocks: [block] };
    },
  };
}
