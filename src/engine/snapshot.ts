// Everything needed to go on with an exploration in another process: the execution tree as inputs and a byte per row, the
// counters, the coverage, the findings known. Restoring runs each segment's input again up to its last open row (see
// path/restorer.ts), which rebuilds all expressions; a segment costs as much as a path, not as what was explored below it.
//
// The alternative, to save only pending paths with their decision strings, would be smaller but would lose which sides are
// known to be infeasible, and would need as many runs.

import { NO_MODEL } from "../path/model-store.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import { Restorer, type SavedSegment, saveSegment } from "../path/restorer.js";
import { CLOSED, NO_SEGMENT, ROW, type RowIndex, type SegmentId } from "../path/tree.js";
import type { Model } from "../solver/solver.js";
import type { Engine } from "./engine.js";
import { DamagedFile, Packer, Unpacker } from "./packing.js";
import type { CoveragePoint } from "./statistics.js";

const VERSION = 2;

interface Header {
  readonly version: number;
  readonly program: string;
  readonly timeMs: number;
  readonly counters: object;
  readonly solver: object;
  readonly findings: readonly string[];
  readonly curve: readonly CoveragePoint[];
  readonly segments: number;
  readonly seeds: number;
  /** Bytes of the journal that this snapshot covers. */
  readonly journal: number;
}

export interface RestoreReport {
  readonly segments: number;
  /** Segments that could not be rebuilt; what was pending below them is lost, and counted as divergences. */
  readonly lost: number;
  readonly pending: number;
  readonly journal: number;
}

/** `program` identifies what is explored: a snapshot of another program is refused. */
export function takeSnapshot(engine: Engine, program: string, journal: number): Uint8Array {
  const { tree } = engine;
  const segments = tree.segmentsInOrder();
  const seeds = engine.seeds.waiting;
  const packer = new Packer();
  const header: Header = {
    version: VERSION,
    program,
    timeMs: engine.timeMs,
    counters: engine.counters,
    solver: engine.recorder.feasibility.accounts,
    findings: engine.ledger.keys,
    curve: engine.curve.points,
    segments: segments.length,
    seeds: seeds.length,
    journal,
  };
  packer.json(header);
  packer.bytes(engine.executor.coverage);
  for (const seed of seeds) packer.bytes(seed);
  const places = new Map(segments.map((segment, place) => [segment, place]));
  for (const segment of segments) {
    const parent = tree.parent[segment];
    const saved = saveSegment(tree, segment);
    packer.number(parent === NO_SEGMENT ? 0 : (places.get(parent) ?? 0) + 1);
    packer.number(tree.parentRow[segment]);
    packer.number(saved.sitesHash >>> 0);
    packer.number(saved.instructions);
    packer.number(saved.decisions);
    packer.bytes(saved.input);
    packer.bytes(saved.rows);
    packer.number(saved.inputs.length);
    for (const input of saved.inputs) packer.bytes(input);
  }
  return packer.finish();
}

/**
 * Restores into an engine that has not explored anything yet. Throws DamagedFile, and has changed nothing then; so it has if the
 * snapshot is of another program or version.
 */
