// Inline assembly. Only what is empty (a compiler barrier, a way to hide a value) or a known one-line idiom has a
// meaning here; everything else ends the run as unsupported when it is reached.

import type { InlineAsm, InstructionOf } from "../ir/values.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { partsOf, ShapeError } from "./shape.js";
import { W } from "./wasm.js";

/** Rounding to nearest, all 64 bits, no exceptions: what a process begins with. */
const X87_DEFAULT = 0x37f;
const NO_EFFECT = new Set(["", "nop", "pause", "rep; nop", "rep;nop", "mfence", "lfence", "sfence", "# barrier"]);

export function emitInlineAsm(e: FunctionEmitter, i: InstructionOf<"call">, asm: InlineAsm): void {
  const template = asm.template
    .replaceAll(/\\0A|\\09|\s+/g, " ")
    .replace(/;\s*$/, "")
    .trim();
  const inputs = i.operands.slice(1);
  if (NO_EFFECT.has(template) || template.startsWith("#")) {
    emitTiedOutputs(e, i, asm);
    return;
  }
  const swap = /^bswap(?:l|q)? (?:\$0|\$\{0:[a-z]\})$/.exec(template);
  if (swap !== null && inputs.length === 1) {
    const part = partsOf(i.type)[0];
    e.push(inputs[0]);
    e.callHelper(part.wasm === "i64" ? "bswap64" : "bswap32");
    return;
  }
  // The x87's control word: long doubles are computed by software, always with all their bits, so that it only has to be readable.
  if (/^f(n)?stcw \$0$/.test(template) && inputs.length === 1) {
    e.push(inputs[0]);
    e.op(W.i32_wrap_i64);
    e.i32(X87_DEFAULT);
    e.memory(W.i32_store16, 0);
    return;
  }
  if (template === "fldcw $0") return;
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
