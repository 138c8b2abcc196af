// Shadows across calls. A function of the program or of libc gets the shadows of its arguments and gives back those of
// its result; trusted runtime code, system calls and assembly know nothing of shadows, so what goes there is pinned.
// Intrinsics are operations, or they pin. The places are numbered by the parts of the callee's parameters in order;
// variadic arguments have places of their own, which the caller's store of the argument consumes.

import type { IrFunction } from "../ir/module.js";
import { lowerType } from "../ir/passes/lower.js";
import { type Instruction, type InstructionOf, intValue, type Value } from "../ir/values.js";
import { isSetjmp } from "./emit-setjmp.js";
import { isTouch } from "./sensitivity.js";
import type { CallKnowledge } from "./shadow-analysis.js";
import {
  type FloatOperation,
  floatFunction,
  floatIntrinsic,
  isLongConversion,
  isModf,
  shadowOfFunction,
  shadowOfLongConversion,
  shadowOfModf,
} from "./shadow-floats.js";
import type { ShadowPass } from "./shadow-pass.js";
import { NO_SHADOW, type Shadows } from "./shadow-values.js";
import { partsOf } from "./shape.js";
import {
  FIRST_VARIADIC_SLOT,
  MAX_SHADOW_ARGUMENTS,
  type PinReasonName,
  type SymbolicOperation,
} from "./symbolic-boundary.js";

type Call = InstructionOf<"call">;

/** Host functions that take shadows as numbers: their arguments are meant as they are. */
const UNPINNED: ReadonlySet<string> = new Set([
  ...["__tangent_host_assume", "__tangent_host_prefer", "__tangent_host_get_value", "__tangent_host_describe"],
  ...["__tangent_shadow", "__tangent_with_shadow"],
]);

/** Intrinsics on integers: the operation on their first one or two arguments. */
const OPERATIONS: Readonly<Record<string, { readonly operation: SymbolicOperation; readonly arity: 1 | 2 }>> = {
  ctpop: { operation: "popcount", arity: 1 },
  ctlz: { operation: "leadingZeros", arity: 1 },
  cttz: { operation: "trailingZeros", arity: 1 },
  bswap: { operation: "byteSwap", arity: 1 },
  bitreverse: { operation: "bitReverse", arity: 1 },
  abs: { operation: "abs", arity: 1 },
  umin: { operation: "umin", arity: 2 },
  umax: { operation: "umax", arity: 2 },
  smin: { operation: "smin", arity: 2 },
  smax: { operation: "smax", arity: 2 },
  "uadd.sat": { operation: "uaddSaturated", arity: 2 },
  "sadd.sat": { operation: "saddSaturated", arity: 2 },
  "usub.sat": { operation: "usubSaturated", arity: 2 },
  "ssub.sat": { operation: "ssubSaturated", arity: 2 },
  ptrmask: { operation: "and", arity: 2 },
};
/** Intrinsics whose result is their first argument. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  ...["expect", "expect.with.probability", "launder.invariant.group", "strip.invariant.group", "annotation"],
  ...["ptr.annotation", "ssa.copy", "threadlocal.address"],
]);
/** No effect on values: their arguments need not be pinned. */
const SILENT =
  /^(lifetime|invariant|dbg|assume|var\.annotation|prefetch|va_end|stackrestore|donothing|is\.constant|objectsize)/;
const OVERFLOW = /^([su])(add|sub|mul)\.with\.overflow/;
const MEMORY = /^(memcpy|memmove|memset)(\.inline)?\./;
type MemoryFunction = "memcpy" | "memmove" | "memset";
/** What these are to libc. */
const TRUSTED_MEMORY = /^__tangent_(memcpy|memmove|memset)$/;

/** How libc checks what it may read: an address and a size. */
const READ_RANGE = "__tangent_read_range";

/** Functions of the runtime that only compute: floats of 80 bits, divisions of 128. */
const COMPUTATION = /^__tangent_(f80_|[us](div|rem)128$|[ui]128_to_|double_to_[ui]128$)/;

const EXIT_CALLS: ReadonlySet<bigint> = new Set([60n, 231n]);
function isExit(i: Call): boolean {
  const callee = i.operands[0];
  if (callee.kind !== "global" || callee.target.name !== "__tangent_syscall") return false;
  return EXIT_CALLS.has(intValue(i.operands[1]) ?? 0n);
}

