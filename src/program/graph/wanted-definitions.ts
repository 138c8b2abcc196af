// Definition switching, the static half: which definitions of a condition's variables would send it the other way. Constants that do
// are certain. Copies are followed to what is copied, parameters to arguments, results to what is returned; a definition whose value
// is not known is offered too, after the certain ones. Each place is looked at once, so that the work is bounded by the graph.

import type { BlockNumber, Decides, Definition, ProgramGraph, Term } from "./program-graph.js";
import type { TermText } from "./term-text.js";
import { evaluate, leafKey, leavesOf } from "./term-values.js";

export interface WantedDefinition {
  readonly block: BlockNumber;
  readonly place: number;
  /** Null: not a constant. */
  readonly value: string | null;
  /** With this value the condition goes to the wanted side, whatever else holds. */
  readonly certain: boolean;
  /** For people: `ignore_case = 1`. */
  readonly sentence: string;
}

const DEEPEST = 8;
const MOST_WANTED = 200;
/** Places looked at for one question. */
const MOST_PLACES = 500;

/** Whether a value at a leaf sends the condition to the wanted side; null: that depends on more. */
type Verdict = (value: bigint | null) => boolean | null;

export class DefinitionSwitch {
  private readonly byPlace: readonly (readonly Definition[])[];
  private readonly placeOfLeaf = new Map<string, number>();

  constructor(
    private readonly graph: ProgramGraph,
    private readonly text: TermText,
  ) {
    const byPlace: Definition[][] = graph.places.map(() => []);
    for (const definition of graph.definitions) byPlace[definition.place].push(definition);
    this.byPlace = byPlace;
    graph.places.forEach(({ parameter, resultOf }, number) => {
      if (parameter !== undefined) this.placeOfLeaf.set(`p${parameter.functionNumber},${parameter.index}`, number);
      else if (resultOf !== undefined) this.placeOfLeaf.set(`r${resultOf}`, number);
    });
  }

  /** `side`: index into the block's successors. */
  wanted(block: BlockNumber, side: number): readonly WantedDefinition[] {
    const { decision, successors } = this.graph.blocks[block];
    if (decision === null || side < 0 || side >= successors.length) return [];
    const { term, isWanted } = question(decision, successors, side);
    const certain: WantedDefinition[] = [];
    const others: WantedDefinition[] = [];
    const seen = new Set<number>();
    const told = new Set<string>();
    const work: { readonly place: number; readonly verdict: Verdict; readonly depth: number }[] = [];
    const look = (value: Term, verdict: Verdict, depth: number): void => {
      for (const leaf of leavesOf(value)) {
        const key = leafKey(leaf);
        const place = leaf.kind === "place" ? leaf.place : this.placeOfLeaf.get(key);
        if (place === undefined || seen.has(place) || seen.size >= MOST_PLACES) continue;
        seen.add(place);
        const inner: Verdict = (known) => verdict(evaluate(value, (other) => (leafKey(other) === key ? known : null)));
        work.push({ place, verdict: inner, depth });
      }
    };
    look(term, (value) => (value === null ? null : isWanted(value)), 0);
    for (let at = 0; at < work.length && certain.length + others.length < MOST_WANTED; at++) {
      const { place, verdict, depth } = work[at];
      for (const definition of this.definitionsOf(place)) {
        const value = evaluate(definition.value, () => null);
        const answer = value === null ? ofChoice(definition.value, verdict) : verdict(value);
        if (answer === false) continue;
        if (value === null && depth < DEEPEST) look(definition.value, verdict, depth + 1);
        const key = `${definition.block} ${definition.place} ${value}`;
        if (definition.block < 0 || told.has(key) || this.isPassedOn(definition)) continue;
        told.add(key);
        const one = this.tell(definition, value, answer === true);
        (one.certain ? certain : others).push(one);
      }
    }
    return [...certain, ...others].slice(0, MOST_WANTED);
  }

  /** A variable in a register that keeps, on this way, what another one has: that one's definitions matter. */
  private isPassedOn({ place, value }: Definition): boolean {
    const { kind, parameter, resultOf } = this.graph.places[place];
    return kind === "local" && parameter === undefined && resultOf === undefined && value.kind === "place";
  }

  private definitionsOf(place: number): readonly Definition[] {
    const { parts } = this.graph.places[place];
    return parts.length === 0 ? this.byPlace[place] : parts.flatMap((part) => this.byPlace[part]);
  }

  private tell({ block, place, value }: Definition, known: bigint | null, certain: boolean): WantedDefinition {
    const { name, resultOf, parameter } = this.graph.places[place];
    const text = this.text.value(value, false) ?? "another value";
    const what = name === "" ? "a variable" : name;
    const sentence =
      resultOf !== undefined
        ? `${what} returns ${text}`
        : parameter !== undefined
          ? `${what} is given ${text}`
          : `${what} = ${text}`;
    return { block, place, value: known === null ? null : signedText(known, value), certain, sentence };
  }
}

/** False if a choice between numbers has none that would do. */
function ofChoice(value: Term, verdict: Verdict): boolean | null {
  if (value.kind !== "operation" || value.operation !== "select") return verdict(null);
  const sides = value.operands.slice(1).map((side) => {
    const number = evaluate(side, () => null);
    return number === null ? ofChoice(side, verdict) : verdict(number);
  });
  return sides.every((side) => side === false) ? false : null;
}

function signedText(value: bigint, term: Term): string {
  const width = term.kind === "number" || term.kind === "place" || term.kind === "operation" ? term.width : 64;
  return BigInt.asIntN(width, value).toString();
}

/** What is looked at, and which of its values lead to the side. */
function question(
  decision: Decides,
  successors: readonly BlockNumber[],
  side: number,
): { readonly term: Term; readonly isWanted: (value: bigint) => boolean } {
  const target = successors[side];
  if (decision.kind === "branch") {
    const toThen = successors[0] === target;
    const toElse = successors[1] === target;
    return { term: decision.condition, isWanted: (value) => (value !== 0n ? toThen : toElse) };
  }
  const leads = new Map<bigint, BlockNumber>();
  decision.cases.forEach((values, n) => {
    for (const value of values) leads.set(BigInt(value), successors[n]);
  });
  return { term: decision.value, isWanted: (value) => (leads.get(value) ?? successors[0]) === target };
}
