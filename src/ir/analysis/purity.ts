// Which instructions have no effect but their value. Only these may disappear when nobody needs the value, or be shared
// when the same one was computed before. Loads, calls and divisions that may trap are never among them: a load whose
// result is not used may be the very bug we look for.

import { type Instruction, intValue, type Op, type Value } from "../values.js";

/** Intrinsics that compute a value from their arguments and do nothing else. */
const PURE_INTRINSICS: ReadonlySet<string> = new Set([
  "abs", "smax", "smin", "umax", "umin", "bswap", "bitreverse", "ctpop", "ctlz", "cttz", "fshl", "fshr",
  "sadd", "uadd", "ssub", "usub", "smul", "umul", "fabs", "sqrt", "floor", "ceil", "trunc", "rint", "nearbyint",
  "roundeven", "copysign", "minnum", "maxnum", "minimum", "maximum", "fmuladd", "canonicalize", "ptrmask",
]); // biome-ignore format: a table

function isPureIntrinsic(callee: Value): boolean {
  if (callee.kind !== "global") return false;
  const { name } = callee.target;
  if (!name.startsWith("llvm.")) return false;
  const end = name.indexOf(".", 5);
  return PURE_INTRINSICS.has(end < 0 ? name.slice(5) : name.slice(5, end));
}

/**
 * Whether the value is all that there is to an instruction. A table of all opcodes: a new one does not compile until it is said here.
 * Of divisions and calls it depends on the operands.
 */
const HAS_ONLY_ITS_VALUE: { readonly [O in Op]: boolean } = {
  fneg: true, icmp: true, fcmp: true, select: true, freeze: true, shadow: true, getelementptr: true,
  extractvalue: true, insertvalue: true, extractelement: true, insertelement: true, shufflevector: true, add: true,
  sub: true, mul: true, shl: true, lshr: true, ashr: true, and: true, or: true, xor: true, fadd: true, fsub: true,
  fmul: true, fdiv: true, frem: true, trunc: true, zext: true, sext: true, fptrunc: true, fpext: true, fptoui: true,
  fptosi: true, uitofp: true, sitofp: true, ptrtoint: true, inttoptr: true, bitcast: true, addrspacecast: true,
  udiv: false, sdiv: false, urem: false, srem: false, call: false, alloca: false, load: false, store: false,
  atomicrmw: false, cmpxchg: false, fence: false, check: false, phi: false, va_arg: false, ret: false, br: false,
  condbr: false, switch: false, indirectbr: false, unreachable: false, unsupported: false,
}; // biome-ignore format: a table

/** The value is all there is to it: equal operands give an equal value, and it may be left out. */
export function isPure(i: Instruction): boolean {
  switch (i.op) {
    case "udiv":
    case "urem": {
      const divisor = intValue(i.operands[1]);
      return divisor !== null && divisor !== 0n;
    }
    case "sdiv":
    case "srem": {
      const divisor = intValue(i.operands[1]);
      const { type } = i;
      if (divisor === null || divisor === 0n || type.kind !== "int") return false;
      return divisor !== (1n << BigInt(type.bits)) - 1n;
    }
    case "call":
      return isPureIntrinsic(i.operands[0]);
    default:
      return HAS_ONLY_ITS_VALUE[i.op];
  }
}

/**
 * A function that is declared `const` or `pure` and defined nowhere: natively compilers leave such a call out, and then
 * linkers do not ask for the function. One that is defined is called, since it may have a bug.
 */
function isCallOfNothing(callee: Value): boolean {
  if (callee.kind !== "global" || callee.target.kind !== "function" || !callee.target.attributes.valueOnly)
    return false;
  const { resolved } = callee.target;
  return resolved?.kind === "function" && resolved.absent !== undefined;
}

/** May be left out if nobody needs the value. */
export function isRemovable(i: Instruction): boolean {
  switch (i.op) {
    case "alloca":
    case "phi":
      return true;
    case "load":
      return i.extra.unchecked && !i.extra.volatile;
    case "call":
      return isPure(i) || isCallOfNothing(i.operands[0]);
    default:
      return isPure(i);
  }
}
