// Programs given as explicit trees of decisions over single bytes, and what such a program does, worked out without expressions,
// paths or a solver: each byte's possible values are a set, a decision divides it. That is the reference for everything
// in this folder. Two inputs that end at the same place have decided the same, so a place (an "outcome") stands for all
// of its inputs.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import type { Model } from "../solver/solver.js";
import type { Random } from "../support/random.js";
import type { PathObserver, SiteId } from "./observer.js";

/** Every node but a leaf has a site of its own. */
export type Decision =
  | { readonly kind: "leaf"; readonly name: string }
  | ({ readonly kind: "branch"; readonly site: number; readonly byte: number; readonly below: number } & Sides)
  /** Which of the ranges between the cuts the byte is in. */
  | ({
      readonly kind: "choose";
      readonly site: number;
      readonly byte: number;
      readonly cuts: readonly number[];
    } & Sides)
  /** Fails unless the byte is below. */
  | ({ readonly kind: "check"; readonly site: number; readonly byte: number; readonly below: number } & Sides)
  /** The two upper bits of the byte. */
  | ({ readonly kind: "pin"; readonly site: number; readonly byte: number } & Sides)
  | ({ readonly kind: "assume"; readonly site: number; readonly byte: number; readonly below: number } & Sides);

export type InnerNode = Exclude<Decision, { kind: "leaf" }>;

interface Sides {
  /** Of a branch: where the byte is below, and where not; of a check or an assumption only the first. */
  readonly sides: readonly Decision[];
}

/** Kinds keep to bytes of their own, so that a condition of one is never one of another. */
const BRANCH_BYTES = 3;
const CHOOSE_BYTE = 3;
const CHECK_BYTE = 4;
const PIN_BYTE = 5;
const ASSUME_BYTE = 6;
export const INPUT_BYTES = 7;

/** A tree of about so many decisions on its longest way. Thresholds are few, so that conditions come up again. */
export function randomDecisions(random: Random, depth: number): Decision {
  let sites = 0;
  let leaves = 0;
  const threshold = (): number => 40 * (1 + (random.next() % 5));
  const grow = (left: number): Decision => {
    if (left <= 0 || random.next() % 10 === 0) return { kind: "leaf", name: `leaf ${leaves++}` };
    const site = sites++;
    const grown = (count: number): Decision[] => Array.from({ length: count }, () => grow(left - 1));
    const pick = random.next() % 12;
    if (pick < 6) {
      return { kind: "branch", site, byte: random.next() % BRANCH_BYTES, below: threshold(), sides: grown(2) };
    }
    if (pick < 8) {
      const cuts = [threshold(), 220].slice(random.next() % 2);
      return { kind: "choose", site, byte: CHOOSE_BYTE, cuts, sides: grown(cuts.length + 1) };
    }
    if (pick < 10) return { kind: "check", site, byte: CHECK_BYTE, below: threshold(), sides: grown(1) };
    if (pick === 10) return { kind: "pin", site, byte: PIN_BYTE, sides: grown(4) };
    return { kind: "assume", site, byte: ASSUME_BYTE, below: threshold(), sides: grown(1) };
  };
  return grow(depth);
}

/** Which side a value takes. */
function sideOf(node: InnerNode, value: number): number {
  if (node.kind === "pin") return value >> 6;
  if (node.kind !== "choose") return value < node.below ? 0 : 1;
  const range = node.cuts.findIndex((cut) => value < cut);
  return range < 0 ? node.cuts.length : range;
}

/** Where a side without a subtree ends. */
function endOf(node: InnerNode): string {
  return node.kind === "check" ? `fails at ${node.site}` : `violates ${node.site}`;
}

/** Every outcome that some input has, with such an input. */
export function outcomesOf(root: Decision): Map<string, Model> {
  const found = new Map<string, Model>();
  const all = Array.from({ length: 256 }, (_, value) => value);
  const visit = (node: Decision | string, values: readonly (readonly number[])[]): void => {
    if (values.some((some) => some.length === 0)) return;
    if (typeof node === "string" || node.kind === "leaf") {
      found.set(
        typeof node === "string" ? node : node.name,
        Uint8Array.from(values, (some) => some[some.length >> 1]),
      );
      return;
    }
    const count = Math.max(node.sides.length, 2);
    for (let side = 0; side < count; side++) {
      const kept = values[node.byte].filter((value) => sideOf(node, value) === side);
      visit(node.sides[side] ?? endOf(node), values.with(node.byte, kept));
    }
  };
  visit(root, new Array<readonly number[]>(INPUT_BYTES).fill(all));
  return found;
}

/** The decisions of an input, and where it ends. */
export function walk(root: Decision, input: Model): { nodes: InnerNode[]; outcome: string } {
  const nodes: InnerNode[] = [];
  for (let node = root; ; ) {
    if (node.kind === "leaf") return { nodes, outcome: node.name };
    nodes.push(node);
    const next: Decision | undefined = node.sides[sideOf(node, input[node.byte] ?? 0)];
    if (next === undefined) return { nodes, outcome: endOf(node) };
    node = next;
  }
}

/** How a scripted run may depart from the program. */
export interface Departure {
  /** Number of the decision at which it does. */
  readonly at: number;
  readonly how: "ends" | "another site" | "another form";
}

/**
 * Runs the program on an input, as an executor would: everything it decides is told, and the observer may throw. Each node that
 * was passed is added to `passed`.
 */
export function tellRun(
  root: Decision,
  input: Model,
  arena: ExprArena,
  observer: PathObserver,
  passed: InnerNode[],
  departure: Departure | null = null,
): void {
  const below = (byte: number, limit: number): ExprRef =>
    arena.binary("ult", arena.variable(byte), arena.constant(8, limit, 0));
  walk(root, input).nodes.forEach((node, at) => {
    if (departure !== null && at >= departure.at && departure.how === "ends") return;
    const departs = departure?.at === at;
    const site = (departs && departure.how === "another site" ? node.site + 1000 : node.site) as SiteId;
    const value = input[node.byte] ?? 0;
    const side = sideOf(node, value);
    switch (node.kind) {
      case "branch": {
        let condition = below(node.byte, node.below);
        // The same in other words.
        if (departs && departure.how === "another form") {
          condition = arena.binary("or", condition, arena.binary("and", below(node.byte, 7), below(node.byte, 201)));
        }
        observer.branch(site, condition, side === 0);
        break;
      }
      case "choose": {
        const conditions = node.sides.map((_, k) => {
          const upper = k < node.cuts.length ? below(node.byte, node.cuts[k]) : arena.TRUE;
          return k === 0 ? upper : arena.binary("and", arena.not(below(node.byte, node.cuts[k - 1])), upper);
        });
        observer.choose(site, conditions[side], conditions.toSpliced(side, 1));
        break;
      }
      case "check": {
        const bad = arena.not(below(node.byte, node.below));
        if (side === 0) observer.check(site, "out-of-bounds-read", bad);
        else observer.failing?.(site, "out-of-bounds-read", bad);
        break;
      }
      case "pin": {
        const bits = arena.extract(arena.variable(node.byte), 6, 2);
        observer.pin(site, "store-address", arena.binary("eq", bits, arena.constant(2, side, 0)));
        break;
      }
      case "assume":
        observer.assume(site, below(node.byte, node.below), side === 0);
    }
    passed.push(node);
  });
}