function reasonOfTrusted(name: string): PinReasonName {
  if (/alloc|memalign/.test(name)) return "allocation-size";
  if (name.startsWith("__tangent_f80_")) return "floating-point";
  return /syscall/.test(name) ? "system-call" : "runtime";
}

/** The name without `llvm.`, and without the types at its end. */
function stemOf(name: string): string {
  return name.slice(5).replace(/(\.(p\d+|v\d+[a-z]+\d+|i\d+|f\d+))+$/, "");
}

export class CallShadows implements CallKnowledge {
  constructor(readonly pass: ShadowPass) {}

  result(i: Instruction): "may" | "never" | "as-operands" {
    if (i.op !== "call" || partsOf(i.type).length === 0) return "never";
    const callee = i.operands[0];
    if (callee.kind === "asm") return "never";
    if (callee.kind !== "global") return "may";
    const name = callee.target.name;
    if (isSetjmp(i)) return "never";
    if (name.startsWith("llvm.")) {
      const stem = stemOf(name);
      const known = OPERATIONS[stem] !== undefined || TRANSPARENT.has(stem) || OVERFLOW.test(stem);
      if (known || /^fsh[lr]$/.test(stem) || floatIntrinsic(i, stem) !== null || isModf(i, stem)) {
        return "as-operands";
      }
      return "never";
    }
    const fn = this.target(i);
    if (fn === null) return name === "__tangent_with_shadow" ? "may" : "never";
    if (this.floatFunction(i, fn) !== null) return "as-operands";
    if (fn.module.origin !== "trusted") return "may";
    if (this.pass.module.definedness && COMPUTATION.test(fn.name)) return "as-operands";
    return isLongConversion(this.pass, fn.name) ? "as-operands" : "never";
  }

  private target(i: Call): IrFunction | null {
    const callee = i.operands[0];
    return callee.kind === "global" ? this.pass.module.resolveFunction(callee.target) : null;
  }

  call(i: Call & Instruction): Shadows {
    const { pass } = this;
    const callee = i.operands[0];
    if (callee.kind === "asm") {
      pass.pinOperands(i, "runtime");
      pass.keep(i);
      return null;
    }
    if (callee.kind === "global") {
      const name = callee.target.name;
      if (name.startsWith("llvm.")) return this.intrinsic(i, name);
      const fn = this.target(i);
      if (fn === null) return this.provided(i, name);
      if (fn.module.origin === "trusted" && isLongConversion(pass, fn.name) && !pass.module.definedness) {
        pass.keep(i);
        return shadowOfLongConversion(pass, i, fn.name);
      }
      if (fn.module.origin === "trusted" && pass.module.definedness) return this.runtime(i, fn.name);
      if (fn.module.origin === "trusted") {
        // The status of a program's end decides nothing; pinned, it would make one path into many.
        if (isExit(i)) {
          pass.keep(i);
          return null;
        }
        const memory = TRUSTED_MEMORY.exec(name);
        if (memory !== null) return this.memory(i, i.operands.slice(1), memory[1] as MemoryFunction);
        // Nothing is pinned: the check is for all inputs, and what is read of the range follows.
        if (name === READ_RANGE) this.bulk(i.operands[1], i.operands[2], false);
        else pass.pinOperands(i, reasonOfTrusted(name));
        pass.keep(i);
        return null;
      }
      const float = this.floatFunction(i, fn);
      if (float !== null) {
        // One expression instead of the paths through its code, if it has code at all (emit-intrinsic.ts).
        for (let slot = 0; slot < float.arity; slot++) pass.act({ what: "pass", slot }, [NO_SHADOW]);
        pass.keep(i);
        return shadowOfFunction(pass, i, float);
      }
      return this.program(i, fn);
    }
    pass.pin(callee, "call-target");
    // The callee may turn out to be one that says nothing about its result.
    partsOf(i.type).forEach((_, part) => {
      pass.act({ what: "return", part }, [NO_SHADOW]);
    });
    return this.program(i, null);
  }

