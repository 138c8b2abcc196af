// Whether what a file says of a patch is what the reports believe it to be: every field, and that what refers to
// another part refers to one that is there. The rest of a result is judged by result-shape.ts.

import {
  either,
  listOf,
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
} from "../support/shape.js";
import type { PatchCampaignResult, PatchInput, PatchTarget } from "./patch-result.js";

/** Lines, columns and indices; nothing has more of them. */
const count = upTo(0x7fff_ffff);
const mode = upTo(0o7777);
/** Of its decoder nothing else is asked. */
const base64 = matching(/^[A-Za-z0-9+/]*={0,2}$/);

const CHANGES = record({
  description: text,
  oldRevision: orNull(text),
  newRevision: orNull(text),
  files: listOf(
    record({
      oldPath: orNull(text),
      newPath: orNull(text),
      hunks: listOf(
        record({
          oldStart: count,
          newStart: count,
          heading: text,
          lines: listOf(record({ kind: oneOf("context", "added", "removed"), text })),
        }),
      ),
    }),
  ),
  notes: listOf(text),
});

const WHY_NOT = record({
  sentence: text,
  branch: orNull(record({ file: text, line: count, condition: text, side: text })),
  because: listOf(record({ file: text, line: count, what: text })),
  remaining: orNull(count),
  outOfTime: truth,
});

const STATE = either(
  record({ kind: oneOf("covered"), seedId: text }),
  record({
    kind: oneOf("reached"),
    input: count,
    by: oneOf("greedy", "regeneration", "definition", "move", "luck"),
    milliseconds: number,
  }),
  record({ kind: oneOf("unreachable"), why: text }),
  record({ kind: oneOf("not-reached"), why: WHY_NOT }),
);

const TARGET = record({
  id: text,
  file: text,
  line: count,
  column: count,
  function: text,
  lines: listOf(count),
  programs: listOf(text),
  distance: orNull(count),
  state: STATE,
});

/** Each kind has what it is made of. */
const TREE_ENTRY = either(
  record({ kind: oneOf("file"), path: text, bytes: base64, mode: optional(mode), modified: optional(number) }),
  record({ kind: oneOf("link"), path: text, to: text }),
  record({ kind: oneOf("sized"), path: text, size: count, mode: optional(mode) }),
  record({
    kind: oneOf("directory", "fifo", "socket", "character", "block", "missing"),
    path: text,
    mode: optional(mode),
    modified: optional(number),
  }),
);

const INPUT = record({
  id: matching(/^[0-9a-f]{3,64}$/),
  program: text,
  seedId: text,
  seedCommand: listOf(text),
  command: listOf(text),
  steps: listOf(text),
  workingDirectory: text,
  environment: listOf(text),
  stdin: orNull(base64),
  stdinKind: optional(oneOf("pipe", "closed")),
  tree: listOf(TREE_ENTRY),
  end: text,
  confirmed: oneOf("vm", "native"),
  observed: optional(
    record({
      status: orNull(upTo(255)),
      stdout: base64,
      stderr: base64,
      varies: listOf(oneOf("stdout", "stderr")),
      how: optional(oneOf("exit", "signal", "finding", "unknown")),
      isRefused: optional(truth),
    }),
  ),
});

const BEHAVIOUR = record({
  command: listOf(text),
  program: text,
  source: either(
    record({ kind: oneOf("test"), seedId: text }),
    record({ kind: oneOf("input"), input: count }),
    record({ kind: oneOf("finding"), id: text }),
  ),
  severity: oneOf("crash", "fixed", "different"),
  differences: listOf(record({ what: text, before: text, after: text })),
});

const PATCH_PART: Shape = record({
  changes: CHANGES,
  targets: listOf(TARGET),
  inputs: listOf(INPUT),
  lines: listOf(
    record({
      file: text,
      line: count,
      state: oneOf("covered", "reached", "not-reached", "unreachable", "not-executable", "white-space"),
      targets: listOf(count),
    }),
  ),
  behaviour: listOf(BEHAVIOUR),
  compared: count,
});

/** An input, and the places that it was made for. */
export interface KnownInput {
  readonly input: PatchInput;
  readonly targets: readonly PatchTarget[];
}

const KNOWN_INPUT = record({ input: INPUT, targets: listOf(TARGET) });

export function isKnownInput(value: unknown): value is KnownInput {
  return KNOWN_INPUT(value);
}

export function isPatchPart(value: unknown): boolean {
  return PATCH_PART(value) && refersToItself(value as PatchCampaignResult);
}

/** Every index leads to something. */
function refersToItself({ inputs, targets, lines, behaviour }: PatchCampaignResult): boolean {
  return (
    targets.every(({ state }) => state.kind !== "reached" || state.input < inputs.length) &&
    lines.every((line) => line.targets.every((index) => index < targets.length)) &&
    behaviour.every(({ source }) => source.kind !== "input" || source.input < inputs.length)
  );
}
