// Many paths become one: `crc & 1 ? crc >> 1 ^ POLY : crc >> 1` is a branch, and in a loop over the bits of four bytes it makes
// four thousand million paths. Where the ways of a branch only compute values and meet again, all of them are
// computed and the value is an expression with all in it, "choose(crc & 1, .., ..)": the branch is gone, and with it its decision.
// The ways may branch again, as those of `a && b || c` do: a *region*, with one block before it and one behind it.
//
// That pays where the value is data. It does not where the program goes on to decide by it: then every later decision is
// about the joined expression instead of a constant, the solver has to find out again and again which way was meant, and an address
// that was one place is two. So (after Kuznetsov and others, "Efficient state merging", who estimate the same from counts of later
// uses) a region is joined if nothing of what it computes is used, as far as the function shows,
//   - as an address, as an argument of a call, as a size, as a divisor;
//   - by a branch that stays: anywhere, or in its own loop if it is in one (a checksum is compared once, after the loop);
//   - to be kept in memory, if all ways give constants: that is a state, and somebody will ask for it.
// Branches that are joined do not count as decisions for each other, which is what a checksum needs: all are taken for
// joined at first, and taken out until nothing changes.
//
// What was reached is still told exactly: each block that is gone notes its number when the condition to come there holds.

import { numberInstructions, orderBlocks, predecessors } from "../ir/analysis/cfg.js";
import { DominatorTree } from "../ir/analysis/dominators.js";
import { findLoops } from "../ir/analysis/loops.js";
import { isPure } from "../ir/analysis/purity.js";
import { isCheap, isScalar } from "../ir/passes/if-convert.js";
import { I1, VOID } from "../ir/types.js";
import { type Block, type Body, constInt, type Instruction, instruction, intValue, type Value } from "../ir/values.js";

/** Of a region: its blocks, their instructions, the values it computes. And values computed from those before we give up looking. */
const MAX_BLOCKS = 24;
const MAX_INSTRUCTIONS = 40;
const MAX_CHOICES = 4;
const MAX_FOLLOWED = 400;

interface Region {
  /** Ends in the branch. */
  readonly head: Block;
  /** The ways; each comes behind those that lead to it. */
  readonly blocks: readonly Block[];
  /** Where they meet, and what is chosen there. */
  readonly join: Block;
  readonly phis: readonly Instruction[];
}

/**
 * `coverage`: numbers of the blocks, null if they are not counted. The body must be in order; it is again afterwards. Returns the choices
 * that took the branches' places.
 */
export function joinBranches(body: Body, coverage: ReadonlyMap<Block, number> | null): ReadonlySet<Instruction> {
  const made = new Set<Instruction>();
  const regions = regionsThatPay(body);
  if (regions.length === 0) return made;
  const gone = new Set<Block>();
  for (const region of regions) {
    // An outer region has taken it.
    if (gone.has(region.head)) continue;
    for (const block of region.blocks) gone.add(block);
    flatten(region, coverage, made);
  }
  orderBlocks(body);
  numberInstructions(body);
  return made;
}

// ---------------------------------------------------------------- which

function regionsThatPay(body: Body): Region[] {
  const preds = predecessors(body);
  let found = body.blocks.flatMap((block) => regionAt(block, body, preds) ?? []);
  if (found.length === 0) return found;
  const users = new Map<Value, Instruction[]>();
  const home = new Map<Instruction, Block>();
  for (const block of body.blocks) {
    for (const i of block.instructions) {
      home.set(i, block);
      for (const operand of i.operands) {
        if (operand.kind !== "instruction") continue;
        const list = users.get(operand);
        if (list === undefined) users.set(operand, [i]);
        else list.push(i);
      }
    }
  }
  const { loops, innermost } = findLoops(new DominatorTree(preds));
  const loopBlocks = loops.map(({ blocks }) => new Set(blocks));
  for (;;) {
    const joined = new Set<Block>();
    for (const { head, blocks } of found) for (const block of [head, ...blocks]) joined.add(block);
    const kept = found.filter((region) => {
      const loop = innermost[region.head.index];
      const decides = (branch: Instruction): boolean => {
        const at = home.get(branch) as Block;
        return !joined.has(at) && (loop < 0 || loopBlocks[loop].has(at.index));
      };
      return region.phis.every((phi) => isData(region, phi, users, decides));
    });
    if (kept.length === found.length) return kept;
    found = kept;
  }
}

