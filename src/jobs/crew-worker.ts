// One of several threads that explore together: takes a part of the execution tree, explores it, gives parts of it away
// when others are idle, and reports in portions. It has a machine, expressions and a solver of its own; with the others it
// shares which code is covered, and the words of crew-board.ts.

import { parentPort } from "node:worker_threads";
import type { Engine } from "../engine/engine.js";
import type { EngineEvent } from "../engine/events.js";
import type { EngineStatistics } from "../engine/statistics.js";
import type { InputValue } from "../inputs/input-value.js";
import { imageOf } from "../program/stored-image.js";
import { isSetAside } from "../report/path-end.js";
import type { Model } from "../solver/solver.js";
import { memoryGauge } from "../support/memory-gauge.js";
import { useV8Flags } from "../support/v8-flags.js";
import { Exploration } from "../techniques/explore.js";
import { giveAway } from "../techniques/subtree.js";
import { sumStatistics } from "../techniques/sum-statistics.js";
import {
  BOARD,
  type CrewDivergence,
  type CrewOrder,
  type CrewPath,
  type CrewReport,
  type CrewSetup,
  receive,
  type SubtreeOffer,
  tell,
} from "./crew-board.js";
import { DescribedValues } from "./described-values.js";

const REPORT_INTERVAL_MS = 50;
/** A thread that has just given something away lets the others begin first. */
const GIVE_INTERVAL_MS = 10;
const PATIENCE_MS = 1000;

type RunFinished = Extract<EngineEvent, { kind: "run-finished" }>;
type FindingConfirmed = Extract<EngineEvent, { kind: "finding-confirmed" }>;

class CrewMember {
  private readonly exploration: Exploration;
  private paths: CrewPath[] = [];
  private diverged: CrewDivergence[] = [];
  private parts: SubtreeOffer[] = [];
  private printed: string[] = [];
  /** A path that ends in a finding, until it is known whether that is a new one. */
  private held: CrewPath | null = null;
  private past: EngineStatistics[] = [];
  private nextReportMs = 0;
  private nextGiveMs = 0;

  constructor(private readonly setup: CrewSetup) {
    const { source, plan, board, cell } = setup;
    const image = imageOf(source);
    const abort = {
      get aborted(): boolean {
        return Atomics.load(cell, 0) !== 0 || Atomics.load(board, BOARD.stop) !== 0;
      },
    };
    // Limits of the whole are the coordinator's to keep.
    const limits = { ...plan.limits, timeMs: Number.POSITIVE_INFINITY, paths: Number.POSITIVE_INFINITY };
    const described = new DescribedValues(
      () => this.exploration,
      (text) => this.printed.push(text),
    );
    const host = {
      abort,
      memoryUsed: memoryGauge(),
      coverage: setup.coverage,
      describe: (...value: Parameters<DescribedValues["describe"]>): void => described.describe(...value),
    };
    this.exploration = new Exploration(image, { ...plan, limits, stopAtFirst: false }, host);
  }

  work(part: SubtreeOffer | null): void {
    const engine = part === null ? this.exploration.engine : this.engineFor(part);
    let complete = false;
    for (const event of engine.explore()) {
      if (event.kind === "finding-confirmed") this.addFinding(event);
      else if (event.kind === "run-finished") {
        this.release();
        if (event.isPath) this.add(event);
        else if (event.outcome.newBlocks.length > 0 && isWorthATest(event)) this.addCovering(event);
        this.lookAround(engine);
      } else if (event.kind === "divergence") {
        const { divergence, input, objects } = event;
        this.diverged.push({ divergence, values: this.exploration.valuesOf(input, objects) });
      } else if (event.kind === "done") complete = event.complete;
    }
    this.release();
    this.past.push(engine.statistics());
    this.report(null, complete);
  }

  private engineFor({ values, depth, instructions }: SubtreeOffer): Engine {
    const input = this.exploration.executor.space.modelOf(values);
    return this.exploration.partEngine({ input, depth, instructions });
  }

