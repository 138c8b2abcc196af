// Whether what the points-to analysis says is true of runs. All recorded tests of projects are run in the VM, as programs that tell us of
// every call and every access through a computed pointer (jit/observed.ts), and it is compared:
//   - every pair (indirect call, function that it called) must be in the analysis' set;
//   - every pair (load or store, variable that it touched) too: addresses in global variables have one owner;
//   - an access to the heap or to a stack must have an object of that kind in its set; which block it was is not known;
//   - every function that was entered must be reachable.
// A pair counts once, however often and in however many tests it happened.
//
//   npm run qualify:points-to -- [--most TESTS] [--only PROGRAM] [--json FILE] PROJECT...
//
// A PROJECT is a directory with recorded tests in it (.tangent).

import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { GlobalVariable, IrFunction } from "../src/ir/module.js";
import { PointsTo } from "../src/ir/points-to/points-to.js";
import type { Call } from "../src/ir/points-to/program-constraints.js";
import type { Body, Instruction } from "../src/ir/values.js";
import type { ProgramImage } from "../src/jit/image.js";
import { loadModule } from "../src/jit/load-module.js";
import { FUNCTION_BASE, FUNCTION_STRIDE, STACK_LIMIT, STACK_TOP } from "../src/jit/memory-layout.js";
import { observedPlaces, observedPointer } from "../src/jit/observed.js";
import { AMPLIFY_COMPILE_OPTIONS, type CompileOptions } from "../src/jit/options.js";
import { type CountedBody, countedBodies } from "../src/program/counted-bodies.js";
import { loadProgram } from "../src/program/load.js";
import { loadLinkedProgram } from "../src/program/load-linked.js";
import { BlobStore } from "../src/project/blob-store.js";
import { latestSeeds } from "../src/project/earlier-findings.js";
import { testOfInvocation } from "../src/project/invocation-test.js";
import { ProjectFolder } from "../src/project/project-folder.js";
import type { Seed } from "../src/project/seed.js";
import { SeedStore } from "../src/project/seed-store.js";
import { invocationOf } from "../src/project/seed-test.js";
import { ConcreteRunner } from "../src/techniques/reach/concrete-runner.js";
import { scriptArguments } from "./usage.js";

const COMPILE: CompileOptions = { ...AMPLIFY_COMPILE_OPTIONS, observed: true };
const LIMITS = { instructions: 200_000_000, milliseconds: 20_000, heapBytes: 0x2000_0000 };
/** Of one kind and program, so many are written out. */
const MOST_SHOWN = 12;

interface Outcome {
  readonly program: string;
  readonly tests: number;
  readonly analysisMs: number;
  /** Pairs, and those that were not foreseen. */
  readonly calls: number;
  readonly missedCalls: number;
  readonly variables: number;
  readonly missedVariables: number;
  readonly kinds: number;
  readonly missedKinds: number;
  readonly entered: number;
  readonly missedFunctions: number;
}

const { values: options, positionals } = scriptArguments(import.meta.url, {
  options: { most: { type: "string" }, only: { type: "string" }, json: { type: "string" } },
  allowPositionals: true,
});

interface Place {
  readonly fn: IrFunction;
  readonly instruction: Instruction;
}

/** What runs have shown: for each place, numbers of what it led to. */
class Observations {
  /** By place: functions by table index, or variables by number. */
  readonly led: Set<number>[];
  readonly kinds: Uint8Array;
  private readonly isCall: Uint8Array;
  private readonly starts: Int32Array;
  private readonly ends: Int32Array;
  /** The variable that the last access was to: the next one often is, too. */
  private last = 0;
  private readonly heap: number;

  constructor(places: readonly Place[], image: ProgramImage) {
    this.heap = image.globalsEnd;
    this.led = places.map(() => new Set());
    this.kinds = new Uint8Array(places.length);
    this.isCall = Uint8Array.from(places, ({ instruction }) => (instruction.op === "call" ? 1 : 0));
    this.starts = Int32Array.from(image.globals, ({ address }) => address);
    this.ends = Int32Array.from(image.globals, ({ address, size }) => address + size);
  }

