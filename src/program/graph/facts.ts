// What a decision says about values: facts of the form "this value is less than 5", and when several of them cannot hold together. A
// fact speaks only of values that stay what they are until the instruction that makes them is executed again: parameters, what one
// instruction has read or called, variables in registers.

import { type BlockNumber, type Decides, type ProgramGraph, READS_PER_BLOCK, type Term } from "./program-graph.js";
import { combine, evaluate, NOTHING_KNOWN, widthOf } from "./term-values.js";

/** `predicate` is one of icmp's; the value is on its left. */
export interface Fact {
  readonly term: Term;
  readonly predicate: string;
  readonly value: bigint;
  readonly width: number;
  /** Equal for equal facts. */
  readonly key: string;
}

/** By key. */
export type Facts = ReadonlyMap<string, Fact>;

export const NO_FACTS: Facts = new Map();

/** More are dropped: less is known then, never something wrong. */
const MOST_FACTS = 16;
/** Values that the default of a switch is not. */
const MOST_CASES = 8;
const DEEPEST = 16;

const OPPOSITE: Readonly<Record<string, string>> = {
  eq: "ne", ne: "eq", ult: "uge", uge: "ult", ugt: "ule", ule: "ugt", slt: "sge", sge: "slt", sgt: "sle", sle: "sgt",
}; // biome-ignore format: a table
const SWAPPED: Readonly<Record<string, string>> = {
  eq: "eq", ne: "ne", ult: "ugt", uge: "ule", ugt: "ult", ule: "uge", slt: "sgt", sge: "sle", sgt: "slt", sle: "sge",
}; // biome-ignore format: a table

/** What holds when a block goes to the successor; the sides of its decision that lead there are told apart as far as possible. */
export function factsOfEdge(decision: Decides | null, successors: readonly BlockNumber[], to: BlockNumber): Fact[] {
  const found: Fact[] = [];
  if (decision === null) return found;
  if (decision.kind === "branch") {
    if (successors[0] !== successors[1]) addTruth(decision.condition, successors[0] === to, found, 0);
    return found;
  }
  const width = widthOf(decision.value);
  if (width === null) return found;
  const leading = decision.cases.flatMap((values, n) => (n > 0 && successors[n] === to ? values : []));
  if (successors[0] !== to) {
    if (leading.length === 1) addFact(decision.value, "eq", BigInt(leading[0]), width, found);
  } else {
    const others = decision.cases.flatMap((values, n) => (n > 0 && successors[n] !== to ? values : []));
    for (const value of others.slice(0, MOST_CASES)) addFact(decision.value, "ne", BigInt(value), width, found);
  }
  return found;
}

/** That a truth value is true, or that it is false. */
function addTruth(term: Term, truth: boolean, found: Fact[], depth: number): void {
  if (term.kind !== "operation" || depth > DEEPEST) return addFact(term, "eq", truth ? 1n : 0n, 1, found);
  const [a, b] = term.operands;
  if ((term.operation === "and" && truth) || (term.operation === "or" && !truth)) {
    if (term.width !== 1) return;
    addTruth(a, truth, found, depth + 1);
    return addTruth(b, truth, found, depth + 1);
  }
  if (term.operation === "xor" && term.width === 1) {
    const flipped = b.kind === "number" ? a : a.kind === "number" ? b : null;
    const number = b.kind === "number" ? b.value : a.kind === "number" ? a.value : "0";
    if (flipped !== null) return addTruth(flipped, truth !== (number !== "0"), found, depth + 1);
  }
  if (OPPOSITE[term.operation] === undefined) return addFact(term, "eq", truth ? 1n : 0n, 1, found);
  addComparison(truth ? term.operation : OPPOSITE[term.operation], a, b, found, depth);
}

function addComparison(predicate: string, a: Term, b: Term, found: Fact[], depth: number): void {
  if (a.kind === "number" && b.kind !== "number") return addComparison(SWAPPED[predicate], b, a, found, depth);
  const number = evaluate(b, NOTHING_KNOWN);
  const width = widthOf(b) ?? widthOf(a);
  if (number === null || width === null) {
    // Two values: a fact about the comparison itself, under the one name that it and its opposite share.
    const isPlain = ["eq", "ult", "ule", "slt", "sle"].includes(predicate);
    const operation = isPlain ? predicate : OPPOSITE[predicate];
    const pair: Term = { kind: "operation", operation, width: 1, operands: [a, b] };
    return addFact(pair, "eq", isPlain ? 1n : 0n, 1, found);
  }
  // A truth value made wide and compared with 0 is that truth value.
  if ((predicate === "eq" || predicate === "ne") && number === 0n && a.kind === "operation" && a.operation === "zext") {
    if (widthOf(a.operands[0]) === 1) return addTruth(a.operands[0], predicate === "ne", found, depth + 1);
  }
  addFact(a, predicate, number, width, found);
}

function addFact(term: Term, predicate: string, value: bigint, width: number, found: Fact[]): void {
  if (!isStable(term)) return;
  found.push(factOf(term, predicate, BigInt.asUintN(width, value), width));
}

function factOf(term: Term, predicate: string, value: bigint, width: number): Fact {
  return { term, predicate, value, width, key: `${termKey(term)} ${predicate} ${value}` };
}