  /** A call of the trusted runtime where definedness is followed: what it acts on is pinned, what it computes is not. */
  private runtime(i: Call & Instruction, name: string): Shadows {
    const { pass } = this;
    const args = i.operands.slice(1);
    if (COMPUTATION.test(name)) {
      pass.keep(i);
      return pass.dependsOnAll(i.type, args);
    }
    const bulk = /^__tangent_mem(cpy|move|set)$/.exec(name);
    if (bulk !== null) {
      this.bulk(args[0], args[2], true);
      if (bulk[1] !== "set") this.bulk(args[1], args[2], false);
    } else if (name === READ_RANGE) {
      this.bulk(args[0], args[1], false);
    } else {
      const reason = name === "free" ? "store-address" : reasonOfTrusted(name);
      for (const value of args) pass.pin(value, reason);
    }
    pass.keep(i);
    if (bulk?.[1] === "set" && pass.shadowOf(args[1]) !== NO_SHADOW) {
      const byte = pass.resizeShadow(pass.shadowOf(args[1]), partsOf(args[1].type)[0].bits, 8, "trunc");
      pass.act({ what: "fill" }, [args[0], args[2], byte]);
    }
    return null;
  }

  /** Whether the call is of a function of libc whose result is one expression. */
  private floatFunction(i: Call & Instruction, fn: IrFunction): FloatOperation | null {
    return fn.module.origin === "program" ? null : floatFunction(i, fn.name);
  }

  private provided(i: Call & Instruction, name: string): Shadows {
    const { pass } = this;
    if (name === "__tangent_shadow") {
      // The call hands out what is appended here.
      i.operands = [...i.operands, pass.shadowOf(i.operands[1])];
      pass.keep(i);
      return null;
    }
    if (name === "__tangent_with_shadow") {
      pass.keep(i);
      return [i.operands[2]];
    }
    if (!UNPINNED.has(name)) pass.pinOperands(i, isSetjmp(i) ? "runtime" : "system-call");
    pass.keep(i);
    return null;
  }

  /** A call of a function that has shadows itself; null if it is not known which. */
  private program(i: Call & Instruction, fn: IrFunction | null): Shadows {
    const { pass } = this;
    const type = fn?.type ?? i.extra.fnType;
    const expected = type.params.flatMap((param) => partsOf(lowerType(param)).map(({ bits }) => bits));
    const shadows: Value[] = [];
    const widths: number[] = [];
    const named = type.params.length;
    for (let a = 0; a < i.operands.length - 1; a++) {
      const value = i.operands[a + 1];
      const byval = (i.extra.paramAttributes[a]?.byval ?? null) !== null;
      if (a >= named && type.variadic) {
        this.variadic(value, a - named, byval);
        continue;
      }
      partsOf(value.type).forEach(({ bits }, k) => {
        shadows.push(byval ? NO_SHADOW : pass.shadowOf(value, k));
        widths.push(bits);
      });
    }
    // Arguments that do not fit their parameters are converted; what is left of the expression then is not worth it.
    const fits = widths.length >= expected.length && expected.every((bits, k) => widths[k] === bits);
    if (!fits) for (const value of i.operands.slice(1)) pass.pin(value, "runtime");
    const slots = Math.min(expected.length, FIRST_VARIADIC_SLOT);
    for (let slot = 0; slot < slots; slot++) pass.act({ what: "pass", slot }, [fits ? shadows[slot] : NO_SHADOW]);
    pass.keep(i);
    const parts = partsOf(i.type);
    const given = partsOf(lowerType(type.result));
    if (parts.length !== given.length || parts.some(({ bits }, k) => bits !== given[k].bits)) return null;
    return parts.map((_, part) => pass.shadow({ what: "result", part }, []));
  }

  /** The caller stores variadic arguments into its frame; the store takes the shadow from its place. */
  private variadic(value: Value, n: number, byval: boolean): void {
    const { pass } = this;
    if (byval) return;
    const parts = partsOf(value.type);
    const slot = FIRST_VARIADIC_SLOT + n;
    if (parts.length !== 1 || parts[0].wasm === "f32" || slot >= MAX_SHADOW_ARGUMENTS) {
      pass.pin(value, "runtime");
      return;
    }
    // A slot is 8 bytes; the caller stores a narrower argument zero-extended.
    pass.act({ what: "pass", slot }, [pass.resizeShadow(pass.shadowOf(value), parts[0].bits, 64, "zext")]);
  }

