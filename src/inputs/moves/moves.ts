// All moves of an invocation, the most promising first: words that lead to what is wanted, then the other words, operands of other
// kinds, files and directories, pairs of words; then, for as long as something new comes of it, several moves at once, at random.
// Nothing is handed out twice. The order depends on the arguments and on the seed of `random` alone.

import type { Random } from "../../support/random.js";
import type { Invocation } from "../invocation.js";
import { argumentMoves } from "./argument-moves.js";
import { directoryMoves } from "./directory-moves.js";
import { environmentMoves } from "./environment-moves.js";
import { fileMoves, stdinMoves } from "./input-moves.js";
import { invocationKey, problemOf } from "./invocation-key.js";
import type { Draft, Move, MoveSource, MoveWord } from "./move.js";
import { operandMoves } from "./operand-moves.js";
import { contextOf, type MoveContext, type Pool, poolOf } from "./pool.js";
import { wordMove, wordMoves } from "./word-moves.js";

/** Moves of each option, and of each other word, before operands and files have their turn. */
const OPTION_ROUNDS = 4;
const WORD_ROUNDS = 2;
/** Moves of each option and of each other word altogether. More come up in the random part. */
const MOST_OPTION_ROUNDS = 24;
const MOST_WORD_ROUNDS = 6;
/** Words that take turns with each other: those that the program tells of first are finished first. */
const TOGETHER = 64;
/** Pairs with a preferred word, and of the others. */
const MOST_PREFERRED_PAIRS = 4096;
const MOST_PAIRS = 1024;
/** Moves at once, in the random part. */
const MOST_STEPS = 4;
/** Tries in a row that gave nothing new: then there is nothing. */
const MOST_FAILURES = 1000;

export function* movesOf(from: Invocation, source: MoveSource): Generator<Move> {
  const { random } = source;
  const pool = poolOf(source);
  const context = contextOf(from, pool);
  const met = new Set([invocationKey(from)]);
  const take = (draft: Draft): Move | null => {
    const invocation = made(draft, from);
    if (invocation === null) return null;
    const key = invocationKey(invocation);
    if (met.has(key)) return null;
    met.add(key);
    return { kind: draft.kind, step: draft.step, invocation };
  };
  for (const draft of systematicMoves(context, source)) {
    const move = take(draft);
    if (move !== null) yield move;
  }
  for (let failures = 0; failures < MOST_FAILURES; failures++) {
    const draft = severalMoves(from, pool, random);
    const move = draft === null ? null : take(draft);
    if (move === null) continue;
    failures = -1;
    yield move;
  }
}

function made(draft: Draft, from: Invocation): Invocation | null {
  const invocation = draft.make();
  return invocation === null || problemOf(invocation, from) !== null ? null : invocation;
}

// ---------------------------------------------------------------- one after the other

function* systematicMoves(context: MoveContext, source: MoveSource): Generator<Draft> {
  const { pool } = context;
  const { random, filesFirst = false, environmentFirst = false } = source;
  // What comes again later is not handed out twice.
  const preferred = inTurns(pool.preferred.map((word) => wordMoves(word, context)));
  const files = [directoryMoves, operandMoves, fileMoves, stdinMoves].map((moves) => moves(context));
  const first = [...(environmentFirst ? [environmentMoves(context)] : []), ...(filesFirst ? files : [])];
  yield* inTurns([preferred, ...first]);
  const rest = pool.words.slice(pool.preferred.length).filter(isSystematic);
  const options = rest.filter(isOption).map((word) => wordMoves(word, context));
  const others = rest.filter((word) => !isOption(word)).map((word) => wordMoves(word, context));
  yield* inCrowds(options, OPTION_ROUNDS);
  yield* inCrowds(others, WORD_ROUNDS);
  yield* operandMoves(context);
  yield* argumentMoves(context);
  yield* fileMoves(context);
  yield* stdinMoves(context);
  yield* directoryMoves(context);
  yield* environmentMoves(context);
  yield* inCrowds(options, MOST_OPTION_ROUNDS - OPTION_ROUNDS);
  yield* inCrowds(others, MOST_WORD_ROUNDS - WORD_ROUNDS);
  yield* wordPairs(context, random);
}

/** Single characters that are compared with are too many and say too little. */
function isSystematic({ kind, text }: MoveWord): boolean {
  return kind !== "compared" || text.length > 1;
}

function isOption({ kind }: MoveWord): boolean {
  return kind === "short-option" || kind === "long-option";
}