  readonly note = (place: number, low: number): void => {
    const address = low >>> 0;
    if (this.isCall[place] === 1) this.led[place].add((address - FUNCTION_BASE) / FUNCTION_STRIDE);
    else if (address >= this.heap) this.kinds[place] |= 1;
    else if (address >= STACK_LIMIT && address < STACK_TOP) this.kinds[place] |= 2;
    else {
      if (address < this.starts[this.last] || address >= this.ends[this.last]) this.last = this.variableAt(address);
      if (this.last >= 0) this.led[place].add(this.last);
      else this.last = 0;
    }
  };

  private variableAt(address: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.starts[middle] <= address) low = middle;
      else high = middle - 1;
    }
    return this.starts[low] <= address && address < this.ends[low] ? low : -1;
  }
}

async function check(root: string, path: string, seeds: readonly Seed[]): Promise<Outcome | string> {
  const load = { env: process.env, clang: null, flags: [], compile: COMPILE };
  const loaded = await loadProgram([path], load);
  if (loaded.kind === "failed") return loaded.message;
  const linked = await loadLinkedProgram([path], load);
  if (linked.kind === "failed") return linked.message;
  const { image } = loaded;
  const counted = countedBodies(linked.program, linked.layout, COMPILE, image);
  const bodies = new Map<IrFunction, Body>(counted.map(({ fn, body }) => [fn, body]));
  const before = process.cpuUsage();
  const bodyOf = (fn: IrFunction): Body => bodies.get(fn) as Body;
  const analysis = new PointsTo(linked.program, [...bodies.keys()], bodyOf, linked.layout);
  const used = process.cpuUsage(before);

  const places = placesOf(counted);
  const observed = new Observations(places, image);
  const runner = new ConcreteRunner(image, loadModule(image), 1, (machine) => {
    machine.onObserved = observed.note;
  });
  const executed = new Uint8Array(image.coverage.length);
  const blobs = new BlobStore(new ProjectFolder(root));
  let tests = 0;
  for (const seed of seeds) {
    const made = invocationOf(seed, blobs);
    if (made.kind === "broken") continue;
    tests++;
    const { coverage } = runner.run(testOfInvocation(made.invocation, root), LIMITS);
    for (let block = 0; block < executed.length; block++) executed[block] |= coverage[block];
  }

  const functions = new Map(counted.map(({ fn, functionIndex }) => [functionIndex, fn]));
  const missed = compare(places, observed, analysis, functions, linked.program.variables);
  const entered = counted.filter(({ firstBlock }) => firstBlock >= 0 && executed[firstBlock] !== 0);
  const unreached = entered.filter(({ fn }) => !analysis.isReachable(fn));
  show(
    "functions",
    unreached.map(({ fn }) => fn.name),
  );
  return {
    program: `${basename(root) === "new" ? basename(root.slice(0, -4)) : basename(root)} ${basename(path)}`,
    tests,
    analysisMs: Math.round((used.user + used.system) / 1000),
    ...missed,
    entered: entered.length,
    missedFunctions: unreached.length,
  };
}

function placesOf(counted: readonly CountedBody[]): Place[] {
  const places: Place[] = [];
  for (const { fn, body } of counted) {
    if (fn.module.origin === "trusted") continue;
    for (const instruction of observedPlaces(body)) places.push({ fn, instruction });
  }
  return places;
}

