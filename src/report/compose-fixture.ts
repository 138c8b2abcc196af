// A composition's result made by hand for the tests of the reports: every state that a failure can have, and hostile where a real one
// could be.

import type { ComposeTarget } from "../techniques/compose/compose-outcome.js";
import type { ChainLink, UnmetState } from "../techniques/compose/compose-work.js";
import type { ConditionInWords } from "../techniques/unit/explore-unit.js";
import { NO_DISTANCE } from "./campaign-result.js";
import type { ComposeCampaignResult } from "./compose-result.js";
import { finding, result } from "./result-fixture.js";

export function condition(text: string, line = 0): ConditionInWords {
  return { text, kind: "branch", file: line === 0 ? null : "/project/src/parse.c", line };
}

function link(name: string, parts: Partial<ChainLink> = {}): ChainLink {
  return {
    function: 1,
    name,
    file: "/project/src/parse.c",
    line: 10,
    condition: [],
    arguments: [],
    ...parts,
  };
}

export function composeTarget(state: ComposeTarget["state"], parts: Partial<ComposeTarget> = {}): ComposeTarget {
  return {
    id: "heap-buffer-overflow src/copy.c:12 copy",
    kind: "heap-buffer-overflow",
    file: "/project/src/copy.c",
    line: 12,
    functionName: "copy",
    program: "/project/prog",
    message: "write of 1 byte after a block <b>of</b> 64 bytes",
    chain: [link("copy", { condition: [condition("len > 64")], arguments: [{ words: "len", value: "65" }] })],
    state,
    ...parts,
  };
}

export function notLifted(...states: readonly UnmetState[]): ComposeTarget {
  const callers = states.map((state, index) => ({
    caller: index === 0 ? "parse" : `other<i>${index}`,
    file: "/project/src/parse.c",
    line: 118,
    state,
  }));
  return composeTarget({ kind: "not-lifted", callers });
}

export const CONTRADICTED: Extract<UnmetState, { readonly kind: "contradicted" }> = {
  kind: "contradicted",
  calls: 3,
  needed: [condition("len > 64")],
  against: [condition("len <= 64", 120)],
};

/** `main` calls parse, which calls copy, which fails. */
export const LIFTED = composeTarget(
  { kind: "lifted", finding: "c0ffee000001" },
  {
    chain: [
      link("main", { line: 40, arguments: [{ words: "argv[1]", value: '"<script>\u202e"' }] }),
      link("parse", { condition: [condition("text[0] == '['", 22), condition("size > 66")] }),
      link("copy", { file: "/project/src/copy.c", condition: [condition("len > 64")] }),
    ],
  },
);

export function composeResult(parts: Partial<ComposeCampaignResult> = {}): ComposeCampaignResult {
  const {
    totals,
    seeds: _,
    technique: __,
    ...common
  } = result([finding({ id: "c0ffee000001", distance: NO_DISTANCE })]);
  const { paths, queries, solverMs, divergences, unconfirmed } = totals;
  const kinds = ["not-called", "other-shape", "not-failing", "unknown"] as const;
  const others = kinds.map((kind): UnmetState => (kind === "not-called" ? { kind } : { kind, calls: 2 }));
  const fn = { file: "/project/src/copy.c", line: 8, program: "/project/prog", contexts: 2, milliseconds: 1500 };
  return {
    ...common,
    technique: "compose",
    totals: {
      ...{ paths, queries, solverMs, divergences, unconfirmed },
      ...{ seeds: 2, functions: 5, units: 4, uncalled: 1, targets: 4, lifted: 1, notFailing: 1 },
      ...{ interpolants: 3, interpolantsUsed: 1, cached: 0 },
      milliseconds: { profile: 300, units: 3000, lifting: 900, approach: 200, interpolation: 0, whole: 400 },
    },
    targets: [LIFTED, notLifted(...others, CONTRADICTED), notLifted(), composeTarget({ kind: "open" })],
    functions: [
      { ...fn, name: "copy", blocks: 8, coveredBlocks: 6, failures: 1, problem: null },
      {
        ...fn,
        name: "log_<b>",
        blocks: 0,
        coveredBlocks: 0,
        failures: 0,
        problem: "it takes any number of <arguments>",
      },
    ],
    ...parts,
  };
}

/** What `tangent test --deep` has. */
export function deepFixture(): ComposeCampaignResult {
  const { totals, seeds } = result();
  return composeResult({ amplified: { totals, seeds } });
}
