// The form of what travels for amplification: work to a worker, and what came of it back. Whoever can write to the queue can send anything,
// so what is not of this form is not done, and not believed.

import type { ItemEvent, ItemReport } from "../campaign/technique.js";
import { KINDS } from "../findings/kinds.js";
import { isContentName } from "../project/content-hash.js";
import type { BlobName, Seed } from "../project/seed.js";
import { isSeed, seedId } from "../project/seed-store.js";
import { LITERAL_CHOICES } from "../support/literal-names.js";
import {
  bytes,
  either,
  listOf,
  mapOf,
  matching,
  number,
  oneOf,
  optional,
  orNull,
  record,
  type Shape,
  text,
  truth,
  upTo,
  whole,
} from "../support/shape.js";
import type { AmplifyResult, AmplifySetup, AmplifyWork } from "../techniques/amplify-item.js";
import { ORDERS, SENSITIVITIES } from "../techniques/around-path.js";
import { DECISION_METRICS } from "../techniques/decision-metric.js";
import type { MovedInput, MovesWork } from "../techniques/moved/moved-input.js";

const MOST_MEMORY = 2 ** 33;
const HOUR_MS = 3_600_000;

const seed: Shape = (value) => isSeed(value) && seedId(value) === value.id;
/** A sum of times or counts; none of ours is below 0. */
const amount: Shape = (value) => typeof value === "number" && value >= 0;

const SETUP = record({
  root: text,
  instructionsPerPath: amount,
  solverQueryMs: amount,
  memoryBytes: upTo(MOST_MEMORY),
  heapBytes: upTo(MOST_MEMORY),
  randomSeed: number,
  literals: optional(oneOf(...LITERAL_CHOICES)),
  metric: optional(oneOf(...DECISION_METRICS)),
  bound: optional(upTo(1_000_000)),
  sensitive: optional(oneOf(...SENSITIVITIES)),
  anchorEnd: optional(truth),
  order: optional(oneOf(...ORDERS)),
  branchMs: optional(amount),
  moves: optional(text),
});

const STEPS = { from: text, command: listOf(text), steps: listOf(text) };
const WORK = either(
  record({
    seed,
    distance: (value) => whole(value) && (value as number) >= -1,
    look: optional(oneOf(0, 1)),
    isMade: optional(truth),
    isOnlyPlain: optional(truth),
    moved: optional(record(STEPS)),
  }),
  record({
    bases: listOf(seed),
    isByChance: optional(truth),
    isOnlyPlain: optional(truth),
    known: text,
    timeMs: upTo(HOUR_MS),
    most: upTo(1_000_000),
    mostOfSeed: upTo(1_000_000),
  }),
);

export function isAmplifySetup(value: unknown): value is AmplifySetup {
  return SETUP(value);
}

export function isAmplifyWork(value: unknown): value is AmplifyWork {
  return WORK(value);
}

const ORIGIN = oneOf("program", "libc", "runtime", "trusted");
const FRAMES = listOf(record({ functionName: text, origin: ORIGIN, file: orNull(text), line: whole, column: whole }));
const OBJECT = record({
  kind: oneOf("heap", "stack", "global", "argument", "mapping"),
  name: orNull(text),
  address: number,
  size: number,
  offset: number,
  file: orNull(text),
  line: whole,
  functionName: orNull(text),
  allocationStack: orNull(FRAMES),
  freeStack: orNull(FRAMES),
});
const FINDING = record({
  kind: (value) => typeof value === "string" && Object.hasOwn(KINDS, value),
  access: oneOf("read", "write", null),
  size: number,
  address: orNull(number),
  firstBadAddress: orNull(number),
  stack: FRAMES,
  userFrame: whole,
  object: orNull(OBJECT),
  message: text,
  check: orNull(text),
  confirmed: orNull(truth),
  behind: optional(listOf(record({ id: text, place: text }))),
});
const VALUES = listOf(record({ name: text, occurrence: upTo(1_000_000), bytes }));
const FOUND = record({
  finding: FINDING,
  identity: record({ id: matching(/^[0-9a-f]{3,64}$/) }),
  witness: VALUES,
  seedValues: VALUES,
  witnessCommand: listOf(text),
  depth: number,
});
/** None of a failure that was seen and not run again: what a worker would keep of it nobody here has. */
const EVENT = either(
  record({ kind: oneOf("finding"), found: FOUND }),
  record({ kind: oneOf("covered"), coverage: bytes, byTests: truth }),
  record({ kind: oneOf("unconfirmed"), what: text }),
  record({ kind: oneOf("machine-made"), id: matching(/^[0-9a-f]{3,64}$/), why: text }),
  record({ kind: oneOf("note"), text }),
  record({
    kind: oneOf("own"),
    value: record({
      failureOfTests: optional(text),
      handedOnNull: optional(text),
      refused: optional(text),
      misuse: optional(text),
      literalBytesLeftOut: optional(amount),
      sizesLeftOut: optional(amount),
    }),
  }),
);