/** Every leaf is a value that can be told from others of its kind. */
function isStable(term: Term): boolean {
  switch (term.kind) {
    case "number":
    case "parameter":
    // What lies in memory has the instruction that read it, and a variable in a register is its own.
    case "place":
      return true;
    case "result":
      return term.read !== undefined;
    case "operation":
      if (term.operation === "load") return term.read !== undefined;
      return term.operands.every(isStable);
    default:
      return false;
  }
}

const KEYS = new WeakMap<Term, string>();

function termKey(term: Term): string {
  const known = KEYS.get(term);
  if (known !== undefined) return known;
  const key = makeKey(term);
  KEYS.set(term, key);
  return key;
}
function makeKey(term: Term): string {
  switch (term.kind) {
    case "number":
      return `${term.value}:${term.width}`;
    case "parameter":
      return `p${term.index}`;
    case "place":
      return term.read === undefined ? `v${term.place}` : `@${term.read}`;
    case "result":
      return `@${term.read}`;
    case "operation":
      if (term.read !== undefined) return `@${term.read}`;
      return `${term.operation}${term.width}(${term.operands.map(termKey).join(",")})`;
    default:
      return "?";
  }
}

/** What a fact becomes before the beginning of a block that is entered from another one: its variables have that way's values. */
export class EdgeSubstitution {
  /** By place, the value that it gets on this way; null: not known. */
  constructor(
    private readonly graph: ProgramGraph,
    private readonly block: BlockNumber,
    private readonly incoming: (place: number) => Term | null,
  ) {}

  /** True: it holds on this way. False: it cannot. Null: nothing is left of it. */
  apply(fact: Fact): Fact | boolean | null {
    const term = this.replace(fact.term);
    if (term === null || !isStable(term)) return null;
    const value = evaluate(term, NOTHING_KNOWN);
    if (value !== null) return holds(fact, value);
    return term === fact.term ? fact : factOf(term, fact.predicate, fact.value, fact.width);
  }

  private replace(term: Term): Term | null {
    if (term.kind === "place" && term.read === undefined) {
      return this.graph.places[term.place].joinedAt === this.block ? this.incoming(term.place) : term;
    }
    if (term.kind !== "operation" || term.read !== undefined) return term;
    let isSame = true;
    const operands: Term[] = [];
    for (const operand of term.operands) {
      const replaced = this.replace(operand);
      if (replaced === null) return null;
      isSame &&= replaced === operand;
      operands.push(replaced);
    }
    return isSame ? term : { ...term, operands };
  }
}

/** Whether it speaks of something that is read or called in the block: before the block it says nothing. */
export function isMadeIn(term: Term, block: BlockNumber): boolean {
  if (term.kind === "place" || term.kind === "result" || term.kind === "operation") {
    if (term.read !== undefined) return Math.floor(term.read / READS_PER_BLOCK) === block;
  }
  return term.kind === "operation" && term.operands.some((operand) => isMadeIn(operand, block));
}

function holds({ predicate, value, width }: Fact, known: bigint): boolean {
  return combine(predicate, BigInt.asUintN(width, known), value, width) === 1n;
}

/** Together; null if they contradict each other. */
export function conjunction(facts: Iterable<Fact>): Facts | null {
  const all = new Map<string, Fact>();
  for (const fact of facts) if (all.size < MOST_FACTS) all.set(fact.key, fact);
  const byTerm = new Map<string, Fact[]>();
  for (const fact of all.values()) {
    const key = termKey(fact.term);
    const list = byTerm.get(key);
    if (list === undefined) byTerm.set(key, [fact]);
    else list.push(fact);
  }
  for (const list of byTerm.values()) if (list.length > 1 && !areConsistent(list)) return null;
  return all;
}

/** Facts about one value: false only if no number has all of them. */
function areConsistent(facts: readonly Fact[]): boolean {
  const { width } = facts[0];
  if (facts.some((fact) => fact.width !== width)) return true;
  const known = facts.find(({ predicate }) => predicate === "eq");
  if (known !== undefined) return facts.every((fact) => holds(fact, known.value));
  const most = 1n << BigInt(width);
  let [low, high] = [0n, most - 1n];
  let [least, largest] = [-(most >> 1n), (most >> 1n) - 1n];
  for (const { predicate, value } of facts) {
    const signed = BigInt.asIntN(width, value);
    if (predicate === "ult" && value - 1n < high) high = value - 1n;
    else if (predicate === "ule" && value < high) high = value;
    else if (predicate === "ugt" && value + 1n > low) low = value + 1n;
    else if (predicate === "uge" && value > low) low = value;
    else if (predicate === "slt" && signed - 1n < largest) largest = signed - 1n;
    else if (predicate === "sle" && signed < largest) largest = signed;
    else if (predicate === "sgt" && signed + 1n > least) least = signed + 1n;
    else if (predicate === "sge" && signed > least) least = signed;
  }
  if (low > high || least > largest) return false;
  // One number is left, and one fact says that it is not that.
  const isNot = (value: bigint): boolean =>
    facts.some((fact) => fact.predicate === "ne" && fact.value === BigInt.asUintN(width, value));
  return !(low === high && isNot(low)) && !(least === largest && isNot(least));
}

/** What holds in both. */
export function common(a: Facts, b: Facts): Facts {
  const both = new Map<string, Fact>();
  for (const [key, fact] of a) if (b.has(key)) both.set(key, fact);
  return both.size === a.size ? a : both;
}
