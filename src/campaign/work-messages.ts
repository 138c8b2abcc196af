// What the scheduler and its worker threads say to each other. A thread serves two kinds of tasks: get a program ready, and do
// one item with it. Everything is plain data.

import type { LoadProgress } from "../program/warm.js";
import type { ThreadTask } from "../support/guarded-thread.js";
import type { ItemEvent, ItemReport, WorkItem } from "./technique.js";

/** Where a worker finds a program. */
export interface ProgramPlace {
  /** How items name it. */
  readonly content: string;
  /** The executable. */
  readonly path: string;
  /** As the user knows it. */
  readonly name: string;
  /** What somebody else has made of it for items that need it, by the name they have for it: where it lies. */
  readonly made?: Readonly<Record<string, string>>;
}

export interface StartableProgram {
  /** By which other programs start it. */
  readonly name: string;
  /** The executable, which may be a copy. */
  readonly path: string;
}

/** What is the same for all tasks of a campaign. */
export interface WorkSetup {
  readonly technique: string;
  /** The technique's own. */
  readonly setup: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Programs of the project that its programs may start. */
  readonly startable: readonly StartableProgram[];
}

/**
 * `setup` comes with a thread's first task only: copying it for each of thousands would cost more than small items do. `begins`: the first
 * of a campaign, whatever the thread has done before.
 */
export type WorkTask = ThreadTask & { readonly setup?: WorkSetup; readonly begins?: boolean } & (
    | {
        readonly kind: "load";
        readonly program: ProgramPlace;
        /** See WorkItem. */
        readonly needs: readonly string[];
        readonly describes: boolean;
      }
    | {
        readonly kind: "item";
        readonly item: WorkItem;
        readonly timeMs: number;
        /** Startable programs, by their names, that were tried and cannot be got ready. */
        readonly absent?: readonly string[];
      }
  );

/** The item starts another program of the project, which must be got ready first; then the item is to be done again. */
export interface WantedProgram {
  readonly kind: "wanted";
  /** Its name in `startable`. */
  readonly path: string;
}

export type WorkMessage =
  | WantedProgram
  | { readonly kind: "progress"; readonly progress: LoadProgress }
  /** `description`: what reports want to know of the program, if it was asked for. */
  | { readonly kind: "loaded"; readonly description: unknown; readonly warnings: readonly string[] }
  | { readonly kind: "not-loaded"; readonly message: string }
  | { readonly kind: "event"; readonly event: ItemEvent }
  | { readonly kind: "report"; readonly report: ItemReport<unknown> }
  | { readonly kind: "skipped"; readonly why: string }
  /** The task threw; the thread goes on with the next one. */
  | { readonly kind: "failed"; readonly message: string };

/** Whether a message is the last one of its task. */
export function isLast({ kind }: WorkMessage): boolean {
  return kind !== "progress" && kind !== "event";
}
