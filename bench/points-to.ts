// How long the points-to analysis takes on real programs, and how small its answers are. Each program given is a file with IR inside
// (built by `tangent cc`) or a .c file; it is loaded as patch testing loads it, and analysed over the bodies that static analyses see.
// Loading, parsing and optimising are not in the time; they are shown beside it.
//
//   npm run bench:points-to -- [--largest N] [--only FUNCTION] [--json FILE] PROGRAM...
//
// --largest N lists the N indirect calls with most callees, --only FUNCTION lists the calls of one function.

import { readFileSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { scriptArguments } from "../scripts/usage.js";
import type { IrFunction } from "../src/ir/module.js";
import { PointsTo } from "../src/ir/points-to/points-to.js";
import type { Body, Instruction } from "../src/ir/values.js";
import { AMPLIFY_COMPILE_OPTIONS } from "../src/jit/options.js";
import { type CountedBody, countedBodies } from "../src/program/counted-bodies.js";
import { loadProgram } from "../src/program/load.js";
import { loadLinkedProgram } from "../src/program/load-linked.js";

const { values: options, positionals } = scriptArguments(import.meta.url, {
  options: { largest: { type: "string", default: "0" }, only: { type: "string" }, json: { type: "string" } },
  allowPositionals: true,
});

interface Measurement {
  readonly program: string;
  readonly lines: number;
  readonly instructions: number;
  readonly loadMs: number;
  /** Of the processor, and by the clock. */
  readonly milliseconds: number;
  readonly wallMs: number;
  readonly nodes: number;
  readonly waves: number;
  readonly indirectCalls: number;
  readonly empty: number;
  readonly singletons: number;
  readonly average: number;
  readonly largest: number;
  /** Of the calls in the program's own functions. */
  readonly ownCalls: number;
  readonly ownAverage: number;
  readonly ownLargest: number;
}

async function measure(path: string): Promise<Measurement | string> {
  const started = performance.now();
  const load = { env: process.env, clang: null, flags: [], compile: AMPLIFY_COMPILE_OPTIONS };
  const loaded = await loadProgram([path], load);
  if (loaded.kind === "failed") return loaded.message;
  const linked = await loadLinkedProgram([path], load);
  if (linked.kind === "failed") return linked.message;
  const counted = countedBodies(linked.program, linked.layout, AMPLIFY_COMPILE_OPTIONS, loaded.image);
  const bodies = new Map<IrFunction, Body>(counted.map(({ fn, body }) => [fn, body]));
  const bodyOf = (fn: IrFunction): Body => {
    const body = bodies.get(fn);
    if (body === undefined) throw new Error(`${fn.name} has no body`);
    return body;
  };
  const loadMs = performance.now() - started;
  const before = process.cpuUsage();
  const analysis = new PointsTo(linked.program, [...bodies.keys()], bodyOf, linked.layout);
  // The machine is shared, and the wall clock shows who else was on it.
  const used = process.cpuUsage(before);
  const holders = new Map<Instruction, IrFunction>();
  for (const { fn, body } of counted) {
    for (const { instructions } of body.blocks) for (const i of instructions) if (i.op === "call") holders.set(i, fn);
  }
  const all = [...analysis.indirectCalls()].map(([call, callees]) => ({
    holder: holders.get(call),
    line: call.loc === null ? 0 : (call.loc.debug.frame(call.loc.id)?.line ?? 0),
    callees: [...callees].map(({ name }) => name).sort(),
  }));
  const own = all.filter(({ holder }) => holder?.module.origin === "program");
  const show = ({ holder, line, callees }: (typeof all)[number]): void =>
    console.log(`  ${holder?.name}:${line} ${callees.length}: ${callees.join(" ").slice(0, 300)}`);
  const largest = [...all].sort((a, b) => b.callees.length - a.callees.length).slice(0, Number(options.largest));
  for (const call of largest) show(call);
  for (const call of all) if (call.holder?.name === options.only) show(call);
  return {
    program: basename(path),
    lines: countLines(counted),
    instructions: counted.reduce(
      (sum, { body }) => sum + body.blocks.reduce((n, b) => n + b.instructions.length, 0),
      0,
    ),
    loadMs: Math.round(loadMs),
    milliseconds: Math.round((used.user + used.system) / 1000),
    wallMs: Math.round(analysis.statistics.milliseconds),
    nodes: analysis.statistics.nodes,
    waves: analysis.statistics.waves,
    indirectCalls: all.length,
    empty: all.filter(({ callees }) => callees.length === 0).length,
    singletons: all.filter(({ callees }) => callees.length === 1).length,
    average: average(all),
    largest: most(all),
    ownCalls: own.length,
    ownAverage: average(own),
    ownLargest: most(own),
  };
}

function average(calls: readonly { readonly callees: readonly string[] }[]): number {
  const sum = calls.reduce((total, { callees }) => total + callees.length, 0);
  return calls.length === 0 ? 0 : Math.round((sum / calls.length) * 100) / 100;
}
function most(calls: readonly { readonly callees: readonly string[] }[]): number {
  return calls.reduce((found, { callees }) => Math.max(found, callees.length), 0);
}

/** All lines of the program's source files that have functions in it, as far as they are still there. */
function countLines(counted: readonly CountedBody[]): number {
  const files = new Set<string>();
  for (const { fn } of counted) {
    const frame = fn.module.origin === "program" && fn.debugId >= 0 ? fn.module.debug.subprogram(fn.debugId) : null;
    if (frame !== null) files.add(resolve(frame.directory, frame.file));
  }
  let lines = 0;
  for (const file of files) {
    try {
      for (const byte of readFileSync(file)) if (byte === 0x0a) lines++;
    } catch {
      // It is not here any more.
    }
  }
  return lines;
}

const results: Measurement[] = [];
for (const path of positionals) {
  const result = await measure(path);
  if (typeof result === "string") console.log(`${path}: ${result}`);
  else {
    console.log(JSON.stringify(result));
    results.push(result);
  }
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 1)}\n`);
console.log(
  "| program | lines of C | IR | load s | analysis s | indirect calls | none | one | average | most | own | average | most |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
for (const r of results) {
  const seconds = [r.loadMs, r.milliseconds].map((ms) => (ms / 1000).toFixed(2)).join(" | ");
  const sizes = `${r.indirectCalls} | ${r.empty} | ${r.singletons} | ${r.average} | ${r.largest}`;
  const own = `${r.ownCalls} | ${r.ownAverage} | ${r.ownLargest}`;
  console.log(`| ${r.program} | ${r.lines} | ${r.instructions} | ${seconds} | ${sizes} | ${own} |`);
}