export function restoreSnapshot(
  engine: Engine,
  bytes: Uint8Array,
  program: string,
): RestoreReport | "other-program" | "other-version" {
  const unpacker = new Unpacker(bytes);
  const header = unpacker.json();
  if (!isRecord(header)) throw new DamagedFile("the header is none");
  if (header.version !== VERSION) return "other-version";
  if (header.program !== program) return "other-program";
  if (!isHeader(header)) throw new DamagedFile("the header lacks something");
  const coverage = unpacker.bytes();
  const seeds: Model[] = [];
  for (let i = 0; i < header.seeds; i++) seeds.push(unpacker.bytes());
  const saved: SavedSegment[] = [];
  for (let i = 0; i < header.segments; i++) saved.push(readSegment(unpacker, i));
  // Everything has been read.
  takeNumbers(engine.counters, header.counters);
  takeNumbers(engine.recorder.feasibility.accounts, header.solver);
  engine.ledger.restore(header.findings);
  for (const point of header.curve) engine.curve.points.push(point);
  engine.earlierMs = header.timeMs;
  engine.executor.coverage.set(coverage.subarray(0, engine.executor.coverage.length));
  const lost = rebuild(engine, saved);
  // If nothing could be rebuilt there is nothing to go on with but the seeds the engine was made with.
  if (lost < saved.length || lost === 0) engine.seeds.replace(seeds);
  else engine.tree.startOver();
  return { segments: saved.length, lost, pending: engine.tree.pending.count, journal: header.journal };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isHeader(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & Header {
  const { timeMs, counters, solver, findings, curve, segments, seeds, journal } = value;
  const numbers = [timeMs, segments, seeds, journal];
  if (!numbers.every((number) => typeof number === "number" && number >= 0)) return false;
  if (!isRecord(counters) || !isRecord(solver) || !Array.isArray(findings) || !Array.isArray(curve)) return false;
  return findings.every((key) => typeof key === "string") && curve.every(isRecord);
}

/** Counts that are known today, and tables of counts; whatever else a file says is left where it is. */
function takeNumbers(into: object, from: object): void {
  const target = into as Record<string, unknown>;
  for (const [name, value] of Object.entries(from)) {
    if (!Object.hasOwn(target, name)) continue;
    const old = target[name];
    if (typeof old === "number" && typeof value === "number") target[name] = value;
    else if (isRecord(old) && isRecord(value)) {
      for (const [key, count] of Object.entries(value)) {
        if (typeof count === "number") Object.defineProperty(old, key, { value: count, ...PLAIN_PROPERTY });
      }
    }
  }
}
/** Not by assignment: a file may well name `__proto__`. */
const PLAIN_PROPERTY = { writable: true, enumerable: true, configurable: true } as const;

function readSegment(unpacker: Unpacker, place: number): SavedSegment {
  const parent = unpacker.number() - 1;
  if (parent >= place) throw new DamagedFile("a part comes before what it belongs to");
  const parentRow = unpacker.number() as RowIndex;
  const sitesHash = unpacker.number() | 0;
  const instructions = unpacker.number();
  const decisions = unpacker.number();
  const input = unpacker.bytes();
  const rows = unpacker.bytes();
  const inputs: Model[] = [];
  for (let left = unpacker.number(); left > 0; left--) inputs.push(unpacker.bytes());
  return { parent, parentRow, sitesHash, instructions, decisions, input, rows, inputs };
}

function rebuild(engine: Engine, saved: readonly SavedSegment[]): number {
  const { tree, recorder, executor } = engine;
  const restorer = new Restorer(tree, recorder.conditions);
  const frontier = recorder.newGround;
  recorder.newGround = restorer;
  // It got there once; on a machine that is busier today it may take longer.
  const limits = { instructions: engine.limits.instructionsPerPath, timeMs: Number.POSITIVE_INFINITY };
  /** The segment that each saved one became. */
  const segments: SegmentId[] = [];
  let lost = 0;
  for (const segment of saved) {
    const id = segment.parent < 0 ? NO_PENDING : pendingAt(engine, segments[segment.parent], segment.parentRow);
    if (segment.parent >= 0 && id === NO_PENDING) {
      segments.push(NO_SEGMENT);
      lost++;
      continue;
    }
    restorer.start(segment);
    if (id === NO_PENDING) recorder.startSeed(segment.input);
    else recorder.startTowards(id, segment.input);
    executor.run(segment.input, recorder, limits);
    recorder.cutShort();
    const begun = tree.recording;
    restorer.runEnded();
    const back = restorer.isComplete;
    recorder.finish(segment.input);
    segments.push(back ? begun : NO_SEGMENT);
    if (back) {
      tree.instructions[begun] = segment.instructions;
      tree.decisions[begun] = segment.decisions;
      for (const pending of restorer.restored) takeBack(engine, pending);
      continue;
    }
    lost++;
    engine.counters.divergences++;
    for (const pending of [...restorer.restored, ...restorer.awaited]) tree.close(pending, CLOSED.diverged);
    if (id !== NO_PENDING && tree.pending.isLive(id)) tree.close(id, CLOSED.diverged);
  }
  recorder.newGround = frontier;
  return lost;
}

function pendingAt({ tree }: Engine, segment: SegmentId, row: RowIndex): PendingId {
  if (segment === NO_SEGMENT || row >= tree.length[segment]) return NO_PENDING;
  const other = tree.other[tree.at(segment, row)];
  return other >= 0 ? (other as PendingId) : NO_PENDING;
}

function takeBack(engine: Engine, id: PendingId): void {
  const { tree } = engine;
  const kind = tree.kindOf(id);
  const isKnown = tree.pending.model[id] !== NO_MODEL;
  if (!isKnown || (kind !== ROW.check && kind !== ROW.assume)) {
    engine.searcher.add(id);
    return;
  }
  tree.pending.selectable[id] = 0;
  engine.ready(id, kind === ROW.check ? "check" : "assumption");
}
