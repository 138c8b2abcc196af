// What a technique is to a campaign. A technique plans in the main thread, in rounds of work items; each item is run in a
// worker thread, which has no other knowledge than the item itself; and what came of it is absorbed in the main thread
// again, where it may change what is planned next. Items, events and reports are plain data that can be copied between threads,
// and could be sent to other machines.

import type { Finding } from "../findings/finding.js";
import type { FindingIdentity } from "../findings/identity.js";
import type { InputValue } from "../inputs/input-value.js";
import type { ProgramImage, SourceFile } from "../jit/image.js";
import type { Seed } from "../project/seed.js";

/** A piece of work. `Work` is plain data: all that the technique's runner needs to know. */
export interface WorkItem<Work = unknown> {
  /** The same in every campaign that has the same to do: the journal remembers items by it. */
  readonly key: string;
  /** Which program it needs, by content. */
  readonly program: string;
  /** For people, while it is being done. */
  readonly label: string;
  /** What is to be made of the program besides its image, by names that its technique knows (jobs/campaign-worker.ts). */
  readonly needs?: readonly string[];
  readonly work: Work;
}

/** Whatever changes what an item comes to; a journal with other settings is not continued. */
export type TechniqueSettings = Readonly<Record<string, string | number | boolean>>;

/** The planning half. All of it runs in the scheduler's thread. */
export interface Technique<Work, Result> {
  readonly name: string;
  readonly settings: TechniqueSettings;
  /** The items that can be done now, most promising first, in any number of threads; null: there is nothing more to do. */
  nextRound(): readonly WorkItem<Work>[] | null;
  /**
   * What else can be done although the round is not over: a hand has nothing left to do while others are at long items. What these come to is
   * absorbed after all that began before. Nothing, if it depends on what comes of those.
   */
  moreItems?(): readonly WorkItem<Work>[];
  /**
   * Of the time that is left, what the round that was planned last may take; all of it, if nothing is said. Items that have not begun by
   * then are left out, and the technique may plan them again.
   */
  shareOfRound?(): number;
  /**
   * What is to be done at the end, also if the time is up: short items. As long as there are any (`lastCount`), a part of the time
   * is kept for them.
   */
  lastRound?(): readonly WorkItem<Work>[];
  lastCount?(): number;
  /** An item was done, to its end or not. Called in the order of the round, whichever thread was faster. */
  absorb(item: WorkItem<Work>, report: ItemReport<Result>): void;
  /** Nothing came of an item whose turn it was: it was not to be done, or the thread that was at it died. Called in that order, too. */
  passed?(item: WorkItem<Work>): void;
  /**
   * Asked when it is an item's turn, whether what has been absorbed since it was planned has left a reason for it. What is not wanted is
   * left out, and may be planned again.
   */
  isStillWanted?(item: WorkItem<Work>): boolean;
  /** Of two equal findings the one of the lower rank stands, whichever came first; 0 unless the technique says otherwise. */
  rankOf?(item: WorkItem<Work>): number;
  /** Called once, at the beginning: which items an earlier campaign has done, so that they can be planned before what is new. */
  resumes?(isKnown: (key: string) => boolean): void;
  /** What the journal keeps of an item that was done to its end: JSON, small; undefined if nothing. */
  memoryOf(report: ItemReport<Result>, item: WorkItem<Work>): unknown;
  /** Also items that their time cut are kept, with what `memoryOf` says of them; they are done again only with much more of it. */
  readonly keepsCutItems?: boolean;
  /**
   * The item was done by an earlier campaign, and this is what the journal kept; anybody may have written it. False if it
   * makes no sense: then the item is done again. `isCut`: its time was over.
   */
  recall(item: WorkItem<Work>, memory: unknown, isCut?: boolean): boolean;
}

/** What came of an item. */
export interface ItemReport<Result> {
  /** It was done to its end, and need not be done again. */
  readonly isComplete: boolean;
  readonly result: Result;
}

/** A finding with all that proves it; confirmed where it was found. */
export interface Found {
  readonly finding: Finding;
  /** The same for whatever item it was found by. */
  readonly identity: FindingIdentity;
  /** The input of the failing run, and that of the test it was made from. */
  readonly witness: readonly InputValue[];
  readonly seedValues: readonly InputValue[];
  /** Of the files of its stacks: what the compiler has read. */
  readonly compiled?: readonly SourceFile[];
  /** argv of the failing run. */
  readonly witnessCommand: readonly string[];
  /** Symbolic decisions before it. */
  readonly depth: number;
}

/** What a runner tells while it works. */
export type ItemEvent =
  | { readonly kind: "finding"; readonly found: Found }
  /** One byte a block of the program: not 0 if it was executed. `byTests`: by a test as it is. */
  | { readonly kind: "covered"; readonly coverage: Uint8Array; readonly byTests: boolean }
  /** A failure did not happen again with nothing symbolic. */
  | { readonly kind: "unconfirmed"; readonly what: string }
  /** A failure that there was no time to run again; its input is kept under this id. */
  | { readonly kind: "seen"; readonly what: string; readonly id: string }
  /** A failure is being run again: if the item is ended before `judged`, this is what is left of it. */
  | {
      readonly kind: "confirming";
      readonly what: string;
      readonly seed: Seed;
      readonly witness: readonly InputValue[];
    }
  | { readonly kind: "judged" }
  /** A failure that is the machine's own doing, and why that is thought; `id` of what would have been the finding. */
  | { readonly kind: "machine-made"; readonly id: string; readonly why: string }
  | { readonly kind: "note"; readonly text: string }
  /** What only the technique's own results understand: plain data. It counts though the item is cut short. */
  | { readonly kind: "own"; readonly value: unknown };

/** What a runner gets besides the item. */
export interface ItemContext {
  readonly image: ProgramImage;
  readonly module: WebAssembly.Module;
  /** By name: what was made of the program besides, at least what the item needs. */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly timeMs: number;
  readonly abort: { readonly aborted: boolean };
  tell(event: ItemEvent): void;
}

export type ItemOutcome<Result> =
  | { readonly kind: "report"; readonly report: ItemReport<Result> }
  /** It cannot be done at all. */
  | { readonly kind: "skipped"; readonly why: string };

/** The running half, in a worker thread. `setup` is the same for all items of a campaign. */
export interface ItemRunner<Work, Result, Setup> {
  run(work: Work, setup: Setup, context: ItemContext): ItemOutcome<Result>;
}
