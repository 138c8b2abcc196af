// Puts an explicit `check` before every load, store and atomic access of untrusted code, so that later passes can reason
// about checks as about any other instruction and the code generator needs to know nothing. An access that cannot fail
// (a constant offset inside a variable of known size that is in scope) is marked `unchecked` instead. Where only the offset is not
// known, the check says that the variable is alive.
// Invariant: a check stands directly before its access and has its location, so that a failure is reported at its line.

import { predecessors } from "../analysis/cfg.js";
import { addressOf } from "../analysis/gep.js";
import { lifetimeMarker, lifetimePointer, type ScopeMark, Scopes } from "../analysis/lifetimes.js";
import { rootOf } from "../analysis/root.js";
import type { DataLayout } from "../data-layout.js";
import type { GlobalValue } from "../module.js";
import { VOID } from "../types.js";
import { type Body, type Instruction, instruction, intValue, type ParamAttributes, type Value } from "../values.js";
import { hasAllocas } from "./sroa.js";

/** Returns the number of checks inserted. `params`: the attributes of the function's parameters. */
export function instrument(body: Body, layout: DataLayout, params: readonly ParamAttributes[]): number {
  return new Instrumentation(body, layout, params).run();
}

class Instrumentation {
  /** Variables whose scope ends somewhere: whether they may be dead here. */
  private readonly scoped = new Map<Value, { readonly index: number; dead: boolean }>();

  constructor(
    readonly body: Body,
    readonly layout: DataLayout,
    readonly params: readonly ParamAttributes[],
  ) {}

  run(): number {
    const scopes = this.scopes();
    let inserted = 0;
    for (const block of this.body.blocks) {
      if (scopes !== null) {
        for (const variable of this.scoped.values()) {
          variable.dead = scopes.mayBeDeadAtStart(block.index, variable.index);
        }
      }
      const old = block.instructions;
      let fresh: Instruction[] | null = null;
      for (let k = 0; k < old.length; k++) {
        const i = old[k];
        // A copy that was split has brought its own check.
        if (i.op === "check") {
          if (this.cannotFail(i.operands[0], i.extra.size, i.extra.write)) fresh ??= old.slice(0, k);
          else {
            fresh?.push(i);
            inserted++;
          }
          continue;
        }
        const check = this.checkFor(i);
        if (check !== null) {
          fresh ??= old.slice(0, k);
          fresh.push(check);
          inserted++;
        }
        fresh?.push(i);
        if (scopes !== null && i.op === "call") this.mark(i);
      }
      if (fresh !== null) block.instructions = fresh;
    }
    return inserted;
  }

  private mark(call: Instruction): void {
    const marker = lifetimeMarker(call);
    if (marker === null) return;
    const variable = this.scoped.get(lifetimePointer(call));
    if (variable !== undefined) variable.dead = marker === "end";
  }

  /** Null if no scope ends: then no variable is ever dead. */
  private scopes(): Scopes | null {
    if (!hasAllocas(this.body)) return null;
    const calls: { readonly call: Instruction; readonly ends: boolean; readonly block: number }[] = [];
    for (const block of this.body.blocks) {
      for (const i of block.instructions) {
        if (i.op !== "call") continue;
        const marker = lifetimeMarker(i);
        if (marker === null) continue;
        calls.push({ call: i, ends: marker === "end", block: block.index });
        const pointer = lifetimePointer(i);
        if (marker === "end" && !this.scoped.has(pointer)) {
          this.scoped.set(pointer, { index: this.scoped.size, dead: false });
        }
      }
    }
    if (this.scoped.size === 0) return null;
    const marks: ScopeMark[] = [];
    for (const { call, ends, block } of calls) {
      const variable = this.scoped.get(lifetimePointer(call))?.index;
      if (variable !== undefined) marks.push({ variable, ends, block });
    }
    return new Scopes(predecessors(this.body), this.scoped.size, marks);
  }

  private checkFor(i: Instruction): Instruction | null {
    let pointer: Value;
    let write: boolean;
    switch (i.op) {
      case "load":
        pointer = i.operands[0];
        write = false;
        break;
      case "store":
        pointer = i.operands[1];
        write = true;
        break;
      case "atomicrmw":
      case "cmpxchg":
        pointer = i.operands[0];
        write = true;
        break;
      default:
        return null;
    }
    const { extra } = i;
    if (extra.unchecked) return null;
    const size = this.layout.storeSize(extra.accessType);
    if (size === 0) return null;
    if (this.cannotFail(pointer, size, write)) {
      extra.unchecked = true;
      return null;
    }
    const { align } = extra;
    const asked = this.isAlive(pointer, write) ? { size, write, align, alive: true } : { size, write, align };
    return instruction("check", VOID, [pointer], asked, undefined, i.loc);
  }

  /** Whether the address was computed from a variable all of which may be accessed so, here. */
  private isAlive(pointer: Value, write: boolean): boolean {
    const root = rootOf(pointer);
    switch (root?.kind) {
      case "argument":
        return (this.params[root.index]?.byval ?? null) !== null;
      case "instruction":
        // Of those whose size is not constant, the end is no mark of a scope.
        return root.op === "alloca" && intValue(root.operands[0]) !== null && this.scoped.get(root)?.dead !== true;
      case "global":
        return this.sizeOfDefinition(root.target, write) > 0;
      default:
        return false;
    }
  }

  private cannotFail(pointer: Value, size: number, write: boolean): boolean {
    const { base, offset } = addressOf(this.layout, pointer);
    if (offset < 0) return false;
    switch (base.kind) {
      case "argument": {
        // The caller has made a copy of its own for us.
        const copied = this.params[base.index]?.byval ?? null;
        return copied !== null && offset + size <= this.layout.sizeOf(copied);
      }
      case "instruction": {
        if (base.op !== "alloca") return false;
        if (this.scoped.get(base)?.dead === true) return false;
        const count = intValue(base.operands[0]);
        return count !== null && offset + size <= Number(count) * this.layout.sizeOf(base.extra.allocated);
      }
      case "global":
        return offset + size <= this.sizeOfDefinition(base.target, write);
      default:
        return false;
    }
  }

  /** 0 if the definition is unknown, or constant and to be written. */
  private sizeOfDefinition(value: GlobalValue, write: boolean): number {
    const definition = value.resolved;
    if (definition === null || definition.kind !== "variable" || definition.isDeclaration) return 0;
    return write && definition.constant ? 0 : this.layout.sizeOf(definition.valueType);
  }
}
