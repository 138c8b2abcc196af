// Removes checks whose answer is known: the same bytes, relative to the same pointer value, were checked on every path to
// here, and nothing since could have made them unaddressable. A write check covers a read check. Available-expressions
// dataflow over bit sets; a walk over the dominator tree would miss what both arms of an `if` have checked.
//
// Checks are never widened, merged or moved: a failing access is reported with its own size at its own line, and the
// first failing one is still the first.
// Invariant: a fact about an SSA pointer cannot survive a redefinition of the pointer, because on the path that first
// reaches the definition no such check has been executed, and the dataflow asks for all paths.

import { predecessors } from "../analysis/cfg.js";
import { addressOf } from "../analysis/gep.js";
import type { DataLayout } from "../data-layout.js";
import type { Body, Instruction, InstructionOf, Value } from "../values.js";

/** Words of bit sets (32 facts each) for a whole function. Beyond it, facts do not leave their block. */
const MAX_WORDS = 1 << 22;

/** What a call may make unaddressable: nothing, this function's own variables (a scope ends), or anything. */
export type Forbids = "nothing" | "locals" | "anything";

/** `forbids` is asked for calls. Instruction ids must be current. Returns how many checks were removed. */
export function removeRedundantChecks(
  body: Body,
  layout: DataLayout,
  count: number,
  forbids: (call: Instruction) => Forbids,
): number {
  const facts = new Facts(body, layout, count);
  if (facts.count === 0) return 0;
  return new Elimination(body, facts, forbids).run();
}

interface Fact {
  readonly index: number;
  readonly offset: number;
  readonly size: number;
  readonly write: boolean;
  /** Indices of the facts that follow from this one, itself included. */
  readonly implied: number[];
}

/** The checks of addresses relative to one base. */
interface Group {
  readonly base: Value;
  readonly checks: { readonly check: InstructionOf<"check">; readonly offset: number }[];
}

/** The questions asked more than once about a pointer, numbered. */
class Facts {
  count = 0;
  /** By instruction id of a check. */
  readonly of: (Fact | undefined)[];
  /** Indices of the facts that outlive scopes: about what was there before the function was called. */
  readonly lasting: number[] = [];

  constructor(body: Body, layout: DataLayout, instructionCount: number) {
    this.of = new Array<Fact | undefined>(instructionCount);
    const groups = new Map<unknown, Group>();
    for (const block of body.blocks) {
      for (const i of block.instructions) {
        if (i.op !== "check") continue;
        const { base, offset } = addressOf(layout, i.operands[0]);
        // Modules name the same variable by different objects; other constants are not worth comparing.
        const key = base.kind === "global" ? (base.target.resolved ?? base.target) : base;
        const group = groups.get(key);
        if (group === undefined) groups.set(key, { base, checks: [{ check: i, offset }] });
        else group.checks.push({ check: i, offset });
      }
    }
    for (const group of groups.values()) if (group.checks.length > 1) this.number(group);
  }

  private number({ base, checks }: Group): void {
    const facts: Fact[] = [];
    const lasting = isForeign(base);
    for (const { check, offset } of checks) {
      const { size, write } = check.extra;
      let fact = facts.find((f) => f.offset === offset && f.size === size && f.write === write);
      if (fact === undefined) {
        fact = { index: this.count++, offset, size, write, implied: [] };
        facts.push(fact);
        if (lasting) this.lasting.push(fact.index);
      }
      this.of[check.id] = fact;
    }
    for (const a of facts) {
      for (const b of facts) {
        const contains = a.offset <= b.offset && b.offset + b.size <= a.offset + a.size;
        if (contains && (a.write || !b.write)) a.implied.push(b.index);
      }
    }
  }
}

/** Does the pointer come from outside, through arithmetic at most? Then it points to no variable of this call. */
function isForeign(base: Value): boolean {
  let at = base;
  while (at.kind === "instruction" && at.op === "getelementptr") at = at.operands[0];
  return at.kind === "argument" || at.kind === "global";
}

class Elimination {
  private readonly words: number;
  /** The set of all lasting facts. */
  private readonly lasting: Int32Array;

  constructor(
    readonly body: Body,
    readonly facts: Facts,
    readonly forbids: (call: Instruction) => Forbids,
  ) {
    this.words = (facts.count + 31) >> 5;
    this.lasting = new Int32Array(this.words);
    for (const f of facts.lasting) this.lasting[f >> 5] |= 1 << (f & 31);
  }

  run(): number {
    const { blocks } = this.body;
    const words = this.words;
    const global = blocks.length > 1 && blocks.length * words <= MAX_WORDS;
    const into = global ? this.solve() : null;
    const known = new Int32Array(words);
    let removed = 0;
    for (const block of blocks) {
      if (into === null) known.fill(0);
      else known.set(into.subarray(block.index * words, (block.index + 1) * words));
      const { instructions } = block;
      let kept = 0;
      for (let k = 0; k < instructions.length; k++) {
        const i = instructions[k];
        if (i.op === "check") {
          const fact = this.facts.of[i.id];
          if (fact !== undefined && ((known[fact.index >> 5] >> (fact.index & 31)) & 1) !== 0) continue;
        }
        this.step(known, 0, i);
        instructions[kept++] = i;
      }
      removed += instructions.length - kept;
      instructions.length = kept;
    }
    return removed;
  }

  /** Applies an instruction to the set at `row` of `sets`; returns what it makes forgotten. */
  private step(sets: Int32Array, row: number, i: Instruction): Forbids {
    if (i.op === "check") {
      const fact = this.facts.of[i.id];
      if (fact !== undefined) for (const f of fact.implied) sets[row + (f >> 5)] |= 1 << (f & 31);
      return "nothing";
    }
    const forbids = i.op === "call" ? this.forbids(i) : "nothing";
    if (forbids === "anything") sets.fill(0, row, row + this.words);
    else if (forbids === "locals") for (let w = 0; w < this.words; w++) sets[row + w] &= this.lasting[w];
    return forbids;
  }

  /** What is known at the start of each block. */
  private solve(): Int32Array {
    const { blocks } = this.body;
    const words = this.words;
    const made = new Int32Array(blocks.length * words);
    // By block: 1 if scopes end in it, 2 if anything may be forbidden in it.
    const forgets = new Uint8Array(blocks.length);
    for (const block of blocks) {
      const row = block.index * words;
      for (const i of block.instructions) {
        const forbids = this.step(made, row, i);
        if (forbids === "anything") forgets[block.index] = 2;
        else if (forbids === "locals" && forgets[block.index] === 0) forgets[block.index] = 1;
      }
    }
    const preds = predecessors(this.body);
    // Optimistic: everything is known until a path shows otherwise.
    const into = new Int32Array(blocks.length * words).fill(-1);
    into.fill(0, 0, words);
    for (let changed = true; changed; ) {
      changed = false;
      for (let b = 1; b < blocks.length; b++) {
        const row = b * words;
        for (const p of preds[b]) {
          const from = p * words;
          for (let w = 0; w < words; w++) {
            const passed = forgets[p] === 0 ? -1 : forgets[p] === 1 ? this.lasting[w] : 0;
            const out = (into[from + w] & passed) | made[from + w];
            const both = into[row + w] & out;
            if (both !== into[row + w]) {
              into[row + w] = both;
              changed = true;
            }
          }
        }
      }
    }
    return into;
  }
}
