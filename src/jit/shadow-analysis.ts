// Which values can never be symbolic: constants, addresses of variables, counters that start at a constant, whatever is
// computed from such values alone. They get no shadow, and code that only handles them stays as it was. Optimistic:
// everything is concrete until a load, an argument or a call says otherwise, so that a counter `i = i + 1` in a loop is
// found concrete although it depends on itself.

import { numberInstructions } from "../ir/analysis/cfg.js";
import type { Body, Instruction, Value } from "../ir/values.js";

/** What the pass knows about calls. */
export interface CallKnowledge {
  /** Whether the call's result may be symbolic even if its arguments are not, never, or only if they are. */
  result(call: Instruction): "may" | "never" | "as-operands";
}

export class MayBeSymbolic {
  private readonly may: Uint8Array;

  constructor(
    body: Body,
    calls: CallKnowledge,
    /** What was never set is followed, and so is what the machine itself computes of it. */
    private readonly definedness: boolean,
  ) {
    this.may = new Uint8Array(numberInstructions(body));
    for (let changed = true; changed; ) {
      changed = false;
      for (const block of body.blocks) {
        for (const i of block.instructions) {
          if (this.may[i.id] === 1 || !this.becomes(i, calls)) continue;
          this.may[i.id] = 1;
          changed = true;
        }
      }
    }
  }

  has(value: Value): boolean {
    if (value.kind === "argument" || (value.kind === "undef" && this.definedness)) return true;
    return value.kind === "instruction" && this.may[value.id] === 1;
  }

  private becomes(i: Instruction, calls: CallKnowledge): boolean {
    switch (i.op) {
      case "load":
        return true;
      case "call": {
        const result = calls.result(i);
        return result === "may" || (result === "as-operands" && this.any(i));
      }
      // The remainder of floats pins its operands; atomics pin what they touch.
      case "frem":
        return this.definedness && this.any(i);
      case "alloca":
      case "atomicrmw":
      case "cmpxchg":
      case "store":
      case "check":
      case "va_arg":
        return false;
      default:
        return this.any(i);
    }
  }

  private any(i: Instruction): boolean {
    for (const operand of i.operands) if (this.has(operand)) return true;
    return false;
  }
}
