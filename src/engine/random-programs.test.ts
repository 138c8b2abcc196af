// The oracle: random small programs over two bytes are run on every input, and the set of their paths must be exactly what
// exploration finds, each once, in every mode, with expressions collected in between or not.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import type { BinaryName, ExprRef } from "../expr/ops.js";
import { EXPLORATION_MODES } from "../path/frontier.js";
import { SEARCHER_NAMES } from "../search/registry.js";
import { Random } from "../support/random.js";
import type { PathEnd } from "./executor.js";
import { QUIET } from "./finding-ledger.js";
import { type Script, ScriptExecutor, type ScriptRun } from "./script-executor.js";
import { newExploration } from "./script-fixture.js";

const SECOND_BYTE_VALUES = 12;
const CELLS = 4;
const LIMITS = { instructions: 1e6, timeMs: 1e6 };
const COMPARISONS: readonly BinaryName[] = ["eq", "ult", "ule", "slt"];
const MIXERS: readonly BinaryName[] = ["add", "xor", "and", "or", "sub", "mul"];

/** A value of 8 bits made of the two bytes, cells and constants; the same for the same numbers drawn. */
function value(run: ScriptRun, random: Random, cells: readonly ExprRef[]): ExprRef {
  const leaf = () => {
    const kind = random.next() % 5;
    const constant = random.next() & 0xff;
    if (kind === 4) return cells[constant % CELLS];
    return kind === 3 ? run.constant(constant) : run.byte(kind === 2 ? 1 : 0);
  };
  let e = leaf();
  for (let steps = random.next() % 3; steps > 0; steps--) {
    const other = leaf();
    e = run.arena.binary(MIXERS[random.next() % MIXERS.length], e, other);
  }
  return e;
}

function condition(run: ScriptRun, random: Random, cells: readonly ExprRef[]): ExprRef {
  const a = value(run, random, cells);
  const b = random.next() % 3 === 0 ? value(run, random, cells) : run.constant(random.next() & 0xff);
  return run.arena.binary(COMPARISONS[random.next() % COMPARISONS.length], a, b);
}

/** A store at a symbolic place: each cell is the value if it is the one meant, else what it was. */
function store(run: ScriptRun, random: Random, cells: ExprRef[]): void {
  const stored = value(run, random, cells);
  const index = run.arena.binary("and", value(run, random, cells), run.constant(CELLS - 1));
  for (let i = 0; i < CELLS; i++) cells[i] = run.arena.ite(run.compare("eq", index, i), stored, cells[i]);
}

/** A program drawn from a seed. What it decides goes into `trail`; its control flow follows its own decisions. */
function program(seed: number, trail: string[]): Script {
  return (run) => {
    trail.length = 0;
    run.assume(0, run.compare("ult", run.byte(1), SECOND_BYTE_VALUES));
    const length = 3 + (new Random(seed).next() % 4);
    let state = seed;
    const cells = Array.from({ length: CELLS }, (_, i) => run.constant(i * 50));
    for (let step = 0; step < length; step++) {
      const site = 1 + step * 8 + (state & 7);
      // What comes next depends on the path so far, so that different paths differ in more than outcomes.
      const random = new Random(Math.imul(state, 2654435761) ^ step);
      const kind = random.next() % 9;
      let outcome = 0;
      if (kind < 4) outcome = decideBranch(run, site, condition(run, random, cells));
      else if (kind === 4) outcome = decideSwitch(run, site, value(run, random, cells));
      else if (kind === 5) {
        const nibble = run.arena.binary("and", value(run, random, cells), run.constant(3));
        outcome = run.arena.isConstant(nibble) ? 0 : run.pin(site, "store-address", nibble);
      } else if (kind === 6) {
        const bad = condition(run, random, cells);
        if (!run.arena.isConstant(bad)) run.check(site, "division-by-zero", bad);
      } else if (kind === 8) store(run, random, cells);
      else {
        const assumed = condition(run, random, cells);
        if (!run.arena.isConstant(assumed)) run.assume(site, assumed);
      }
      trail.push(`${site}:${kind}:${outcome}`);
      state = Math.imul(state ^ outcome, 0x9e37_79b1) >>> 7;
    }
    return 0;
  };
}

function decideBranch(run: ScriptRun, site: number, e: ExprRef): number {
  return run.if(site, e) ? 1 : 0;
}

function decideSwitch(run: ScriptRun, site: number, e: ExprRef): number {
  if (run.arena.isConstant(e)) return 9;
  const low = run.compare("ult", e, 60);
  const high = run.arena.binary("ult", run.constant(170), e);
  const middle = run.arena.binary("and", run.arena.not(low), run.arena.not(high));
  const sides = [low, middle, high];
  if (sides.some((side) => run.arena.isConstant(side))) return 8;
  return run.switch(site, sides);
}

function describeEnd(end: PathEnd): string {
  return end.kind === "finding" ? `fails at ${end.finding.stackKey}` : end.kind;
}

/** The paths of all inputs. */
function allPaths(seed: number): Set<string> {
  const trail: string[] = [];
  const executor = new ScriptExecutor(new ExprArena(), program(seed, trail));
  const paths = new Set<string>();
  for (let first = 0; first < 256; first++) {
    for (let second = 0; second < SECOND_BYTE_VALUES; second++) {
      const { end } = executor.run(Uint8Array.of(first, second), QUIET, LIMITS);
      if (end.kind !== "stopped") paths.add(`${trail.join(" ")} ${describeEnd(end)}`);
    }
  }
  return paths;
}

describe("random programs", () => {
  for (let seed = 1; seed <= 60; seed++) {
    it(`program ${seed}: exploration finds exactly the paths that running every input shows`, () => {
      const expected = [...allPaths(seed)].sort();
      for (const mode of EXPLORATION_MODES) {
        const searcher = SEARCHER_NAMES[seed % SEARCHER_NAMES.length];
        const checks = seed % 3 === 0 ? "relaxed" : "eager";
        const trail: string[] = [];
        const options = { mode, searcher, checks, witnessesPerSite: Number.POSITIVE_INFINITY } as const;
        const { engine } = newExploration(program(seed, trail), { ...options, random: new Random(seed) });
        const found: string[] = [];
        const paths = pathsOf(seed);
        for (const event of engine.explore()) {
          if (event.kind === "run-finished" && event.isPath) found.push(paths(event.input));
          if (seed % 4 === 0 && event.kind === "run-finished") engine.expressions.collect();
        }
        assert.equal(engine.counters.divergences, 0);
        assert.equal(engine.counters.witnessesMissed, 0);
        assert.deepEqual(found.sort(), expected, `${mode} ${searcher}`);
      }
    });
  }
});

/** The path of an input, by running it apart from any exploration. */
function pathsOf(seed: number): (input: Uint8Array) => string {
  const trail: string[] = [];
  const executor = new ScriptExecutor(new ExprArena(), program(seed, trail));
  return (input) => {
    const { end } = executor.run(input, QUIET, LIMITS);
    return `${trail.join(" ")} ${describeEnd(end)}`;
  };
}