  private add({ input, outcome, origin, depth }: RunFinished): void {
    const { end, newBlocks, instructions, objects } = outcome;
    Atomics.add(this.setup.board, BOARD.paths, 1);
    const isFinding = end.kind === "finding";
    if (!isFinding && newBlocks.length === 0 && end.kind !== "limit" && !this.wantsPlain()) return;
    const values = this.exploration.valuesOf(input, objects);
    const told = { finding: null, smaller: null, isPath: true };
    const path: CrewPath = { values, newBlocks, end, instructions, origin, depth, ...told };
    if (isFinding) this.held = path;
    else this.paths.push(path);
  }

  /** No path of its own, but what it covered is to have its test. */
  private addCovering({ input, outcome, origin, depth }: RunFinished): void {
    const { end, newBlocks, instructions, objects } = outcome;
    const values = this.exploration.valuesOf(input, objects);
    this.paths.push({
      ...{ values, newBlocks, end, instructions, origin, depth },
      ...{ finding: null, smaller: null, isPath: false },
    });
  }

  private addFinding({ finding, input, smaller, outcome, depth }: FindingConfirmed): void {
    const valuesOf = (model: Model): readonly InputValue[] => this.exploration.valuesOf(model, outcome.objects);
    const { end, instructions } = outcome;
    const path: CrewPath = this.held ?? {
      ...{ values: valuesOf(input), newBlocks: [], end, instructions, origin: "witness", depth },
      ...{ finding, smaller: null, isPath: false },
    };
    this.held = { ...path, finding, smaller: smaller === null ? null : valuesOf(smaller) };
  }

  private wantsPlain(): boolean {
    const { board, all } = this.setup;
    return all || (Atomics.load(board, BOARD.plainLeft) > 0 && Atomics.sub(board, BOARD.plainLeft, 1) > 0);
  }

  private release(): void {
    if (this.held !== null) this.paths.push(this.held);
    this.held = null;
  }

  private lookAround(engine: Engine): void {
    const now = performance.now();
    if (Atomics.load(this.setup.board, BOARD.idle) > 0 && now >= this.nextGiveMs) {
      const part = giveAway(engine);
      this.nextGiveMs = now + GIVE_INTERVAL_MS;
      if (part !== null) {
        const { input, ...rest } = part;
        this.parts.push({ ...rest, values: this.exploration.executor.space.valuesOf(input) });
        this.nextReportMs = 0;
      }
    }
    if (now >= this.nextReportMs) this.report(engine, null);
  }

  /** `engine`: the one at work, if one is. */
  private report(engine: Engine | null, finished: boolean | null): void {
    const statistics = sumStatistics(engine === null ? this.past : [...this.past, engine.statistics()], null);
    if (engine === null) this.past = [statistics];
    const { paths, diverged, parts, printed } = this;
    const { total, unsatShare, layers, details } = this.exploration.solver.stats;
    const solver = { total: { ...total }, unsatShare, layers, details };
    const report: CrewReport = { paths, diverged, parts, printed, statistics, solver, finished };
    this.setup.port.postMessage(report);
    this.paths = [];
    this.diverged = [];
    this.parts = [];
    this.printed = [];
    this.nextReportMs = performance.now() + REPORT_INTERVAL_MS;
    tell(this.setup.board, BOARD.activity);
  }
}

parentPort?.once("message", (setup: CrewSetup) => {
  useV8Flags();
  const member = new CrewMember(setup);
  for (;;) {
    const order = receive<CrewOrder>(setup.port, setup.board, BOARD.mail + setup.index, PATIENCE_MS);
    if (order === null) continue;
    if (order.kind === "end") break;
    member.work(order.part);
  }
  setup.port.close();
  // Without it, this would look like a thread that has died.
  parentPort?.postMessage("over");
});

/** Set aside: no path yet; guessed: perhaps a known path, entered by the other side of a joined branch. */
function isWorthATest({ outcome, origin }: RunFinished): boolean {
  return isSetAside(outcome.end) || origin === "guessed" || origin === "tried";
}
