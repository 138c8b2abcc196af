// Several threads exploring one program: the first gets the whole tree, and whoever is idle gets a part of somebody's. Every
// path belongs to exactly one part, so what is explored in the end does not depend on how many threads there are; the
// order does, and with it which of two inputs for the same finding is shown.
//
// To the session it is an exploration like any other: a generator of events, which waits for messages where a single engine computes.

import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { DoneReason, EngineEvent } from "../engine/events.js";
import type { DetectedFinding } from "../engine/executor.js";
import { placeOf } from "../engine/finding-ledger.js";
import { Counters, type EngineStatistics } from "../engine/statistics.js";
import type { Confirmation } from "../findings/confirmation.js";
import type { Finding } from "../findings/finding.js";
import type { FindingIdentity } from "../findings/identity.js";
import { IdentityLedger } from "../findings/identity-ledger.js";
import type { InputValue } from "../inputs/input-value.js";
import { emptyAccounts } from "../path/feasibility.js";
import type { SiteId } from "../path/observer.js";
import { emptyTally } from "../solver/layers/meter.js";
import { sumSolverStats, sumStatistics } from "../techniques/sum-statistics.js";
import {
  BOARD,
  type CrewOrder,
  type CrewPath,
  type CrewReport,
  type CrewSetup,
  goneWord,
  newBoard,
  receive,
  type SubtreeOffer,
  tell,
} from "./crew-board.js";
import type { Explorer } from "./explore-session.js";

const WAIT_MS = 20;
/** Threads that were told to stop have so long. */
const STOP_PATIENCE_MS = 1000;

interface Member {
  readonly port: MessagePort;
  isGone: boolean;
  isIdle: boolean;
  report: CrewReport | null;
}

export interface CrewOptions extends Omit<CrewSetup, "port" | "index" | "board" | "coverage"> {
  /** Starts a thread; see explore-thread.ts. */
  readonly hire: (setup: CrewSetup) => void;
  readonly print: (text: string) => void;
  readonly workers: number;
  readonly coverageBlocks: number;
  readonly plainTests: number;
}

/** What does not depend on who explores. */
export interface CrewBasis {
  confirm(values: readonly InputValue[]): Confirmation;
  uninitialised(values: readonly InputValue[]): readonly Finding[];
  identify(finding: Finding): FindingIdentity;
  placeOfSite(site: SiteId): string;
  coverageOf(coverage: Uint8Array): ReturnType<Explorer["coverage"]>;
  lcovOf(coverage: Uint8Array): string;
}

export class CrewExplorer implements Explorer {
  private readonly board: Int32Array;
  private readonly covered: Uint8Array;
  private readonly members: Member[] = [];
  private readonly waiting: (SubtreeOffer | null)[] = [null];
  /** Inputs travel by name; the events' models only stand for them. */
  private readonly inputs = new WeakMap<Uint8Array, readonly InputValue[]>();
  private readonly ledger = new IdentityLedger();
  private readonly warned = new Set<string>();
  private repeated = 0;
  private findings = 0;
  private complete = true;
  /** Threads that died, and their parts with them. */
  private lost = 0;
  private isStopped = false;
  private givesUpMs = Number.POSITIVE_INFINITY;
  private readonly startedMs = performance.now();

  constructor(
    private readonly options: CrewOptions,
    private readonly basis: CrewBasis,
  ) {
    this.board = newBoard(options.workers);
    this.covered = new Uint8Array(new SharedArrayBuffer(options.coverageBlocks));
    Atomics.store(this.board, BOARD.plainLeft, options.plainTests);
    for (let index = 0; index < options.workers; index++) this.members.push(this.hire(index));
  }

  *events(): Generator<EngineEvent, EngineStatistics> {
    let reason: DoneReason | null = null;
    while (this.assign(reason !== null)) {
      const seen = Atomics.load(this.board, BOARD.activity);
      let isQuiet = true;
      for (const member of this.members) {
        for (let report = this.read(member); report !== null; report = this.read(member)) {
          isQuiet = false;
          for (const path of report.paths) yield* this.eventsOf(path);
          for (const { divergence, values } of report.diverged) {
            yield { kind: "divergence", divergence, input: this.modelFor(values), objects: [] };
          }
        }
      }
      if (reason === null) {
        reason = this.limitReached();
        if (reason !== null) {
          Atomics.store(this.board, BOARD.stop, 1);
          this.givesUpMs = performance.now() + STOP_PATIENCE_MS;
        }
      }
      if (performance.now() > this.givesUpMs) break;
      this.buryTheDead();
      if (isQuiet) Atomics.wait(this.board, BOARD.activity, seen, WAIT_MS);
    }
    this.dismiss();
    const complete = reason === null && this.complete;
    yield { kind: "done", reason: reason ?? "exhausted", complete };
    return this.statistics();
  }

  valuesOf(input: Uint8Array): readonly InputValue[] {
    return this.inputs.get(input) ?? [];
  }

  statistics(): EngineStatistics {
    const parts = this.members.flatMap(({ report }) => (report === null ? [] : [report.statistics]));
    const timeMs = performance.now() - this.startedMs;
    if (parts.length === 0) return { ...EMPTY_STATISTICS, timeMs };
    const sum = sumStatistics(parts, timeMs);
    const coveredBlocks = this.covered.reduce((count, byte) => count + (byte === 0 ? 0 : 1), 0);
    const findingsRepeated = sum.findingsRepeated + this.repeated;
    const losses = this.lost === 0 ? sum.losses : { ...sum.losses, "a thread died with its part": this.lost };
    return {
      ...sum,
      losses,
      coveredBlocks,
      findings: this.findings,
      findingsRepeated,
      pending: sum.pending + this.waiting.length,
    };
  }