/** The smallest region that the block is the head of, null if there is none. */
function regionAt(head: Block, body: Body, preds: readonly (readonly number[])[]): Region | null {
  if (head.terminator.op !== "condbr") return null;
  const inside = new Set<Block>();
  const ahead = new Set(head.terminator.blocks);
  let budget = MAX_INSTRUCTIONS;
  while (ahead.size > 1) {
    let taken: Block | null = null;
    for (const block of [...ahead].sort((a, b) => a.index - b.index)) {
      if (preds[block.index].every((from) => body.blocks[from] === head || inside.has(body.blocks[from]))) {
        taken = block;
        break;
      }
    }
    if (taken === null || taken === head || inside.size === MAX_BLOCKS) return null;
    const { terminator } = taken;
    if (terminator.op !== "br" && terminator.op !== "condbr") return null;
    for (const i of taken.instructions) {
      if (i === terminator) break;
      if (--budget < 0) return null;
      if (!mayMove(i) && loadedBefore(i, head) === null) return null;
    }
    inside.add(taken);
    ahead.delete(taken);
    for (const next of terminator.blocks) ahead.add(next);
  }
  const [join] = ahead;
  if (join === head || inside.size === 0 || inside.has(join)) return null;
  const phis: Instruction[] = [];
  for (const i of join.instructions) {
    if (i.op !== "phi") break;
    phis.push(i);
  }
  if (phis.length === 0 || phis.length > MAX_CHOICES || !phis.every(isScalar)) return null;
  return { head, blocks: [...inside], join, phis };
}

function mayMove(i: Instruction): boolean {
  return isCheap(i) || ((i.op === "mul" || i.op === "select") && isPure(i)) || (i.op === "phi" && isScalar(i));
}

/** The head's own load of the same place, if nothing was written since: `if (a[i] > most) most = a[i]`. */
function loadedBefore(load: Instruction, head: Block): Instruction | null {
  if (load.op !== "load" || load.extra.volatile) return null;
  for (let n = head.instructions.length - 2; n >= 0; n--) {
    const i = head.instructions[n];
    if (i.op === "load") {
      if (i.operands[0] === load.operands[0] && i.type === load.type && !i.extra.volatile) return i;
    } else if (i.op !== "phi" && !isPure(i)) return null;
  }
  return null;
}

/** Whether the value is only computed with, as far as the function shows. `decides`: a branch by it would still be one. */
function isData(
  { head, blocks }: Region,
  phi: Instruction,
  users: ReadonlyMap<Value, readonly Instruction[]>,
  decides: (branch: Instruction) => boolean,
): boolean {
  if (phi.type.kind === "ptr") return false;
  const isState = phi.blocks.every(
    (from, n) => !(from === head || blocks.includes(from)) || isConstant(phi.operands[n]),
  );
  const followed = new Set<Instruction>([phi]);
  for (const value of followed) {
    if (followed.size > MAX_FOLLOWED) return false;
    for (const user of users.get(value) ?? []) {
      switch (user.op) {
        case "condbr":
        case "switch":
          if (decides(user)) return false;
          break;
        case "ret":
          break;
        case "store":
          if (user.operands[1] === value || (isState && value === phi)) return false;
          break;
        case "udiv":
        case "sdiv":
        case "urem":
        case "srem":
          if (user.operands[1] === value) return false;
          followed.add(user);
          break;
        default:
          if ((user.op !== "phi" && !isPure(user)) || user.type.kind === "ptr") return false;
          followed.add(user);
      }
    }
  }
  return true;
}
const isConstant = (value: Value): boolean => value.kind !== "instruction" && value.kind !== "argument";

// ---------------------------------------------------------------- how

