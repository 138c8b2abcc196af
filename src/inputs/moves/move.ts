// A move makes one invocation out of another, and says in plain words what it did. Moves change what no path condition can: how many
// arguments there are, which files exist, of what kind they are. What is made is an input like any other; whether it leads anywhere
// is found by running it.

import type { ProgramWord } from "../../program/graph/program-graph.js";
import type { Random } from "../../support/random.js";
import type { Invocation } from "../invocation.js";

export type MoveKind =
  | "option"
  | "argument"
  | "operand"
  | "environment"
  | "stdin"
  | "file"
  | "directory"
  /** More than one of them. */
  | "several";

export interface Move {
  readonly kind: MoveKind;
  /** "`-i` inserted before `a.txt`"; of several moves, joined by ", then ". */
  readonly step: string;
  readonly invocation: Invocation;
}

/** A word that means something to the program: what moves need of a `ProgramWord`. */
export interface MoveWord extends Pick<ProgramWord, "text" | "kind" | "argument"> {
  /** What to give it, if that is known: words that the value of this one is compared with. */
  readonly values?: readonly string[];
}

export interface MoveSource {
  /** Words that the program knows. */
  readonly words: readonly MoveWord[];
  /** Other tests of the same program: arguments, files and standard input are taken from them. */
  readonly others: readonly Invocation[];
  /** Words that lead to what is wanted; tried first. */
  readonly preferred: readonly MoveWord[];
  /** What is wanted depends on which files and directories there are: these moves go before options. */
  readonly filesFirst?: boolean;
  /** The same of the environment. */
  readonly environmentFirst?: boolean;
  readonly random: Random;
}

/** A move that is not made yet. Null: it changes nothing here, or cannot be done. */
export interface Draft {
  readonly kind: MoveKind;
  readonly step: string;
  readonly make: () => Invocation | null;
}

export const MOVE_LIMITS = {
  arguments: 64,
  /** Of one argument or variable. */
  argumentBytes: 4096,
  /** Of a file or of standard input. */
  fileBytes: 0x10_0000,
  /** Entries that moves add to the tree. */
  addedEntries: 256,
} as const;
