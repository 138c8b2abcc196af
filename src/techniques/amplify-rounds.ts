// In which order amplification does what: a list of rounds, each with what it may take of the time that is left then.
//
// Breadth comes first, of everything: what chance finds quickly, one short look at each test's own path (and some second ones), and a first
// turn of each program at distance 1, with moves, and at distance 2. Only then does anything get more of the time. Otherwise one program whose questions are hard
// has all of it, and bugs one decision away from the tests of the others are never met (bench/starving.ts). Rounds of first turns have
// a share of the time each; what they leave is taken up by the rounds after them.

import type { Look } from "./amplify-item.js";

/**
 * Which distance, of which tests: those with checks that were put off are slow, some of them for a second look. `first`: a first turn of each
 * program. `edits`: inputs are made by chance; `moves`: by moves; `moved`: of these; `cut`: what had not enough time, once more; `rest`:
 * what rounds with a limited time have left, of the tests up to the distance, and of all at the end.
 */
export interface RoundPlan {
  readonly distance: number;
  readonly of: "edits" | "all" | "first" | "quick" | "slow" | "second" | "moves" | "moved" | "rest" | "cut";
  readonly look?: Look;
  /** Of the time that is left, what it may take. */
  readonly share?: number;
}

/** For the first look at all tests. */
const FIRST_LOOK_SHARE = 0.4;
/** Edits by chance are the cheapest way to a bug, where there is a cheap one; and what they found is run with all checks. */
const EDITS_SHARE = 0.1;
/** Of each program, before anything gets more: at distance 1, of moves, and at distance 2. */
const FIRST_TURN_SHARE = 0.3;
const FIRST_MOVES_SHARE = 0.15;
const FIRST_FAR_SHARE = 0.1;
/**
 * Second looks are at paths that a first look has seen, and most of what they ask has no answer in time: some before first turns, some
 * behind distance 1.
 */
const SECOND_LOOK_SHARE = 0.1;
/** Distance 1 comes before moves, but they do not wait for ever; and inputs that they made never take much of the tests' own time. */
const FIRST_SHARE = 0.7;
const MOVED_SHARE = 0.2;

/** What comes before checks that were put off. */
const NEAR = 2;

/** What there is to make inputs with. */
export interface Makers {
  readonly edits: boolean;
  readonly moves: boolean;
}

export function roundsUpTo(most: number, { edits, moves: hasMoves }: Makers): RoundPlan[] {
  if (most === 0) return ownPaths();
  const distances = Array.from({ length: most }, (_, index) => index + 1);
  const near = distances.filter((distance) => distance <= NEAR);
  const moved = (distance: number): RoundPlan[] => (hasMoves ? [{ distance, of: "moved", share: MOVED_SHARE }] : []);
  const moves = (share?: number): RoundPlan[] =>
    hasMoves ? [{ distance: 1, of: "moves", ...(share === undefined ? {} : { share }) }, ...moved(1)] : [];
  return [
    ...(edits ? [{ distance: 1, of: "edits", share: EDITS_SHARE } as const, ...moved(1)] : []),
    { distance: 0, of: "all", look: 0, share: FIRST_LOOK_SHARE },
    second(SECOND_LOOK_SHARE),
    { distance: 1, of: "first", share: FIRST_TURN_SHARE },
    ...moves(FIRST_MOVES_SHARE),
    ...near.filter((distance) => distance > 1).map((distance) => firstFar(distance)),
    { distance: 1, of: "quick", ...(hasMoves ? { share: FIRST_SHARE } : {}) },
    ...moves(),
    { distance: 1, of: "rest" },
    second(SECOND_LOOK_SHARE),
    // Of tests whose first look was among the rest, or for which the second was enough.
    { distance: 1, of: "quick" },
    ...near.filter((distance) => distance > 1).map((distance) => ({ distance, of: "quick" }) as const),
    { distance: NEAR, of: "cut" },
    ...[0, ...near].map((distance) => ({ distance, of: "slow" }) as const),
    ...(most < NEAR ? [] : moved(NEAR)),
    ...distances
      .filter((distance) => distance > NEAR)
      .flatMap((distance): RoundPlan[] => [{ distance, of: "all" }, ...moved(distance)]),
    ...(hasMoves ? [{ distance: most + 1, of: "rest" } as const] : []),
    { distance: most, of: "cut" },
  ];
}

/** Nothing but the tests' own paths: what is slow has all of the time. */
function ownPaths(): RoundPlan[] {
  return [{ distance: 0, of: "all", look: 0 }, second(), second(), { distance: 0, of: "slow" }];
}

function second(share?: number): RoundPlan {
  return { distance: 0, of: "second", look: 1, ...(share === undefined ? {} : { share }) };
}

function firstFar(distance: number): RoundPlan {
  return { distance, of: "first", share: FIRST_FAR_SHARE };
}