  solverStats(): ReturnType<Explorer["solverStats"]> {
    const parts = this.members.flatMap(({ report }) => (report === null ? [] : [report.solver]));
    return parts.length === 0 ? EMPTY_SOLVER : sumSolverStats(parts);
  }

  confirm(values: readonly InputValue[]): Confirmation {
    return this.basis.confirm(values);
  }

  uninitialised(values: readonly InputValue[]): readonly Finding[] {
    return this.basis.uninitialised(values);
  }

  identify(finding: Finding): FindingIdentity {
    return this.basis.identify(finding);
  }

  placeOfSite(site: SiteId): string {
    return this.basis.placeOfSite(site);
  }

  /** The thread that told it has closed the place for itself; the others' witnesses are heard. */
  withdraw(finding: DetectedFinding): void {
    this.ledger.withdraw(placeOf(finding));
    this.findings--;
  }

  stop(): void {
    this.isStopped = true;
  }

  coverage(): ReturnType<Explorer["coverage"]> {
    return this.basis.coverageOf(this.covered);
  }

  lcov(): string {
    return this.basis.lcovOf(this.covered);
  }

  keepFailure(): string | null {
    return null;
  }

  /** Gives work to the idle; false if everybody is idle and there is none, or there is to be no more. */
  private assign(isOver: boolean): boolean {
    for (const [index, member] of this.members.entries()) {
      if (!member.isIdle || member.isGone || isOver) continue;
      const part = this.waiting.shift();
      if (part === undefined) break;
      member.isIdle = false;
      this.order(index, { kind: "work", part });
    }
    const left = this.members.filter(({ isGone }) => !isGone);
    const idle = left.filter(({ isIdle }) => isIdle).length;
    Atomics.store(this.board, BOARD.idle, isOver ? 0 : Math.max(0, idle - this.waiting.length));
    return idle < left.length;
  }

  /** What a thread that is gone was at is lost; the others go on. All it had said has been read before. */
  private buryTheDead(): void {
    for (const [index, member] of this.members.entries()) {
      if (member.isGone || Atomics.load(this.board, goneWord(this.board, index)) === 0) continue;
      member.isGone = true;
      if (!member.isIdle) this.lost++;
      if (!member.isIdle || this.members.every(({ isGone }) => isGone)) this.complete = false;
    }
  }

  private read(member: Member): CrewReport | null {
    const report = receive<CrewReport>(member.port, this.board, BOARD.activity, 0);
    if (report === null) return null;
    member.report = report;
    this.waiting.push(...report.parts);
    for (const text of report.printed) this.print(text);
    if (report.finished !== null) {
      member.isIdle = true;
      this.complete &&= report.finished;
    }
    return report;
  }

  /** A warning that several threads say is said once. */
  private print(text: string): void {
    if (text.startsWith("warning: ")) {
      if (this.warned.has(text)) return;
      this.warned.add(text);
    }
    this.options.print(text);
  }

  private *eventsOf(path: CrewPath): Generator<EngineEvent, void> {
    const { end, newBlocks, instructions, origin, depth, finding } = path;
    const input = this.modelFor(path.values);
    const outcome = { end, instructions, newBlocks, objects: [], losses: {} };
    yield { kind: "run-finished", input, outcome, origin, depth, isPath: path.isPath };
    if (newBlocks.length > 0) {
      yield { kind: "coverage-grew", blocks: newBlocks, covered: this.statistics().coveredBlocks };
    }
    if (finding === null) return;
    if (!this.ledger.isOpen(placeOf(finding))) {
      this.repeated++;
      return;
    }
    this.ledger.reported(placeOf(finding));
    this.findings++;
    const smaller = path.smaller === null ? null : this.modelFor(path.smaller);
    yield { kind: "finding-confirmed", finding, input, smaller, outcome, depth };
  }

  private modelFor(values: readonly InputValue[]): Uint8Array {
    const model = new Uint8Array(0);
    this.inputs.set(model, values);
    return model;
  }

  private limitReached(): DoneReason | null {
    const { plan, cell } = this.options;
    if (Atomics.load(cell, 0) !== 0) return "aborted";
    if (this.isStopped || (plan.stopAtFirst === true && this.findings > 0)) return "first-finding";
    if (performance.now() - this.startedMs >= (plan.limits.timeMs ?? Number.POSITIVE_INFINITY)) return "time";
    return Atomics.load(this.board, BOARD.paths) >= (plan.limits.paths ?? Number.POSITIVE_INFINITY) ? "paths" : null;
  }

  private hire(index: number): Member {
    const { port1, port2 } = new MessageChannel();
    const { source, plan, cell, all } = this.options;
    this.options.hire({ source, plan, cell, all, coverage: this.covered, board: this.board, port: port2, index });
    return { port: port1, isGone: false, isIdle: true, report: null };
  }

  private order(index: number, order: CrewOrder): void {
    this.members[index].port.postMessage(order);
    tell(this.board, BOARD.mail + index);
  }

  private dismiss(): void {
    for (const [index] of this.members.entries()) this.order(index, { kind: "end" });
  }
}

const EMPTY_STATISTICS: EngineStatistics = {
  ...new Counters(),
  timeMs: 0,
  pathsPerSecond: 0,
  pending: 0,
  treeBytes: 0,
  solver: emptyAccounts(),
  solverShare: 0,
  unsatisfiableShare: 0,
  coverage: [],
};
const EMPTY_SOLVER: ReturnType<Explorer["solverStats"]> = {
  total: emptyTally(),
  unsatShare: 0,
  layers: [],
  details: {},
};
