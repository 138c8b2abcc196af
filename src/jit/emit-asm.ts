// Inline assembly that is left: what is understood has become instructions (ir/passes/lower-asm.ts). What is empty (a compiler barrier,
// a way to hide a value) hands its values on; everything else ends the run as unsupported when it is reached.

import type { InlineAsm, InstructionOf } from "../ir/values.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { partsOf, ShapeError } from "./shape.js";

export function emitInlineAsm(e: FunctionEmitter, i: InstructionOf<"call">, asm: InlineAsm): void {
  const template = asm.template
    .replaceAll(/\\0A|\\09|\s+/g, " ")
    .replace(/;\s*$/, "")
    .trim();
  if (template === "" || template.startsWith("#")) {
    emitTiedOutputs(e, i, asm);
    return;
  }
  e.unsupported(`the assembly "${template}"`);
  for (const part of partsOf(i.type)) e.zero(part.wasm);
}

/** An empty template: each output is the input tied to it ("0"), or undefined. */
function emitTiedOutputs(e: FunctionEmitter, i: InstructionOf<"call">, asm: InlineAsm): void {
  const constraints = asm.constraints.split(",").filter((c) => c !== "" && !c.startsWith("~"));
  const outputs = constraints.filter((c) => c.startsWith("="));
  const registers = outputs.flatMap((c, number) => (c.includes("*") ? [] : [number]));
  // Indirect outputs ("=*m") take an operand of their own and are left as they are.
  const operands: { constraint: string; index: number }[] = [];
  let operand = 1;
  for (const constraint of constraints) {
    if (constraint.startsWith("=") && !constraint.includes("*")) continue;
    operands.push({ constraint, index: operand++ });
  }
  const total = partsOf(i.type).length;
  if (registers.length === 0) {
    for (const part of partsOf(i.type)) e.zero(part.wasm);
    return;
  }
  let pushed = 0;
  registers.forEach((number) => {
    const tied = operands.find((o) => o.constraint === String(number));
    const type = registers.length === 1 ? i.type : i.type.kind === "struct" ? i.type.fields[pushed] : i.type;
    if (tied === undefined) for (const part of partsOf(type)) e.zero(part.wasm);
    else e.pushAll(i.operands[tied.index]);
    pushed++;
  });
  if (pushed > 1 && total < pushed) throw new ShapeError("assembly with these outputs");
}
