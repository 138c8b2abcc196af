// Whether what a file says of composition is what the reports believe it to be. The rest of a result is judged by result-shape.ts.

import {
  either,
  listOf,
  matching,
  number,
  oneOf,
  optional,
  orNull,
  record,
  text,
  truth,
  upTo,
  whole,
} from "../support/shape.js";

/** Lines, calls and numbers of functions; nothing has more of them. */
const count = upTo(0x7fff_ffff);

const CONDITION = record({
  text,
  kind: oneOf("branch", "choice", "check", "pin", "failure"),
  file: orNull(text),
  line: count,
  ofAddress: optional(truth),
});

const LINK = record({
  /** -1: only its place is known. */
  function: whole,
  name: text,
  file: orNull(text),
  line: count,
  condition: listOf(CONDITION),
  arguments: listOf(record({ words: text, value: text })),
});

const UNMET = either(
  record({ kind: oneOf("not-called") }),
  record({ kind: oneOf("other-shape", "not-failing", "unknown"), calls: count }),
  record({ kind: oneOf("contradicted"), calls: count, needed: listOf(CONDITION), against: listOf(CONDITION) }),
);

const STATE = either(
  record({ kind: oneOf("lifted"), finding: matching(/^[0-9a-f]{3,64}$/) }),
  record({
    kind: oneOf("not-lifted"),
    callers: listOf(record({ caller: text, file: orNull(text), line: count, state: UNMET })),
  }),
  record({ kind: oneOf("open") }),
);

const TARGET = record({
  id: text,
  kind: text,
  file: orNull(text),
  line: count,
  functionName: text,
  program: text,
  message: text,
  chain: listOf(LINK),
  state: STATE,
});

const FUNCTION = record({
  name: text,
  file: orNull(text),
  line: count,
  program: text,
  blocks: count,
  coveredBlocks: count,
  failures: count,
  contexts: count,
  milliseconds: number,
  problem: orNull(text),
});

export const isComposePart = record({
  technique: oneOf("compose"),
  totals: record({
    seeds: count,
    functions: count,
    units: count,
    uncalled: count,
    targets: count,
    lifted: count,
    notFailing: count,
    interpolants: count,
    interpolantsUsed: count,
    cached: count,
    refined: optional(record({ functions: count, blocks: count, before: count, after: count })),
    milliseconds: record({
      profile: number,
      units: number,
      lifting: number,
      approach: optional(number),
      interpolation: number,
      whole: number,
    }),
  }),
  targets: listOf(TARGET),
  functions: listOf(FUNCTION),
  unfinished: optional(listOf(record({ why: text, tests: count, example: text }))),
});
