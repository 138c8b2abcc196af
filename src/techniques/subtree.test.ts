import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine } from "../engine/engine.js";
import type { EngineEvent } from "../engine/events.js";
import { FIRST_QUESTION_MS } from "../engine/hard-questions.js";
import { type Script, ScriptExecutor } from "../engine/script-executor.js";
import { ExprArena } from "../expr/arena.js";
import { assembleSolver } from "../solver/chain.js";
import type { Solver } from "../solver/solver.js";
import { giveAway, type Subtree, subtreeEngine } from "./subtree.js";

/** Branches, a switch, a check, an assumption: 2 * 3 * 2 * ... paths that can be counted. */
const PROGRAM: Script = (run) => {
  const { arena } = run;
  run.assume(90, run.compare("ult", run.byte(7), 200));
  let code = 0;
  for (let i = 0; i < 4; i++) if (run.if(i, run.compare("ult", run.byte(i), 100))) code |= 1 << i;
  const kind = run.byte(5);
  const conditions = [run.compare("eq", kind, 1), run.compare("eq", kind, 2)];
  const neither = arena.not(arena.binary("or", conditions[0], conditions[1]));
  code += 16 * run.switch(50, [...conditions, neither]);
  run.check(60, "division-by-zero", run.compare("eq", run.byte(6), 9));
  if (run.if(70, run.compare("eq", run.byte(6), 10))) code += 64;
  return code;
};

/** A value that is made concrete, and decisions behind it. */
const PINNING: Script = (run) => {
  let code = 32 * run.pin(1, "store-address", run.arena.extract(run.byte(0), 0, 2));
  for (let i = 0; i < 4; i++) if (run.if(10 + i, run.compare("ult", run.byte(1 + i), 100))) code |= 1 << i;
  return code;
};

interface Explored {
  readonly ends: string[];
  readonly findings: number;
  readonly divergences: number;
}

function take(event: EngineEvent, into: string[]): void {
  if (event.kind === "run-finished" && event.isPath) into.push(JSON.stringify(event.outcome.end));
}

function alone(script: Script): Explored {
  const arena = new ExprArena();
  const options = { solver: assembleSolver(arena), searcher: "dfs", witnessesPerSite: Number.POSITIVE_INFINITY };
  const engine = new Engine(new ScriptExecutor(arena, script), options);
  const ends: string[] = [];
  for (const event of engine.explore()) take(event, ends);
  return { ends: ends.sort(), findings: engine.counters.findings, divergences: engine.counters.divergences };
}

/** Gives away a part after every `every` events, to engines that do the same. */
function divided(script: Script, every: number, setAsideAfter: number): Explored & { readonly parts: number } {
  const arena = new ExprArena();
  const executor = new ScriptExecutor(arena, script);
  const options = { solver: assembleSolver(arena), searcher: "dfs", setAsideAfter };
  const waiting: Subtree[] = [{ input: new Uint8Array(0), depth: 0, instructions: 0 }];
  const ends: string[] = [];
  let divergences = 0;
  let findings = 0;
  let parts = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    parts++;
    const engine = subtreeEngine(executor, options, next);
    let events = 0;
    for (const event of engine.explore()) {
      take(event, ends);
      const part = ++events % every === 0 ? giveAway(engine) : null;
      if (part !== null) waiting.push(part);
      if (event.kind === "done") assert.equal(event.complete, true);
    }
    divergences += engine.counters.divergences;
    findings += engine.counters.findings;
  }
  return { ends: ends.sort(), findings, divergences, parts };
}

test("subtrees: however an exploration is divided, together the parts take the same paths, each once", () => {
  const programs = [
    { script: PROGRAM, paths: 2 ** 4 * 3 * 3 },
    { script: PINNING, paths: 4 * 2 ** 4 },
  ];
  for (const { script, paths } of programs) {
    const whole = alone(script);
    assert.equal(whole.ends.length, paths);
    for (const setAsideAfter of [Number.POSITIVE_INFINITY, 1, 3]) {
      for (const every of [1, 2, 3, 7, 20]) {
        const { ends, divergences, parts } = divided(script, every, setAsideAfter);
        assert.ok(parts > 1);
        assert.deepEqual(ends, whole.ends, `every ${every}, set aside after ${setAsideAfter}`);
        assert.equal(divergences, 0);
      }
    }
  }
});

test("subtree: a path whose question takes long is put off, not asked again at once, and another part is given away", () => {
  const arena = new ExprArena();
  const solver = assembleSolver(arena);
  let ms = 0;
  let hardAsked = 0;
  /** Whatever turns on the first byte takes all of its time. */
  const slow: Solver = {
    solve: (query) => {
      const goal = query.constraints[query.constraints.length - 1];
      if (arena.support(goal)[0] !== 0) return solver.solve(query);
      hardAsked++;
      ms += 500;
      return { kind: "unknown", reason: "time" };
    },
  };
  const options = { solver: slow, searcher: "dfs", firstQuestionMs: FIRST_QUESTION_MS, now: () => ms };
  const engine = new Engine(new ScriptExecutor(arena, PROGRAM), options);
  engine.explore().next();
  for (let part = 0; part < 3; part++) assert.equal(giveAway(engine)?.depth, part + 3);
  assert.equal(hardAsked, 1);
});