/** Moves everything into the head, each phi a choice by the conditions of the edges that lead to it. */
function flatten(
  { head, blocks, join, phis }: Region,
  coverage: ReadonlyMap<Block, number> | null,
  made: Set<Instruction>,
): void {
  const code = head.instructions;
  const loadedFirst = new Map<Instruction, Instruction>();
  for (const block of blocks) {
    for (const i of block.instructions) {
      const before = loadedBefore(i, head);
      if (before !== null) loadedFirst.set(i, before);
    }
  }
  const guards = new Guards(code, head.terminator.loc, made);
  let test = code.pop() as Instruction;
  guards.leave(head, test, null);
  for (const block of blocks) {
    const reached = guards.reached(block);
    const number = coverage?.get(block);
    if (number !== undefined && reached !== null) {
      code.push(instruction("shadow", VOID, [reached], { what: "cover-if", number }, undefined, test.loc));
    }
    for (const i of block.instructions) {
      if (i === block.terminator) break;
      const loaded = loadedFirst.get(i);
      if (i.op === "phi") guards.replace(i, guards.choose(i, block));
      else if (loaded !== undefined) guards.replace(i, loaded);
      else {
        i.operands = i.operands.map((operand) => guards.now(operand));
        code.push(i);
      }
    }
    test = block.terminator;
    guards.leave(block, test, reached);
  }
  const inside = new Set([head, ...blocks]);
  for (const phi of phis) {
    const chosen = guards.choose(phi, join);
    const kept = phi.blocks.flatMap((from, k) => (inside.has(from) ? [] : [{ from, value: phi.operands[k] }]));
    phi.operands = [...kept.map(({ value }) => value), chosen];
    phi.blocks = [...kept.map(({ from }) => from), head];
  }
  code.push(instruction("br", VOID, [], null, [join], head.instructions[head.instructions.length - 1]?.loc ?? null));
}

/** The conditions under which the edges of a region are taken, given that its head is reached; null: always. */
class Guards {
  private readonly edges = new Map<Block, { readonly from: Block; readonly taken: Value | null }[]>();
  private readonly replaced = new Map<Value, Value>();
  private readonly known = new Map<string, Value>();
  private readonly numbers = new Map<Value, number>();

  constructor(
    private readonly code: Instruction[],
    private readonly loc: Instruction["loc"],
    private readonly choices: Set<Instruction>,
  ) {}

  now(value: Value): Value {
    return this.replaced.get(value) ?? value;
  }
  replace(phi: Instruction, value: Value): void {
    this.replaced.set(phi, value);
  }

  /** The block's edges, once it is known when the block is reached. */
  leave(block: Block, test: Instruction, reached: Value | null): void {
    if (test.op !== "condbr" || test.blocks[0] === test.blocks[1]) return this.edge(block, test.blocks[0], reached);
    const condition = this.now(test.operands[0]);
    this.edge(block, test.blocks[0], this.both(reached, condition));
    this.edge(block, test.blocks[1], this.both(reached, this.opposite(condition)));
  }
  private edge(from: Block, to: Block, taken: Value | null): void {
    const list = this.edges.get(to);
    if (list === undefined) this.edges.set(to, [{ from, taken }]);
    else list.push({ from, taken });
  }

  reached(block: Block): Value | null {
    let result: Value | null = null;
    for (const { taken } of this.edges.get(block) ?? []) {
      if (taken === null) return null;
      result = result === null ? taken : this.make("or", result, taken);
    }
    return result;
  }

  /** What the phi is. One of its edges is taken: the last value needs no condition. Equal values need one condition together. */
  choose(phi: Instruction, block: Block): Value {
    const groups: { readonly value: Value; taken: Value | null }[] = [];
    for (const { from, taken } of this.edges.get(block) ?? []) {
      const value = this.now(phi.operands[phi.blocks.indexOf(from)]);
      const same = groups.find((group) => isSame(group.value, value));
      if (same === undefined) groups.push({ value, taken });
      else same.taken = same.taken === null || taken === null ? null : this.make("or", same.taken, taken);
    }
    let result = groups[groups.length - 1].value;
    for (let n = groups.length - 2; n >= 0; n--) {
      const { taken, value } = groups[n];
      if (taken === null) result = value;
      else {
        const made = instruction("select", phi.type, [taken, value, result], null, undefined, this.loc);
        this.code.push(made);
        this.choices.add(made);
        result = made;
      }
    }
    return result;
  }

  private both(a: Value | null, b: Value): Value {
    return a === null ? b : this.make("and", a, b);
  }
  private opposite(condition: Value): Value {
    const known = intValue(condition);
    return known === null ? this.make("xor", condition, constInt(1, 1n)) : constInt(1, known === 0n ? 1n : 0n);
  }
  private make(op: "and" | "or" | "xor", a: Value, b: Value): Value {
    const key = `${op} ${this.numberOf(a)} ${this.numberOf(b)}`;
    let made = this.known.get(key);
    if (made === undefined) {
      const fresh = instruction(op, I1, [a, b], null, undefined, this.loc);
      this.code.push(fresh);
      this.known.set(key, fresh);
      made = fresh;
    }
    return made;
  }
  private numberOf(value: Value): number {
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    this.numbers.set(value, this.numbers.size);
    return this.numbers.size - 1;
  }
}

function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  const known = intValue(a);
  return known !== null && known === intValue(b);
}
