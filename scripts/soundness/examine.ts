// Everything that is examined of one program, in order: the run with the seed ends as natively and tells the truth, so do
// runs with random inputs; the exploration's predictions come true, again under the oracle; some of its inputs end natively
// as they did here; its solver's verdicts are z3's.

import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { Engine } from "../../src/engine/engine.js";
import type { EngineEvent } from "../../src/engine/events.js";
import type { PathEnd, RunLimits } from "../../src/engine/executor.js";
import { ProgramExecutor } from "../../src/engine/program-executor.js";
import type { EngineStatistics } from "../../src/engine/statistics.js";
import type { ProgramImage } from "../../src/jit/image.js";
import { SYMBOLIC_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { loadProgram } from "../../src/program/load.js";
import { assembleSolver } from "../../src/solver/chain.js";
import type { Model } from "../../src/solver/solver.js";
import { Random } from "../../src/support/random.js";
import { QueryJudge } from "./judge-queries.js";
import { runNatively } from "./native-program.js";
import { QuerySample } from "./query-sample.js";
import { type NativeEnd, NOTHING_EXAMINED, type Report, type Subject } from "./subject.js";
import { placeOf, TruthExecutor } from "./truth.js";
import { Z3Process } from "./z3-process.js";

const RUN_LIMITS: RunLimits = { instructions: 20_000_000, timeMs: 20_000 };
const MOST_DECISIONS = 100_000;
const QUERY_MS = 2000;
/** Of a program's variables; larger ones are tables and buffers, which only slow everything down. */
const LARGEST_GLOBAL = 4096;
/** Inputs of the exploration that are run natively. */
const NATIVE_SAMPLE = 5;
const RANDOM_BYTES = 512;
/** For the queries of one program, by milliseconds for one: csmith's arithmetic would occupy z3 for hours. */
const Z3_PROGRAM = 20;

export async function examine(subject: Subject): Promise<Report> {
  const began = performance.now();
  const { name, group } = subject;
  const loaded = await loadProgram([subject.source], {
    env: process.env,
    flags: subject.flags,
    compile: { ...SYMBOLIC_COMPILE_OPTIONS, joins: true },
    clang: null,
  });
  if (loaded.kind !== "loaded") return { ...NOTHING_EXAMINED, group, name, skipped: loaded.message };
  const examination = new Examination(subject, loaded.image);
  examination.runSeed();
  examination.runRandomInputs();
  await examination.explore();
  return { ...examination.report(), milliseconds: Math.round(performance.now() - began) };
}

/** What a run shows to the outside. */
interface Shown {
  readonly end: PathEnd;
  readonly stdout: string;
}

class Examination {
  private readonly executor: ProgramExecutor;
  private readonly truth: TruthExecutor;
  private readonly random: Random;
  private readonly wrong: string[] = [];
  private seed: Model = new Uint8Array(0);
  private runs = 0;
  private native = 0;
  private skipped: string | null = null;
  private statistics: EngineStatistics | null = null;
  private judge: QueryJudge | null = null;

  constructor(
    private readonly subject: Subject,
    private readonly image: ProgramImage,
  ) {
    mkdirSync(subject.workingDirectory, { recursive: true });
    this.random = new Random(subject.randomSeed);
    this.executor = new ProgramExecutor(image, {
      inputs: subject.inputs,
      name: subject.name,
      workingDirectory: subject.workingDirectory,
      environment: [],
      heapBytes: 1 << 28,
      seed: 1,
      keepsOutput: true,
      describe() {},
    });
    this.truth = new TruthExecutor(this.executor);
  }

  runSeed(): void {
    const { subject, executor } = this;
    const { expected } = subject;
    const given = executor.space.modelOf(subject.seed);
    const plain = this.run(given, "seed");
    this.seed = given;
    let shown = plain;
    if (subject.globals) {
      this.seed = executor.makeGlobalsSymbolic(this.ownGlobals());
      this.seed.set(given);
      shown = this.run(this.seed, "seed with symbolic variables");
      // On a busy machine the time is over before the program is: that says nothing.
      if (shown.end.kind === "limit") {
        this.skipped = `the seed's run with symbolic variables reaches the limit: ${shown.end.limit}`;
        return;
      }
      if (keyOf(shown) !== keyOf(plain)) {
        this.wrong.push(`seed: with symbolic variables ${keyOf(shown)}, without ${keyOf(plain)}`);
      }
    }
    if (expected === null) return;
    if (plain.end.kind === "limit") this.skipped = `the seed's run reaches the limit: ${plain.end.limit}`;
    else this.compare("seed", shown, expected);
  }

  runRandomInputs(): void {
    const { subject, executor } = this;
    for (let n = 0; n < subject.randomInputs; n++) {
      const shown = this.run(this.randomInput(), `random input ${n}`);
      this.compareNatively(`random input ${n}`, shown, executor.host.inputs.model());
    }
  }

  async explore(): Promise<void> {
    const { subject, executor, truth, random, seed } = this;
    if (subject.exploreMs === 0 || this.skipped !== null) return;
    const chain = assembleSolver(executor.arena, { timeMs: QUERY_MS });
    const sample = new QuerySample(chain, executor.arena, subject.queries, random);
    const engine = new Engine(truth, {
      solver: sample,
      seeds: [seed],
      searcher: "random-path",
      limits: {
        timeMs: subject.exploreMs,
        paths: subject.explorePaths,
        instructionsPerPath: RUN_LIMITS.instructions,
        timePerRunMs: RUN_LIMITS.timeMs,
        depth: MOST_DECISIONS,
      },
      random,
    });
    const inputs: Model[] = [];
    let complete = 0;
    const events = engine.explore();
    for (let next = events.next(); ; next = events.next()) {
      if (next.done === true) {
        this.statistics = next.value;
        break;
      }
      const event = next.value;
      this.blame(event);
      if (event.kind !== "run-finished" || event.outcome.end.kind !== "exit") continue;
      const place = complete < NATIVE_SAMPLE ? complete : random.next() % (complete + 1);
      complete++;
      if (place < NATIVE_SAMPLE) inputs[place] = event.input.slice();
    }
    if (subject.executable === null) inputs.length = 0;
    inputs.forEach((input, n) => {
      const shown = this.run(input, `explored input ${n}`);
      this.compareNatively(`explored input ${n}`, shown, executor.host.inputs.model());
    });
    await this.askZ3(sample);
  }

  report(): Report {
    const { subject, truth, statistics, judge } = this;
    const { group, name } = subject;
    const told = truth.wrong > 0 ? [`${truth.wrong} untrue conditions: ${truth.wrongs.join("; ")}`] : [];
    const origins = statistics?.origins ?? {};
    return {
      ...NOTHING_EXAMINED,
      group,
      name,
      wrong: [...this.wrong, ...told, ...(judge?.wrong ?? [])],
      skipped: this.skipped,
      conditions: truth.conditions,
      runs: this.runs + (statistics?.runs ?? 0),
      paths: statistics?.paths ?? 0,
      revived: (origins.revived ?? 0) + (origins.witness ?? 0) + (origins.assumption ?? 0),
      divergences: statistics?.divergences ?? 0,
      asked: statistics?.solver.queries ?? 0,
      unknown: statistics?.unknown ?? 0,
      queries: judge?.counts ?? NOTHING_EXAMINED.queries,
      native: this.native,
      losses: statistics?.losses ?? {},
    };
  }

  /** A run alone under the oracle. */
  private run(input: Model, what: string): Shown {
    const before = this.truth.wrong;
    const { end } = this.truth.run(input, null, RUN_LIMITS);
    this.runs++;
    if (this.truth.wrong > before) this.wrong.push(`${what}: untrue conditions on ${hex(input)}`);
    if (end.kind === "unsupported") this.wrong.push(`${what}: unsupported: ${end.what}`);
    return { end, stdout: Buffer.from(this.executor.output).toString("latin1") };
  }

  private compare(what: string, { end, stdout }: Shown, expected: NativeEnd): void {
    this.native++;
    if (end.kind === "exit" && end.code === expected.code && stdout === expected.stdout) return;
    this.wrong.push(`${what}: ${keyOf({ end, stdout })}, natively exit ${expected.code} ${text(expected.stdout)}`);
  }

  /** Only where the run ended by itself: after an error the native program may do anything. */
  private compareNatively(what: string, shown: Shown, model: Model): void {
    const { subject, executor } = this;
    if (subject.executable === null || shown.end.kind !== "exit") return;
    const values = executor.space.valuesOf(model, executor.host.inputs.used());
    const folder = join(subject.workingDirectory, "native");
    const native = runNatively(subject.executable, subject.inputs, values, folder);
    if (native !== null) this.compare(`${what} ${hex(model)}`, shown, native);
  }

  private blame(event: EngineEvent): void {
    const { image } = this;
    switch (event.kind) {
      case "divergence": {
        const { reason, position, expectedSite, site } = event.divergence;
        const places = `expected ${placeOf(image, expectedSite)}, was at ${placeOf(image, site)}`;
        this.wrong.push(`divergence at decision ${position}: ${reason}; ${places}; input ${hex(event.input)}`);
        break;
      }
      case "witness-missed":
        // An address outside of its object may lie in another one (concolic/addresses.ts): a path like any other.
        if (/^out-of-bounds/.test(this.truth.checks.get(event.site) ?? "")) break;
        this.wrong.push(`a check did not fail at ${placeOf(image, event.site)} on its witness ${hex(event.input)}`);
        break;
      case "finding-not-reproduced":
        this.wrong.push(`${event.finding.kind} was not found again on ${hex(event.input)}`);
        break;
      default:
    }
  }

  private async askZ3(sample: QuerySample): Promise<void> {
    if (!sample.isValid || sample.queries.length === 0) return;
    const z3 = new Z3Process(this.subject.z3Ms);
    try {
      this.judge = new QueryJudge(this.executor.arena, z3);
      await this.judge.judge(sample.queries, Z3_PROGRAM * this.subject.z3Ms);
    } finally {
      z3.close();
    }
  }

  private ownGlobals(): ProgramImage["globals"] {
    const source = basename(this.subject.source);
    return this.image.globals.filter(
      ({ constant, file, size }) => !constant && file !== null && basename(file) === source && size <= LARGEST_GLOBAL,
    );
  }

  /** Letters and digits mostly, or what is between them; small numbers, so that counts and lengths are met. */
  private randomInput(): Model {
    const { random } = this;
    const model = new Uint8Array(Math.max(RANDOM_BYTES, this.executor.space.size));
    const style = random.next() % 3;
    for (let i = 0; i < model.length; i++) {
      const byte = random.next() >>> 24;
      model[i] = style === 0 ? byte : style === 1 ? 32 + (byte % 95) : byte % 5 === 0 ? byte : byte % 4;
    }
    return model;
  }
}

function keyOf({ end, stdout }: Shown): string {
  const how =
    end.kind === "exit"
      ? end.code
      : end.kind === "finding"
        ? `${end.finding.kind} at ${end.finding.stackKey}`
        : JSON.stringify(end);
  return `${end.kind} ${how} ${text(stdout)}`;
}

function text(output: string): string {
  return JSON.stringify(output.length > 400 ? `${output.slice(0, 200)}...${output.slice(-200)}` : output);
}

function hex(model: Model): string {
  return Buffer.from(model).toString("hex");
}