function* inCrowds(turns: readonly Iterator<Draft>[], rounds: number): Generator<Draft> {
  for (let n = 0; n < turns.length; n += TOGETHER) yield* inTurns(turns.slice(n, n + TOGETHER), rounds);
}

/** One of each, then the next one of each, for so many rounds. What is left can be gone on with. */
function* inTurns(turns: readonly Iterator<Draft>[], rounds = Number.POSITIVE_INFINITY): Generator<Draft> {
  let left = turns;
  for (let round = 0; round < rounds && left.length > 0; round++) {
    const still: Iterator<Draft>[] = [];
    for (const turn of left) {
      const { value, done } = turn.next();
      if (done === true) continue;
      still.push(turn);
      yield value;
    }
    left = still;
  }
}

/** Two words at once: those that are preferred with every other one, then options with options in a random order. */
function* wordPairs(context: MoveContext, random: Random): Generator<Draft> {
  const { pool } = context;
  const words = pool.words.filter((word, n) => n < pool.preferred.length || isSystematic(word));
  const options = words.filter(isOption);
  let count = 0;
  for (const first of pool.preferred) {
    for (const second of [...options, ...words.filter((word) => !isOption(word))]) {
      if (first === second) continue;
      if (++count > MOST_PREFERRED_PAIRS) break;
      yield pair(first, second, context);
    }
  }
  const pairs = options.flatMap((first, n) => options.slice(n + 1).map((second) => [first, second] as const));
  for (const [first, second] of shuffled(pairs, random).slice(0, MOST_PAIRS)) yield pair(first, second, context);
}

function pair(first: MoveWord, second: MoveWord, context: MoveContext): Draft {
  const one = wordMove(first, context);
  const steps = [one?.step ?? ""];
  const invocation = one?.make() ?? null;
  const two = invocation === null ? null : wordMove(second, contextOf(invocation, context.pool));
  steps.push(two?.step ?? "");
  return { kind: "several", step: steps.join(", then "), make: () => two?.make() ?? null };
}

function shuffled<T>(values: readonly T[], random: Random): T[] {
  const mixed = [...values];
  for (let n = mixed.length - 1; n > 0; n--) {
    const at = below(random, n + 1);
    [mixed[n], mixed[at]] = [mixed[at], mixed[n]];
  }
  return mixed;
}

// ---------------------------------------------------------------- several at once

type Family = (context: MoveContext, random: Random) => Draft | null;

const anyOf =
  (moves: (context: MoveContext) => Iterable<Draft>): Family =>
  (context, random) =>
    pick([...moves(context)], random);
const anyWord =
  (words: (pool: Pool) => readonly MoveWord[]): Family =>
  (context, random) => {
    const word = pick(words(context.pool), random);
    return word === null ? null : pick([...wordMoves(word, context)], random);
  };

/** Each as often as it stands here. */
const PREFERRED: Family = anyWord(({ preferred }) => preferred);
const OPTIONS: Family = anyWord(({ words }) => words.filter(isOption));
const FAMILIES: readonly Family[] = [
  PREFERRED,
  PREFERRED,
  PREFERRED,
  OPTIONS,
  OPTIONS,
  OPTIONS,
  anyWord(({ words }) => words),
  anyOf(operandMoves),
  anyOf(argumentMoves),
  anyOf(argumentMoves),
  anyOf(fileMoves),
  anyOf(fileMoves),
  anyOf(fileMoves),
  anyOf(stdinMoves),
  anyOf(directoryMoves),
  anyOf(directoryMoves),
  anyOf(environmentMoves),
];

function severalMoves(from: Invocation, pool: Pool, random: Random): Draft | null {
  const wanted = 2 + below(random, MOST_STEPS - 1);
  const steps: string[] = [];
  let at = from;
  let key = invocationKey(from);
  for (let tries = 0; tries < 4 * wanted && steps.length < wanted; tries++) {
    const draft = pick(FAMILIES, random)?.(contextOf(at, pool), random) ?? null;
    const next = draft === null ? null : made(draft, at);
    if (draft === null || next === null) continue;
    const nextKey = invocationKey(next);
    if (nextKey === key) continue;
    at = next;
    key = nextKey;
    steps.push(draft.step);
  }
  const invocation = at;
  return steps.length < 2 ? null : { kind: "several", step: steps.join(", then "), make: () => invocation };
}

function pick<T>(values: readonly T[], random: Random): T | null {
  return values.length === 0 ? null : values[below(random, values.length)];
}

function below(random: Random, limit: number): number {
  return random.next() % limit;
}
