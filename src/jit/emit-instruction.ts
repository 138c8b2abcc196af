// Which family translates which opcode: one table. An instruction leaves its parts on the stack.

import type { Instruction, Op } from "../ir/values.js";
import {
  emitCopy,
  emitExtractElement,
  emitExtractValue,
  emitInsertElement,
  emitInsertValue,
  emitSelect,
  emitShuffle,
} from "./emit-aggregate.js";
import { emitCall } from "./emit-call.js";
import { emitCast } from "./emit-cast.js";
import { emitCheck } from "./emit-check.js";
import { emitFloatBinary, emitFloatCompare, emitFloatNegate } from "./emit-float.js";
import { emitBinary, emitCompare } from "./emit-integer.js";
import {
  emitAlloca,
  emitAtomicReadModifyWrite,
  emitCompareExchange,
  emitGetElementPointer,
  emitLoad,
  emitStore,
} from "./emit-memory.js";
import { emitSetjmp, isSetjmp } from "./emit-setjmp.js";
import { emitShadow } from "./emit-shadow.js";
import type { FunctionEmitter, InstructionEmitter } from "./function-emitter.js";
import { emitPointerPair } from "./pointer-pairs.js";
import { partsOf } from "./shape.js";

const BINARY = [
  "add",
  "sub",
  "mul",
  "udiv",
  "sdiv",
  "urem",
  "srem",
  "shl",
  "lshr",
  "ashr",
  "and",
  "or",
  "xor",
] as const;
const FLOAT = ["fadd", "fsub", "fmul", "fdiv", "frem"] as const;
const CASTS = [
  ...(["trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"] as const),
  ...(["ptrtoint", "inttoptr", "bitcast", "addrspacecast"] as const),
];

const FAMILIES: Readonly<Partial<Record<Op, InstructionEmitter>>> = {
  ...Object.fromEntries(BINARY.map((op) => [op, emitBinary])),
  ...Object.fromEntries(FLOAT.map((op) => [op, emitFloatBinary])),
  ...Object.fromEntries(CASTS.map((op) => [op, emitCast])),
  fneg: emitFloatNegate,
  icmp: emitCompare,
  fcmp: emitFloatCompare,
  select: emitSelect,
  freeze: emitCopy,
  alloca: emitAlloca,
  load: emitLoad,
  store: emitStore,
  atomicrmw: emitAtomicReadModifyWrite,
  cmpxchg: emitCompareExchange,
  fence: () => {},
  check: emitCheck,
  shadow: emitShadow,
  getelementptr: emitGetElementPointer,
  call: (e, i) => (isSetjmp(i) ? emitSetjmp(e, i) : emitCall(e, i)),
  extractvalue: emitExtractValue,
  insertvalue: emitInsertValue,
  extractelement: emitExtractElement,
  insertelement: emitInsertElement,
  shufflevector: emitShuffle,
  unsupported: (e, i) => {
    if (i.op === "unsupported") e.unsupported(i.extra.what);
    for (const part of partsOf(i.type)) e.zero(part.wasm);
  },
};

export function emitInstruction(e: FunctionEmitter, i: Instruction): void {
  const family = FAMILIES[i.op];
  if (family === undefined) {
    e.unsupported(`the instruction ${i.op}`);
    for (const part of partsOf(i.type)) e.zero(part.wasm);
    return;
  }
  emitPointerPair(e, i);
  family(e, i);
}