export function isItemEvent(value: unknown): value is ItemEvent {
  return EVENT(value);
}

const PLAIN = record({ end: text, isWhole: truth });
const STATISTICS = record({
  timeMs: amount,
  paths: amount,
  unknown: amount,
  divergences: amount,
  dropped: amount,
  losses: mapOf(amount),
  ends: mapOf(amount),
  solver: record({ queries: amount, timeMs: amount }),
});
const EXPLORED = record({
  isPlain: optional(oneOf(false)),
  isMoves: optional(oneOf(false)),
  distance: number,
  path: text,
  blocks: orNull(text),
  checks: amount,
  checksSkipped: amount,
  passedOver: amount,
  checked: orNull(record({ extent: oneOf("all", "part", "none"), why: listOf(text) })),
  plain: orNull(PLAIN),
  isPutOff: optional(truth),
  nextLook: optional(oneOf(0, 1, null)),
  statistics: STATISTICS,
});
const RESULT = either(
  EXPLORED,
  record({ isPlain: oneOf(true), plain: PLAIN }),
  record({
    isMoves: oneOf(true),
    moved: listOf(record({ seed, ...STEPS, fails: truth })),
    tried: amount,
    leftOut: amount,
    isWhole: truth,
  }),
);

/** Only inputs of the same program, made from the tests that the item names; what the item knows of them is not the worker's to say. */
export function readAmplifyReport(value: unknown, work: AmplifyWork): ItemReport<AmplifyResult> | null {
  if (!record({ isComplete: truth, result: RESULT })(value)) return null;
  const report = value as ItemReport<AmplifyResult>;
  const { result } = report;
  if ((result.isMoves === true) !== isMoves(work)) return null;
  if (result.isMoves !== true || !isMoves(work)) return report;
  if (result.moved.length > work.most) return null;
  const moved = result.moved.map((input) => ownInput(input, work));
  return moved.includes(null) ? null : { ...report, result: { ...result, moved: moved as MovedInput[] } };
}

function ownInput(input: MovedInput, { bases }: MovesWork): MovedInput | null {
  const base = bases.find(({ id }) => id === input.from);
  if (base === undefined || input.seed.programContent !== base.programContent) return null;
  return input.seed.program === base.program ? { ...input, command: base.arguments } : null;
}

function isMoves(work: AmplifyWork): work is MovesWork {
  return "bases" in work;
}

/** The contents that an item's tests consist of. */
export function contentsOfWork(work: AmplifyWork): readonly BlobName[] {
  return contentsOf(isMoves(work) ? work.bases : [work.seed]);
}

/** Those that came into being with it. */
export function contentsOfReport({ result }: ItemReport<AmplifyResult>): readonly BlobName[] {
  return result.isMoves === true ? contentsOf(result.moved.map((input) => input.seed)) : [];
}

function contentsOf(seeds: readonly Seed[]): readonly BlobName[] {
  const names = seeds.flatMap(({ stdin, files, literals = [] }) => [
    ...(stdin.kind === "bytes" ? [stdin.content] : []),
    ...files.map(({ content }) => content),
    ...literals.map(({ content }) => content),
  ]);
  return [...new Set(names)].filter(isContentName);
}