function compare(
  places: readonly Place[],
  observed: Observations,
  analysis: PointsTo,
  functions: ReadonlyMap<number, IrFunction>,
  variables: readonly GlobalVariable[],
): Pick<Outcome, "calls" | "missedCalls" | "variables" | "missedVariables" | "kinds" | "missedKinds"> {
  let [calls, accesses, kinds] = [0, 0, 0];
  const [missedCalls, missedVariables, missedKinds]: string[][] = [[], [], []];
  places.forEach(({ fn, instruction }, place) => {
    const led = observed.led[place];
    const kind = observed.kinds[place];
    if (led.size === 0 && kind === 0) return;
    const line = instruction.loc === null ? 0 : (instruction.loc.debug.frame(instruction.loc.id)?.line ?? 0);
    const where = `${fn.name}:${line} ${instruction.op}`;
    if (instruction.op === "call") {
      const foreseen = new Set(analysis.calleesOf(instruction as Call));
      for (const index of led) {
        const callee = functions.get(index);
        // A wild call ends its run, and no analysis foresees it.
        if (callee === undefined) continue;
        calls++;
        if (!foreseen.has(callee)) missedCalls.push(`${where} ${callee.name}, of ${foreseen.size}`);
      }
      return;
    }
    const pointer = observedPointer(instruction);
    const origins = new Set(pointer === null ? [] : analysis.locationsOf(pointer).map(({ origin }) => origin));
    const kindsThere = new Set([...origins].map((origin) => origin.kind));
    const owned = new Set([...origins].flatMap((origin) => (origin.kind === "variable" ? [origin.variable] : [])));
    const said = [...kindsThere].join(" ");
    for (const number of led) {
      accesses++;
      const variable = variables[number];
      if (owned.has(variable) || (variable.constant && kindsThere.has("constants"))) continue;
      missedVariables.push(`${where} ${variable.name}, of ${said}`);
    }
    if ((kind & 1) !== 0) {
      kinds++;
      if (!["heap", "obstack", "outside", "copy"].some((name) => kindsThere.has(name as "heap"))) {
        missedKinds.push(`${where} heap, of ${said}`);
      }
    }
    if ((kind & 2) !== 0) {
      kinds++;
      if (!["stack", "variadic", "outside"].some((name) => kindsThere.has(name as "stack"))) {
        missedKinds.push(`${where} stack, of ${said}`);
      }
    }
  });
  show("calls", missedCalls);
  show("variables", missedVariables);
  show("kinds", missedKinds);
  return {
    calls,
    missedCalls: missedCalls.length,
    variables: accesses,
    missedVariables: missedVariables.length,
    kinds,
    missedKinds: missedKinds.length,
  };
}

function show(what: string, missed: readonly string[]): void {
  for (const text of missed.slice(0, MOST_SHOWN)) console.log(`  not foreseen (${what}): ${text}`);
}

const outcomes: Outcome[] = [];
for (const root of positionals) {
  const byProgram = new Map<string, Seed[]>();
  for (const seed of latestSeeds(new SeedStore(new ProjectFolder(root)).list())) {
    byProgram.set(seed.program, [...(byProgram.get(seed.program) ?? []), seed]);
  }
  for (const [program, all] of byProgram) {
    if (options.only !== undefined && basename(program) !== options.only) continue;
    const outcome = await check(root, program, all.slice(0, Number(options.most ?? all.length)));
    console.log(typeof outcome === "string" ? `${program}: ${outcome}` : JSON.stringify(outcome));
    if (typeof outcome !== "string") outcomes.push(outcome);
  }
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(outcomes, null, 1)}\n`);
console.log(
  "| program | tests | analysis s | call pairs | missed | variable pairs | missed | kinds | missed | entered | missed |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|---|");
for (const o of outcomes) {
  const pairs = [o.calls, o.missedCalls, o.variables, o.missedVariables, o.kinds, o.missedKinds];
  const rest = [...pairs, o.entered, o.missedFunctions].join(" | ");
  console.log(`| ${o.program} | ${o.tests} | ${(o.analysisMs / 1000).toFixed(2)} | ${rest} |`);
}
process.exitCode = outcomes.some((o) => o.missedCalls + o.missedVariables + o.missedFunctions > 0) ? 1 : 0;
