// Whether what the points-to analysis says is true of runs: a program is run in the VM on the arguments and the standard input given, and
// every function of the program that the run entered must be reachable in the analysis' call graph from the start through functions that
// the run entered, too. So a callee that is missing at the only call that leads to a function shows.
//
//   npm run qualify:points-to -- PROGRAM [--stdin TEXT] [-- ARGUMENT...]

import { parseArgs } from "node:util";
import type { IrFunction } from "../src/ir/module.js";
import { PointsTo } from "../src/ir/points-to/points-to.js";
import type { Body } from "../src/ir/values.js";
import { type CompileOptions, DEFAULT_COMPILE_OPTIONS } from "../src/jit/options.js";
import { countedBodies } from "../src/program/counted-bodies.js";
import { loadProgram } from "../src/program/load.js";
import { loadLinkedProgram } from "../src/program/load-linked.js";
import { runImage } from "../src/vm/machine.js";
import { DEFAULT_OPTIONS } from "../src/vm/run-options.js";

const { values: options, positionals } = parseArgs({
  options: { stdin: { type: "string", default: "" } },
  allowPositionals: true,
});
const [path, ...args] = positionals;
const compile: CompileOptions = { ...DEFAULT_COMPILE_OPTIONS, selects: false, coverage: true };
const load = { env: process.env, clang: null, flags: [], compile };
const loaded = await loadProgram([path], load);
const linked = await loadLinkedProgram([path], load);
if (loaded.kind === "failed" || linked.kind === "failed") throw new Error(`${path} cannot be loaded`);
const counted = countedBodies(linked.program, linked.layout, compile, loaded.image);
const bodies = new Map(counted.map(({ fn, body }) => [fn, body]));
const bodyOf = (fn: IrFunction): Body => {
  const body = bodies.get(fn);
  if (body === undefined) throw new Error(`${fn.name} has no body`);
  return body;
};
const analysis = new PointsTo(linked.program, [...bodies.keys()], bodyOf, linked.layout);

const run = runImage(loaded.image, {
  ...DEFAULT_OPTIONS,
  arguments: [path, ...args],
  workingDirectory: process.cwd(),
  stdin: new TextEncoder().encode(options.stdin),
});
const entered = new Set<IrFunction>();
for (const { fn, firstBlock } of counted) if (firstBlock >= 0 && run.coverage[firstBlock] !== 0) entered.add(fn);

const found = new Set<IrFunction>();
const work: IrFunction[] = [];
const reach = (fn: IrFunction): void => {
  if (found.has(fn) || (fn.module.origin === "program" && !entered.has(fn))) return;
  found.add(fn);
  work.push(fn);
};
for (const name of ["__tangent_start", "main"]) {
  const root = linked.program.lookup(name);
  if (root?.kind === "function") reach(root);
}
for (const { target } of [...linked.program.constructors, ...linked.program.destructors]) reach(target);
for (const fn of analysis.systemCalls()) reach(fn);
for (let fn = work.pop(); fn !== undefined; fn = work.pop()) {
  for (const { instructions } of bodies.get(fn)?.blocks ?? []) {
    for (const i of instructions) if (i.op === "call") for (const callee of analysis.calleesOf(i)) reach(callee);
  }
}
const missed = [...entered].filter((fn) => !found.has(fn));
console.log(`${path}: ended by ${run.end.kind}, ${entered.size} functions entered, ${missed.length} not foreseen`);
for (const { name } of missed) console.log(`  ${name}`);
process.exitCode = missed.length > 0 ? 1 : 0;
