// Values that share a local are never wanted at the same time: tried on random graphs of blocks, against liveness
// computed the slow way. Programs show the rest (test/end-to-end/huge-function.test.ts).

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { numberInstructions, orderBlocks, predecessors } from "../ir/analysis/cfg.js";
import { DominatorTree } from "../ir/analysis/dominators.js";
import { parseModule } from "../ir/text/parse-module.js";
import type { Block, Body, Instruction } from "../ir/values.js";
import { placeValues } from "./placement.js";

const HEAD = "declare i32 @make()\ndeclare void @use(i32)\n";

function bodyOf(blocks: string): Body {
  const text = `${HEAD}define void @f(i1 %c) {\n${blocks}\n}\n`;
  const fn = parseModule(text, { name: "f.ll", origin: "program" }).globals.get("f");
  assert.ok(fn?.kind === "function");
  const body = fn.parseBody() as Body;
  orderBlocks(body);
  return body;
}

/** Numbers below a limit, always the same ones for a seed. */
function drawer(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % limit;
  };
}

/** Jumps mostly forward, some of them back, into loops' middles too. */
function randomBody(seed: number, count: number): Body {
  const draw = drawer(seed);
  const target = (from: number): string => {
    const to = draw(4) === 0 ? 1 + draw(from + 1) : from + 1 + draw(6);
    return `label %b${Math.min(Math.max(to, 1), count)}`;
  };
  const jumps = Array.from({ length: count }, (_, n) => {
    const [next, other] = [`label %b${n + 1}`, target(n)];
    return draw(2) === 0 || other === next ? `br ${next}` : `br i1 %c, ${other}, ${next}`;
  });
  const frame = bodyOf(`${jumps.map((jump, n) => `b${n}:\n ${jump}`).join("\n")}\nb${count}:\n ret void`);
  const incoming = predecessors(frame);
  const { idom } = new DominatorTree(incoming);
  /** A value that is known at the end of the block. */
  const known = (at: number): string => {
    let block = at;
    while (block > 0 && draw(3) > 0) block = idom[block];
    return `%v${frame.blocks[block].name}.${draw(2)}`;
  };
  const code = frame.blocks.map(({ name, index, terminator }) => {
    const from = incoming[index];
    const joined = from.map((before) => `[ ${known(before)}, %${frame.blocks[before].name} ]`).join(", ");
    const first = from.length > 1 ? `phi i32 ${joined}` : "call i32 @make()";
    const wanted = [known(index), known(index)].map((value) => ` call void @use(i32 ${value})`);
    const [one, two] = terminator.blocks.map((to) => `label %${to.name}`);
    const jump = one === undefined ? "ret void" : two === undefined ? `br ${one}` : `br i1 %c, ${one}, ${two}`;
    return `${name}:\n %v${name}.0 = ${first}\n %v${name}.1 = call i32 @make()\n${wanted.join("\n")}\n ${jump}`;
  });
  return bodyOf(code.join("\n"));
}

const isValue = (value: { readonly kind: string }): value is Instruction => value.kind === "instruction";
const phisOf = ({ instructions }: Block): Instruction[] => instructions.filter(({ op }) => op === "phi");

/**
 * Tells at every place which values are still wanted: at the end of a block what its successors want, without their
 * phis, and what these get from it.
 */
function checkAll(body: Body, checkPoint: (wanted: ReadonlySet<Instruction>) => void): void {
  const atStart = new Map<Block, ReadonlySet<Instruction>>(body.blocks.map((block) => [block, new Set()]));
  const startOf = (block: Block, check: (wanted: ReadonlySet<Instruction>) => void): Set<Instruction> => {
    const wanted = new Set<Instruction>();
    for (const to of block.terminator.blocks) {
      for (const value of atStart.get(to) ?? []) wanted.add(value);
      for (const phi of phisOf(to)) wanted.add(phi.operands[phi.blocks.indexOf(block)] as Instruction);
    }
    for (const i of block.instructions.toReversed()) {
      if (i.op === "phi") continue;
      check(wanted);
      wanted.delete(i);
      for (const operand of i.operands) if (isValue(operand)) wanted.add(operand);
    }
    // The edges write all phis, whether they are wanted or not.
    check(new Set([...wanted, ...phisOf(block)]));
    for (const phi of phisOf(block)) wanted.delete(phi);
    return wanted;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of body.blocks.toReversed()) {
      const wanted = startOf(block, () => {});
      if (wanted.size !== atStart.get(block)?.size) changed = true;
      atStart.set(block, wanted);
    }
  }
  for (const block of body.blocks) startOf(block, checkPoint);
}

describe("placement", () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    it(`values that are wanted at the same time have locals of their own: graph ${seed}`, () => {
      const body = randomBody(seed, 250);
      const count = numberInstructions(body);
      const { local, isShared, localTypes } = placeValues(body.blocks, count, 0, () => false, false);
      assert.ok(isShared);
      assert.ok(localTypes.length < count / 4, `${localTypes.length} locals`);
      let points = 0;
      checkAll(body, (wanted) => {
        const locals = [...wanted].map(({ id }) => local[id]).filter((number) => number >= 0);
        assert.equal(new Set(locals).size, locals.length);
        points++;
      });
      assert.ok(points > 500);
    });
  }

  it("where longjmp may lead back into the function, values that leave their blocks share nothing", () => {
    const body = randomBody(1, 250);
    const { isShared } = placeValues(body.blocks, numberInstructions(body), 0, () => false, true);
    assert.ok(!isShared);
  });
});
