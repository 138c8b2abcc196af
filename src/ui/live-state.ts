// What a campaign that goes on tells whoever looks at it: one small file, `.tangent/live.json`, that it writes anew at most once a
// second. All lists in it are bounded, so that a campaign with ten thousand findings is as cheap to watch as one with ten;
// the findings themselves are in a file of their own (live-findings.ts). Anybody may have written the file: what is not of the
// right form is a message, and nothing in it decides anything but what a page shows.

import { readRegularFile } from "../support/regular-file.js";
import { listOf, mapOf, matching, number, oneOf, orNull, record, type Shape, text, upTo } from "../support/shape.js";

export const LIVE_NAME = "live.json";
const LIVE_VERSION = 1;

export interface LiveProgram {
  readonly name: string;
  /** Recorded tests of it, and those that were looked at. */
  readonly tests: number;
  readonly looked: number;
  /** Items of work that were done, an item being a test at a distance, a function, a place in the source. */
  readonly items: number;
  readonly checks: number | null;
  readonly findings: number;
}

/** Something that is being done. */
export interface LiveWork {
  readonly label: string;
  readonly program: string;
  /** Milliseconds after the campaign's start. */
  readonly sinceMs: number;
}

export interface LivePoint {
  readonly ms: number;
  readonly blocks: number;
  readonly findings: number;
}

export interface LiveState {
  readonly version: typeof LIVE_VERSION;
  readonly state: "running" | "ended";
  readonly pid: number;
  /** Of this campaign; no other has it. */
  readonly campaign: string;
  readonly technique: string;
  readonly project: string;
  readonly startedAt: string;
  /** Null: no limit was set. */
  readonly budgetMs: number | null;
  readonly elapsedMs: number;
  /** What is being done, in words, and at what. */
  readonly doing: string;
  readonly at: string;
  readonly tests: number;
  readonly looked: number;
  readonly items: number;
  readonly checks: number | null;
  readonly paths: number;
  readonly blocks: number;
  readonly findings: number;
  readonly jobs: number;
  readonly working: readonly LiveWork[];
  readonly programs: readonly LiveProgram[];
  /** Programs beyond the limit of the list. */
  readonly morePrograms: number;
  readonly timeline: readonly LivePoint[];
  /** The last ones; `noteCount` is of all. */
  readonly notes: readonly string[];
  readonly noteCount: number;
  /** What was left out, by reason. */
  readonly notExplored: Readonly<Record<string, number>>;
  /** Why it ended; null while it runs. */
  readonly reason: string | null;
}

export const LIVE_LIMITS = { programs: 500, points: 400, notes: 50, reasons: 200, working: 64, text: 400 } as const;

/** Ten times what the limits above can come to. */
const MOST_BYTES = 8 << 20;

function shortList(shape: Shape, most: number): Shape {
  const list = listOf(shape);
  return (value) => Array.isArray(value) && value.length <= most && list(value);
}

const count = upTo(Number.MAX_SAFE_INTEGER);
const moment: Shape = (value) =>
  matching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)(value) && !Number.isNaN(Date.parse(String(value)));

const LIVE = record({
  version: oneOf(LIVE_VERSION),
  state: oneOf("running", "ended"),
  pid: count,
  campaign: matching(/^[0-9a-f]{1,32}$/),
  technique: text,
  project: text,
  startedAt: moment,
  budgetMs: orNull(number),
  elapsedMs: number,
  doing: text,
  at: text,
  tests: count,
  looked: count,
  items: count,
  checks: orNull(count),
  paths: count,
  blocks: count,
  findings: count,
  jobs: count,
  working: shortList(record({ label: text, program: text, sinceMs: number }), LIVE_LIMITS.working),
  programs: shortList(
    record({ name: text, tests: count, looked: count, items: count, checks: orNull(count), findings: count }),
    LIVE_LIMITS.programs,
  ),
  morePrograms: count,
  timeline: shortList(record({ ms: number, blocks: count, findings: count }), LIVE_LIMITS.points),
  notes: shortList(text, LIVE_LIMITS.notes),
  noteCount: count,
  notExplored: (value) => mapOf(count)(value) && Object.keys(value as object).length <= LIVE_LIMITS.reasons,
  reason: orNull(text),
});

export type ReadLive =
  | { readonly kind: "live"; readonly live: LiveState }
  | { readonly kind: "none" }
  | { readonly kind: "wrong"; readonly message: string };

/** `path`: of LIVE_NAME in a project's folder. */
export function readLive(path: string): ReadLive {
  let value: unknown;
  try {
    value = JSON.parse(readRegularFile(path, { noLink: true, mostBytes: MOST_BYTES }).toString());
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { kind: "none" };
    return { kind: "wrong", message: code === undefined ? `'${path}' is not JSON` : message };
  }
  if (!isLive(value)) {
    return { kind: "wrong", message: `'${path}' is not what a campaign of this version writes; it is passed over` };
  }
  return { kind: "live", live: value };
}

function isLive(value: unknown): value is LiveState {
  return LIVE(value);
}

export function newLive(parts: Pick<LiveState, "campaign" | "technique" | "project" | "budgetMs" | "jobs">): LiveState {
  return {
    version: LIVE_VERSION,
    state: "running",
    pid: process.pid,
    ...parts,
    startedAt: new Date().toISOString(),
    ...{ elapsedMs: 0, doing: "getting ready", at: "" },
    ...{ tests: 0, looked: 0, items: 0, checks: null, paths: 0, blocks: 0, findings: 0 },
    ...{ working: [], programs: [], morePrograms: 0, timeline: [], notes: [], noteCount: 0, notExplored: {} },
    reason: null,
  };
}
