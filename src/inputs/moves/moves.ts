// placeholder until the moves helper's branch is merged
import type { Random } from "../../support/random.js";
import type { Invocation } from "../invocation.js";
export interface MoveWord {
  readonly text: string;
  readonly kind: "long-option" | "short-option" | "compared" | "table" | "variable";
  readonly argument: "none" | "required" | "optional" | "unknown";
}
export interface Move {
  readonly kind: string;
  readonly step: string;
  readonly invocation: Invocation;
}
export interface MoveSource {
  readonly words: readonly MoveWord[];
  readonly others: readonly Invocation[];
  readonly preferred: readonly MoveWord[];
  readonly random: Random;
}
export function* movesOf(_from: Invocation, _source: MoveSource): Generator<Move> {}