  private intrinsic(i: Call & Instruction, name: string): Shadows {
    const { pass } = this;
    const args = i.operands.slice(1);
    const memory = MEMORY.exec(name.slice(5));
    if (memory !== null) return this.memory(i, args, memory[1] as MemoryFunction);
    const stem = stemOf(name);
    if (TRANSPARENT.has(stem)) {
      pass.keep(i);
      return pass.shadowsOf(args[0]);
    }
    const known = OPERATIONS[stem];
    if (known !== undefined && partsOf(args[0].type).length === partsOf(i.type).length) {
      pass.keep(i);
      const scalar = partsOf(args[0].type.kind === "vector" ? args[0].type.element : args[0].type).length === 1;
      return scalar ? pass.lanes(i, known.operation, args.slice(0, known.arity)) : pass.giveUp(i, "runtime");
    }
    const overflow = OVERFLOW.exec(stem);
    if (overflow !== null && partsOf(args[0].type).length === 1) {
      pass.keep(i);
      const { bits } = partsOf(args[0].type)[0];
      const operation = overflow[2] as "add" | "sub" | "mul";
      const overflows = `${overflow[1]}${operation}Overflows` as SymbolicOperation;
      const values = args.slice(0, 2);
      return [pass.operate(operation, bits, values, [0, 0]), pass.operate(overflows, bits, values, [0, 0])];
    }
    const float = floatIntrinsic(i, stem);
    if (float !== null) {
      pass.keep(i);
      return shadowOfFunction(pass, i, float);
    }
    if (isModf(i, stem)) {
      pass.keep(i);
      return shadowOfModf(pass, i);
    }
    const rotation = /^fsh([lr])$/.exec(stem);
    if (rotation !== null && args[0] === args[1] && partsOf(i.type).length === 1) {
      pass.keep(i);
      return pass.lanes(i, rotation[1] === "l" ? "rotateLeft" : "rotateRight", [args[0], args[2]]);
    }
    if (!SILENT.test(stem)) {
      const reason: PinReasonName = /\.f\d+|double|float/.test(name) ? "floating-point" : "runtime";
      for (const value of args) pass.pin(value, reason);
    }
    pass.keep(i);
    return null;
  }

  private memory(i: Call & Instruction, args: readonly Value[], of: MemoryFunction): Shadows {
    const { pass } = this;
    const fill = of === "memset";
    const [destination, source, size] = args;
    // libc's memset is given an int.
    const { bits } = partsOf(source.type)[0];
    const byteShadow = fill ? pass.resizeShadow(pass.shadowOf(source), bits, 8, "trunc") : NO_SHADOW;
    if (pass.module.definedness) {
      this.bulk(destination, size, true);
      if (!fill) this.bulk(source, size, false);
      pass.keep(i);
      if (byteShadow !== NO_SHADOW) pass.act({ what: "fill" }, [destination, size, byteShadow]);
      return null;
    }
    this.pinRanges(destination, fill ? null : source, size);
    if (isTouch(fill ? [destination] : [destination, source], size)) pass.act({ what: "touch" }, []);
    const sizeShadow = pass.shadowOf(size);
    if (sizeShadow !== NO_SHADOW) {
      const operands = [destination, source, size, byteShadow, sizeShadow];
      pass.act({ what: "length", site: pass.site("pin"), of }, operands);
    }
    pass.keep(i);
    if (byteShadow !== NO_SHADOW) pass.act({ what: "fill" }, [destination, size, byteShadow]);
    if (sizeShadow !== NO_SHADOW) pass.act({ what: "length-done" }, [sizeShadow]);
    return null;
  }

  /** `source`: null for a fill. */
  private pinRanges(destination: Value, source: Value | null, size: Value): void {
    const { pass } = this;
    this.range(destination, size, true, "address");
    pass.pin(destination, "store-address");
    if (source !== null) {
      this.range(source, size, false, "address");
      pass.pin(source, "load-address");
    }
    // The addresses are what they are on this run from here on.
    this.range(destination, size, true, "size");
    if (source !== null) this.range(source, size, false, "size");
  }

  /** Where definedness is followed: a range is used if there is anything in it. */
  private bulk(address: Value, size: Value, write: boolean): void {
    const { pass } = this;
    const shadows = [pass.shadowOf(address), pass.shadowOf(size)];
    if (shadows.every((shadow) => shadow === NO_SHADOW)) return;
    pass.act({ what: "range", site: pass.site("access"), write }, [address, size, ...shadows]);
  }

  /** The check of a copied or filled range whose address, or size, may be symbolic. */
  private range(address: Value, size: Value, write: boolean, of: "address" | "size"): void {
    const { pass } = this;
    if (pass.shadowOf(of === "address" ? address : size) === NO_SHADOW) return;
    const shadows = [of === "address" ? pass.shadowOf(address) : NO_SHADOW, pass.shadowOf(size)];
    pass.act({ what: "range", site: pass.site("access"), write }, [address, size, ...shadows]);
  }
}
