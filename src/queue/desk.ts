// The coordinator's own thread, for what workers cannot do: programs are translated here, where the compiler and the sources are, and what a worker
// has found is run again here before it is believed. One task after the other.

import type { HandEnd, HandLimits } from "../campaign/crew.js";
import type { Found, ItemEvent, WorkItem } from "../campaign/technique.js";
import {
  isLast,
  type ProgramPlace,
  type WorkMessage,
  type WorkSetup,
  type WorkTask,
} from "../campaign/work-messages.js";
import { GuardedThread, newCell, type ThreadLimits } from "../support/guarded-thread.js";
import type { AgainWork, AmplifySetup, TestWork } from "../techniques/amplify-item.js";
import { keepWitness } from "../techniques/keep-witness.js";

type LoadTask = Extract<WorkTask, { readonly kind: "load" }>;

const AGAIN_MS = 20_000;
const LOAD_MS = 600_000;
/** Of inputs that are kept of failures that could not be run again: each, and all of a campaign. */
const MOST_INPUT_BYTES = 0x100_0000;
const MOST_KEPT_BYTES = 0x1000_0000;
const GRACE_MS = 1000;

export class Desk {
  private thread: GuardedThread<WorkTask, WorkMessage> | null = null;
  private before: Promise<unknown> = Promise.resolve();
  private readonly lost = new AbortController();
  private keptBytes = 0;

  constructor(
    private readonly script: URL,
    private readonly setup: WorkSetup,
  ) {}

  load(task: LoadTask, limits: HandLimits, listen: (message: WorkMessage) => boolean): Promise<HandEnd> {
    return this.inTurn(() => this.ask(task, limits, listen));
  }

  /**
   * What the finding's input does here: a finding if it fails, which may be another one, or what is told instead. It has the campaign's time,
   * to `endMs` by this process's clock, and no more: what that is too short for is kept, as what was found here would be.
   */
  again(
    { program: place, needs = [] }: { readonly program: ProgramPlace; readonly needs?: readonly string[] },
    item: WorkItem,
    found: Found,
    endMs: number,
  ): Promise<readonly ItemEvent[]> {
    const work: AgainWork = { test: item.work as TestWork, found };
    return this.inTurn(async () => {
      // It waited for its turn, too.
      const leftMs = (): number => endMs - performance.now();
      if (leftMs() <= 0) return [this.seen(work)];
      const limits = { timeMs: Math.min(LOAD_MS, leftMs()), graceMs: GRACE_MS };
      const task = { kind: "load", program: place, needs, describes: false, cell: newCell() } as const;
      await this.ask(task, limits, isLast);
      const events: ItemEvent[] = [];
      const timeMs = Math.max(1, Math.min(AGAIN_MS, leftMs()));
      const end = await this.ask(
        { kind: "item", item: { ...item, work }, timeMs, cell: newCell() },
        { ...limits, timeMs },
        (message) => {
          if (message.kind === "event") events.push(message.event);
          return isLast(message);
        },
      );
      if (end.kind !== "done") return [this.seen(work)];
      const isTold = events.some(({ kind }) => kind !== "covered");
      return isTold ? events : [{ kind: "unconfirmed", what: found.finding.kind }];
    });
  }

  private seen({ test, found: { finding, witness } }: AgainWork): ItemEvent {
    const { root } = this.setup.setup as AmplifySetup;
    const bytes = witness.reduce((sum, value) => sum + value.bytes.length, 0);
    const isKept = bytes <= MOST_INPUT_BYTES && this.keptBytes + bytes <= MOST_KEPT_BYTES;
    const id = isKept ? keepWitness(root, test.seed, witness) : null;
    if (id === null) return { kind: "unconfirmed", what: finding.kind };
    this.keptBytes += bytes;
    return { kind: "seen", what: finding.kind, id };
  }

  close(): void {
    this.lost.abort();
    this.thread?.discard();
  }

  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    const mine = this.before.then(task);
    this.before = mine.catch(() => {});
    return mine;
  }

  private ask(task: WorkTask, limits: ThreadLimits, listen: (message: WorkMessage) => boolean): Promise<HandEnd> {
    if (this.lost.signal.aborted) return Promise.resolve({ kind: "unbegun" });
    if (this.thread?.isAlive !== true) this.thread = new GuardedThread(this.script);
    // All is told: an input that fails once more is to be heard of once more.
    const setup = { ...this.setup, setup: { ...(this.setup.setup as AmplifySetup), tellsAll: true } };
    return this.thread.run({ ...task, setup }, limits, listen);
  }
}
