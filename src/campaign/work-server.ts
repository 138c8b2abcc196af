// The worker's side of a campaign: serves the scheduler's tasks one after the other. Programs are got ready when an item first
// needs them and are kept, the most recent ones, with what was made of them besides; what is thrown is an answer like any other.
// Another campaign may come when one is over: it finds nothing of the one before.

import type { ProgramImage } from "../jit/image.js";
import type { LoadProgress } from "../program/warm.js";
import type { ItemContext, ItemOutcome } from "./technique.js";
import type { ProgramPlace, WantedProgram, WorkMessage, WorkSetup, WorkTask } from "./work-messages.js";

export interface ReadyProgram {
  readonly image: ProgramImage;
  readonly module: WebAssembly.Module;
  /** What its user should know: parts that could not be loaded, say. */
  readonly warnings: readonly string[];
}

/** What a worker can do. */
export interface WorkServer {
  /** The program's image, or in words why there is none. */
  load(
    program: ProgramPlace,
    setup: WorkSetup,
    progress: (state: LoadProgress) => void,
  ): Promise<ReadyProgram | { readonly problem: string }>;
  /** Makes of a program what items need besides, by its name. */
  prepare?(
    need: string,
    program: ProgramPlace,
    ready: ReadyProgram,
    setup: WorkSetup,
  ): Promise<{ readonly made: unknown } | { readonly problem: string }>;
  /** The program is not kept any longer; if it is wanted again, it is loaded again. */
  drop?(program: ReadyProgram): void;
  /** Another campaign begins: what is not of a program either is forgotten. */
  forget?(): void;
  /** What reports want to know of it. */
  describe(program: ReadyProgram): unknown;
  /** `absent`: startable programs, by their names, that cannot be got ready. */
  run(
    work: unknown,
    setup: WorkSetup,
    context: ItemContext,
    absent: readonly string[],
  ): ItemOutcome<unknown> | WantedProgram;
}

/** A program takes tens of megabytes; a suite may have a hundred. */
const MOST_KEPT = 16;
/** Of more programs than can be kept, which take turns, the one that is wanted next is never among those that are. */
const KEPT_OF_MANY = 4;

/** Whoever gives the tasks. */
export interface WorkPort {
  on(name: "message", listener: (task: WorkTask) => void): unknown;
  postMessage(message: WorkMessage): void;
}

/** `isAsked`: whether the task with that cell is to stop. */
export function serveWork(
  port: WorkPort,
  server: WorkServer,
  isAsked: (cell: Int32Array) => boolean = (cell) => Atomics.load(cell, 0) !== 0,
): void {
  const kept = new Map<string, { readonly ready: ReadyProgram; readonly extra: Record<string, unknown> }>();
  const seen = new Set<string>();
  const post = (message: WorkMessage): void => port.postMessage(message);
  let known: WorkSetup | null = null;

  async function load(
    { program, needs, describes }: Extract<WorkTask, { readonly kind: "load" }>,
    setup: WorkSetup,
  ): Promise<WorkMessage> {
    let one = kept.get(program.content);
    if (one === undefined) {
      const loaded = await server.load(program, setup, (progress) => post({ kind: "progress", progress }));
      if ("problem" in loaded) return { kind: "not-loaded", message: loaded.problem };
      one = { ready: loaded, extra: {} };
    }
    const { ready, extra } = one;
    // Last in the map: used last.
    kept.delete(program.content);
    kept.set(program.content, one);
    seen.add(program.content);
    const most = seen.size > MOST_KEPT ? KEPT_OF_MANY : MOST_KEPT;
    for (const [content, old] of kept) {
      if (kept.size <= most) break;
      kept.delete(content);
      server.drop?.(old.ready);
    }
    for (const need of needs) {
      if (need in extra || server.prepare === undefined) continue;
      const prepared = await server.prepare(need, program, ready, setup);
      if ("problem" in prepared) return { kind: "not-loaded", message: prepared.problem };
      extra[need] = prepared.made;
    }
    return { kind: "loaded", description: describes ? server.describe(ready) : null, warnings: ready.warnings };
  }

  function forget(): void {
    for (const { ready } of kept.values()) server.drop?.(ready);
    kept.clear();
    seen.clear();
    server.forget?.();
  }

  async function answer(task: WorkTask): Promise<WorkMessage> {
    if (task.begins === true) forget();
    known = task.setup ?? known;
    const setup = known;
    if (setup === null) throw new Error("the thread was never told what it works for");
    if (task.kind === "load") return load(task, setup);
    const { item, timeMs, cell, absent = [] } = task;
    const program = kept.get(item.program);
    if (program === undefined) throw new Error(`the program of ${item.key} is not loaded`);
    const abort = {
      get aborted(): boolean {
        return isAsked(cell);
      },
    };
    const tell: ItemContext["tell"] = (event) => post({ kind: "event", event });
    return server.run(item.work, setup, { ...program.ready, extra: program.extra, timeMs, abort, tell }, absent);
  }

  port.on("message", (task: WorkTask) => {
    answer(task).then(post, (error: unknown) => {
      post({ kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    });
  });
}
