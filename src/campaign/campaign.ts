// A campaign: gives a technique's work items to threads, round after round, until there is nothing more to do or the time is
// up. It knows no technique: it knows items, time, threads that may hang or die, and the journal.
//
// The scheduler only waits, so the time holds whatever the programs under test do: an item that does not end in its slice
// is asked to, then its thread is terminated and another goes on with the next item. What was told until then is kept. Programs are
// translated by the thread that first needs them, so that a suite with a hundred of them starts at once.
//
// Threads finish in any order; what a technique absorbs, and which of two equal findings stands, is in the order of the items.

import { newCell } from "../support/guarded-thread.js";
import { version } from "../support/version.js";
import { type Crew, type HandEnd, threadCrew, type WorkHand } from "./crew.js";
import type { CampaignEvent, CampaignReason } from "./events.js";
import { FoundOnce } from "./found-once.js";
import { Journal } from "./journal.js";
import { ProgramShelf } from "./program-shelf.js";
import { Round, type Run } from "./round.js";
import type { ItemReport, Technique, WorkItem } from "./technique.js";
import { isLast, type ProgramPlace, type WorkMessage, type WorkSetup, type WorkTask } from "./work-messages.js";

export interface CampaignOptions {
  readonly budgetMs: number;
  /** For one item, at the most. */
  readonly itemMs: number;
  /** Threads. */
  readonly workers: number;
  /** What earlier campaigns have done is done again. */
  readonly again: boolean;
  /** When its time began (performance.now()), if that was before it was: what is loaded for it counts. */
  readonly beganMs: number | null;
  /** The tool's version, as the journal says it. */
  readonly tool: string;
}

const DEFAULT_CAMPAIGN: CampaignOptions = {
  budgetMs: 5 * 60_000,
  itemMs: 30_000,
  workers: 1,
  again: false,
  beganMs: null,
  tool: version(),
};

/** What a campaign is made of. */
export interface CampaignParts<Work, Result> {
  readonly technique: Technique<Work, Result>;
  readonly programs: readonly ProgramPlace[];
  /** The worker's script: one that calls serveWork. */
  readonly script: URL;
  readonly setup: WorkSetup;
  readonly journalPath: string;
  /** Who does the work; threads of this process if nobody is named. */
  readonly crew?: Crew;
  readonly listen: (event: CampaignEvent<Work, Result>) => void;
}

export interface CampaignEnd {
  readonly reason: CampaignReason;
  /** Why, if it failed. */
  readonly message: string;
  readonly durationMs: number;
  /** Items that an earlier campaign had done. */
  readonly known: number;
}

/** An item gets so many times its share of the time that is left, because most need far less; and at least so much. */
const SHARES = 4;
const LEAST_SLICE_MS = 1000;
/** An item that its time cut is done again only with so many times of it: with the same it would come as far as before. */
const WORTH_AGAIN = 2;
/**
 * An item keeps its time by itself. A finding of the last moment may still have to be confirmed, so it is asked to stop only
 * this much later, or sooner if the campaign's own time ends; and so long after that it is terminated.
 */
const PATIENCE_MS = 2000;
const LEAST_PATIENCE_MS = 250;
const GRACE_MS = 1000;
/** Time that is left in the end and deserves a word. */
const NOTICEABLE_MS = 1000;
/** Of the campaign's whole time. */
const ENDING_MS = 500;
/** Of the time, what is kept for a technique's last round, and at the most. */
const LAST_SHARE = 0.1;
const MOST_LAST_MS = 30_000;
/** How often it is looked whether there is room for more hands. */
const ROOM_MS = 100;
/** If not one item ended well and so many threads died, no thread will live. */
const HOPELESS_DEATHS = 5;
/** Of a program that was loaded before, by threads that died of it. */
const LOAD_TRIES = 3;

interface Slot {
  thread: WorkHand | null;
  /** The thread has not been told yet what it works for. */
  isNew: boolean;
  cell: Int32Array;
  /** What the thread has got ready last, which it need not be asked for again. */
  ready: string;
}

export class Campaign<Work, Result> {
  readonly options: CampaignOptions;
  readonly found = new FoundOnce();
  readonly journal: Journal;
  private readonly crew: Crew;
  private readonly slots: Slot[];
  private readonly shelf = new ProgramShelf();
  /** By program: how many hands are at items of it. */
  private readonly handsAt = new Map<string, number>();
  private readonly programs: ReadonlyMap<string, ProgramPlace>;
  private startedMs = 0;
  private rounds = 0;
  private known = 0;
  private endedWell = 0;
  private deaths = 0;
  private failure = "";
  private isStopping = false;
  /** The rounds are over, and what is kept of the time may be used. */
  private isLast = false;
  /** When the time of the present round is up, though the campaign's is not. */
  private roundEndMs = Number.POSITIVE_INFINITY;
  /** All that it may take. */
  private roundMs = Number.POSITIVE_INFINITY;
  /** Items of earlier campaigns that count as done. */
  private readonly recalled = new Set<string>();
  private readonly unkept = new Set<string>();
  /** By item: how much time was not enough, in this campaign or an earlier one. */
  private readonly cutAfterMs = new Map<string, number>();
  private graceTimer: NodeJS.Timeout | undefined;
  /** Resolved when threads that were asked to stop are no longer waited for. */
  private readonly giveUp: Promise<HandEnd>;
  private readonly stopWaiting: () => void;

  constructor(
    private readonly parts: CampaignParts<Work, Result>,
    options: Partial<CampaignOptions> = {},
  ) {
    this.options = { ...DEFAULT_CAMPAIGN, ...options };
    const { technique, programs, journalPath } = parts;
    const { tool, again, workers } = this.options;
    this.crew = parts.crew ?? threadCrew(workers);
    this.programs = new Map(programs.map((program) => [program.content, program]));
    this.journal = new Journal(journalPath, { tool, technique: technique.name, settings: technique.settings }, again);
    this.slots = Array.from({ length: this.crew.most }, () => ({
      thread: null,
      isNew: false,
      cell: new Int32Array(1),
      ready: "",
    }));
    let resolveGiveUp: (end: HandEnd) => void = () => {};
    this.giveUp = new Promise((resolve) => {
      resolveGiveUp = resolve;
    });
    this.stopWaiting = () => resolveGiveUp({ kind: "overdue" });
  }

  async run(): Promise<CampaignEnd> {
    this.startedMs = this.options.beganMs ?? performance.now();
    let reason: CampaignReason = "complete";
    for (const text of this.journal.notes) this.tell({ kind: "note", text });
    this.parts.technique.resumes?.((key) => this.journal.done.has(key));
    for (const [key, { cutAfterMs }] of this.journal.done) {
      if (cutAfterMs !== undefined) this.cutAfterMs.set(key, cutAfterMs);
    }
    try {
      const left = await this.holdRounds(null);
      reason = this.reasonToEnd() ?? "complete";
      this.isLast = true;
      this.limitRound(1);
      const last = this.reasonToEnd() === null ? (this.parts.technique.lastRound?.() ?? []) : [];
      if (last.length > 0) await this.hold(this.newRound(last));
      // What was kept for the last round, and not needed, belongs to the others.
      if (left !== null) {
        await this.holdRounds(left);
        reason = this.reasonToEnd() ?? "complete";
      }
    } finally {
      clearTimeout(this.graceTimer);
      for (const { thread } of this.slots) if (thread !== null) this.crew.dismiss(thread);
    }
    if (this.failure !== "" || this.isStopping) reason = this.reasonToEnd() ?? reason;
    const leftMs = this.options.budgetMs - this.elapsedMs();
    if (reason === "time" && leftMs >= NOTICEABLE_MS) {
      const kept = `${Math.round(leftMs / 1000)} s of the time had been kept for short runs at the end,`;
      this.tell({ kind: "note", text: `${kept} which took less` });
    }
    return { reason, message: this.failure, durationMs: this.elapsedMs(), known: this.known };
  }

  /** Until there is nothing more to do, or the time is up: then what was left of a round. `left`: is done first. */
  private async holdRounds(left: readonly WorkItem<Work>[] | null): Promise<readonly WorkItem<Work>[] | null> {
    const { technique } = this.parts;
    for (let next = left; this.reasonToEnd() === null; next = null) {
      const items = next ?? technique.nextRound();
      if (items === null) return null;
      this.limitRound(next === null ? (technique.shareOfRound?.() ?? 1) : 1);
      const round = this.newRound(items);
      await this.hold(round);
      if (this.reasonToEnd() !== null) return round.notBegun;
    }
    return [];
  }

  private newRound(items: readonly WorkItem<Work>[]): Round<Work, Result> {
    return new Round<Work, Result>(this.rounds++, items);
  }

  private async hold(round: Round<Work, Result>): Promise<void> {
    await this.workAll(round);
    this.absorb(round, true);
  }

  /** As many hands work as there is room for, which may change. */
  private workAll(round: Round<Work, Result>): Promise<void> {
    const working = new Set<Slot>();
    return new Promise((done, fail) => {
      const settle = (): void => {
        if (working.size > 0 || this.hasMore(round)) return;
        clearInterval(timer);
        done();
      };
      const fill = (): void => {
        for (const [number, slot] of this.slots.slice(0, this.crew.room()).entries()) {
          if (working.has(slot) || !this.getMore(round)) continue;
          working.add(slot);
          const ended = this.work(slot, number, round).finally(() => working.delete(slot));
          ended.then(settle, (error: unknown) => {
            clearInterval(timer);
            fail(error);
          });
        }
        settle();
      };
      const timer = setInterval(fill, ROOM_MS);
      fill();
    });
  }

  private hasMore(round: Round<Work, Result>): boolean {
    return round.hasMore && !this.isRoundOver();
  }

  /** Whether there is something for a hand, after having asked for more if need be. What nobody is at is a new round's. */
  private getMore(round: Round<Work, Result>): boolean {
    if (!round.hasMore && round.isInProgress && !this.isRoundOver()) {
      round.add(this.parts.technique.moreItems?.() ?? []);
    }
    return this.hasMore(round);
  }

  /** Ends the campaign: items in progress are asked to stop, and after a while nobody waits for them. */
  stop(): void {
    if (this.isStopping) return;
    this.isStopping = true;
    for (const { cell, thread } of this.slots) {
      Atomics.store(cell, 0, 1);
      thread?.stop(GRACE_MS);
    }
    this.graceTimer = setTimeout(() => {
      for (const { thread } of this.slots) thread?.discard();
      this.stopWaiting();
    }, GRACE_MS);
  }

  /** What came of the item could not be kept: the next campaign is to do it again. */
  doAgainNextTime(key: string): void {
    this.unkept.add(key);
  }

  elapsedMs(): number {
    return performance.now() - this.startedMs;
  }

  private tell(event: CampaignEvent<Work, Result>): void {
    this.parts.listen(event);
  }

  private reasonToEnd(): CampaignReason | null {
    if (this.failure !== "") return "failed";
    if (this.isStopping) return "aborted";
    return this.elapsedMs() >= this.endMs() ? "time" : null;
  }

  /** When the time is up for what is being done now. */
  private endMs(): number {
    const { budgetMs } = this.options;
    if (this.isLast || (this.parts.technique.lastCount?.() ?? 0) === 0) return budgetMs;
    return budgetMs - Math.min(budgetMs * LAST_SHARE, MOST_LAST_MS);
  }

  private limitRound(share: number): void {
    const now = this.elapsedMs();
    this.roundMs = share >= 1 ? Number.POSITIVE_INFINITY : share * (this.endMs() - now);
    this.roundEndMs = now + this.roundMs;
  }

  private isRoundOver(): boolean {
    return this.reasonToEnd() !== null || this.elapsedMs() >= this.roundEndMs;
  }

  /** One hand's part in a round. */
  private async work(slot: Slot, number: number, round: Round<Work, Result>): Promise<void> {
    let run: Run | null = null;
    try {
      while (number < this.crew.room() && this.getMore(round)) {
        const taken = round.take(run, (program) => this.handsAt.has(program));
        const { index } = taken;
        if (taken.run.program !== run?.program) {
          this.leave(run);
          this.handsAt.set(taken.run.program, (this.handsAt.get(taken.run.program) ?? 0) + 1);
        }
        run = taken.run;
        round.reports[index] = this.isToBeDone(round, index) ? await this.perform(slot, round, index) : null;
        round.ended++;
        this.absorb(round, false);
      }
    } finally {
      this.leave(run);
    }
  }

  private leave(run: Run | null): void {
    if (run === null) return;
    const hands = (this.handsAt.get(run.program) ?? 1) - 1;
    if (hands === 0) this.handsAt.delete(run.program);
    else this.handsAt.set(run.program, hands);
  }

  private isToBeDone(round: Round<Work, Result>, index: number): boolean {
    const item = round.items[index];
    if (this.parts.technique.isStillWanted?.(item) === false) return false;
    const enoughMs = WORTH_AGAIN * (this.cutAfterMs.get(item.key) ?? 0);
    const isWorthIt = this.slice(round.items.length - round.begun + 1) >= enoughMs;
    return !this.isKnown(item, isWorthIt) && isWorthIt;
  }

  /** What an earlier campaign has done; what it cut only if more time than now would be needed. */
  private isKnown(item: WorkItem<Work>, isWorthIt: boolean): boolean {
    const known = this.journal.done.get(item.key);
    if (known === undefined || this.recalled.has(item.key)) return false;
    const isCut = known.cutAfterMs !== undefined;
    if ((isCut && isWorthIt) || !this.parts.technique.recall(item, known.memory, isCut)) return false;
    this.recalled.add(item.key);
    this.known++;
    this.tell({ kind: "item-known", item, memory: known.memory });
    return true;
  }

  /** What is done is absorbed in order; at the round's end also what comes after an item that was never begun. */
  private absorb(round: Round<Work, Result>, isOver: boolean): void {
    const { technique } = this.parts;
    const { items, reports } = round;
    for (; round.absorbed < items.length; round.absorbed++) {
      const report = reports[round.absorbed];
      if (report === undefined && !isOver) return;
      const item = items[round.absorbed];
      if (report === null) technique.passed?.(item);
      if (report === undefined || report === null) continue;
      technique.absorb(item, report);
      this.tell({ kind: "item-ended", item, report });
    }
  }

  /** Does an item; null if nothing came of it, which has been told. */
  private async perform(slot: Slot, round: Round<Work, Result>, index: number): Promise<ItemReport<Result> | null> {
    const item = round.items[index];
    const { begun } = round;
    const isReady = await this.getReady(slot, item);
    if (this.reasonToEnd() !== null) return null;
    if (!isReady) {
      this.tell({ kind: "item-skipped", item, why: "its program could not be loaded" });
      return null;
    }
    const timeMs = this.slice(round.items.length - begun + 1);
    this.tell({ kind: "item-begins", item, round: round.index, index: begun - 1, count: round.items.length });
    const rank = this.parts.technique.rankOf?.(item) ?? 0;
    const beganMs = this.elapsedMs();
    let last: WorkMessage | null = null;
    let events = 0;
    const listen = (message: WorkMessage): void => {
      last = message;
      if (message.kind !== "event") return;
      const { event } = message;
      if (event.kind !== "finding") return this.tell({ kind: "item-event", item, event });
      const placed = {
        found: event.found,
        item,
        place: [rank, round.index, index, events++],
        atMs: this.elapsedMs(),
      } as const;
      if (this.found.add(placed)) this.tell({ kind: "finding", placed });
    };
    const absent: string[] = [];
    for (;;) {
      const task = { kind: "item", item, timeMs, absent } as const;
      const wants = (id: string): boolean => this.found.wants(id, [rank, round.index, index, events]);
      const end = await this.ask(slot, task, this.askedToStopAfter(timeMs), listen, wants);
      const path = end.kind === "done" ? wantedIn(last) : null;
      if (path === null) return this.judge(item, end, last, this.elapsedMs() - beganMs);
      // Whatever came of it, it is not wanted again.
      absent.push(path);
      slot.ready = "";
      if (!(await this.getWanted(slot, path)) || !(await this.getReady(slot, item))) return null;
    }
  }

  /** A program that another one starts; false if the campaign is at its end. */
  private async getWanted(slot: Slot, path: string): Promise<boolean> {
    const place = [...this.programs.values()].find(({ name }) => name === path);
    if (place !== undefined) {
      await this.shelf.take(place.content, [], async () =>
        this.reasonToEnd() === null ? this.load(slot, { program: place.content }) : false,
      );
    }
    return this.reasonToEnd() === null;
  }

  /** Whether the slot's thread has the item's program, if need be after another one has translated it. */
  private async getReady(slot: Slot, item: WorkItem<Work>): Promise<boolean> {
    const { program, needs = [] } = item;
    const wanted = [program, ...needs].join(" ");
    if (slot.thread?.isAlive === true && slot.ready === wanted) return true;
    // A thread that must wait for another's loading starts meanwhile.
    this.handOf(slot);
    // Whoever has waited for another's loading until the end does not begin one.
    const isReady = await this.shelf.take(program, needs, async () =>
      this.reasonToEnd() === null ? this.load(slot, item) : false,
    );
    slot.ready = isReady ? wanted : "";
    return isReady;
  }

  private judge(
    item: WorkItem<Work>,
    end: HandEnd,
    last: WorkMessage | null,
    tookMs: number,
  ): ItemReport<Result> | null {
    if (end.kind === "done" && last?.kind === "report") {
      this.endedWell++;
      const report = last.report as ItemReport<Result>;
      if (!this.isStopping && !this.unkept.has(item.key)) this.keep(item, report, tookMs);
      return report;
    }
    if (end.kind === "done" && last?.kind === "skipped") {
      this.endedWell++;
      this.tell({ kind: "item-skipped", item, why: last.why });
      return null;
    }
    const why = end.kind === "overdue" ? "overdue" : "died";
    const message = end.kind === "died" ? end.message : last?.kind === "failed" ? last.message : "";
    if (this.isStopping || end.kind === "unbegun") {
      this.tell({ kind: "item-cut", item });
      return null;
    }
    this.tell({ kind: "item-lost", item, why, message });
    if (why === "died") this.died(message);
    return null;
  }

  private keep(item: WorkItem<Work>, report: ItemReport<Result>, tookMs: number): void {
    const { technique } = this.parts;
    const { isComplete } = report;
    if (!isComplete && technique.keepsCutItems !== true) return;
    if (isComplete) this.cutAfterMs.delete(item.key);
    else this.cutAfterMs.set(item.key, tookMs);
    const memory = technique.memoryOf(report, item);
    if (memory === undefined) return;
    const trouble = this.journal.add(item.key, isComplete ? { memory } : { memory, cutAfterMs: Math.round(tookMs) });
    if (trouble !== null) this.tell({ kind: "note", text: trouble });
  }

  private died(message: string): void {
    if (++this.deaths >= HOPELESS_DEATHS && this.endedWell === 0) {
      this.failure = `no thread of the campaign lives to do an item: ${message}`;
    }
  }

  /** Gets a program ready in a thread; false if that cannot be done, which is told once. */
  private async load(
    slot: Slot,
    { program: content, needs = [] }: Pick<WorkItem<Work>, "program" | "needs">,
  ): Promise<boolean> {
    const program = this.programs.get(content);
    if (program === undefined) return false;
    for (let tries = 1; ; tries++) {
      const describes = !this.shelf.isDescribed(content);
      let last: WorkMessage | null = null;
      const leftMs = this.endMs() - this.elapsedMs();
      const end = await this.ask(slot, { kind: "load", program, needs, describes }, Math.max(0, leftMs), (message) => {
        last = message;
        if (message.kind === "progress") this.tell({ kind: "program-progress", program, progress: message.progress });
      });
      // What could be loaded before can be loaded again: the thread was unlucky, not the program bad.
      const isAgain = end.kind === "died" && !describes && tries < LOAD_TRIES && this.reasonToEnd() === null;
      if (!isAgain) return this.judgeLoad(program, end, last);
      this.died(end.message);
    }
  }

  private judgeLoad(program: ProgramPlace, end: HandEnd, last: WorkMessage | null): boolean {
    if (end.kind === "done" && last?.kind === "loaded") {
      const { description, warnings } = last;
      if (!this.shelf.describe(program.content)) return true;
      this.tell({ kind: "program-ready", program, description });
      for (const text of warnings) this.tell({ kind: "note", text: `${program.name}: warning: ${text}` });
      return true;
    }
    // It was the campaign that ended, not the program that is bad.
    if (end.kind === "overdue" || end.kind === "unbegun") return false;
    const message =
      end.kind === "died" ? end.message : last?.kind === "not-loaded" || last?.kind === "failed" ? last.message : "";
    if (end.kind === "died") this.died(message);
    this.shelf.fail(program.content);
    this.tell({ kind: "program-failed", program, message });
    return false;
  }

  /**
   * What one item may take of the time that is left, of the round if that has a part of it; the last moment of all is for ending. A round with a part of the time begins no item
   * when that is over, but what has begun is not hurried.
   */
  private slice(waiting: number): number {
    const { itemMs } = this.options;
    const workers = Math.max(1, this.crew.hands());
    const now = this.elapsedMs();
    const allMs = this.endMs() - now;
    const leftMs = Math.max(allMs - ENDING_MS, allMs / 2);
    const ofRoundMs = Math.min(leftMs, Math.max(0, this.roundEndMs - now));
    const shareMs = Math.max(LEAST_SLICE_MS, (SHARES * ofRoundMs * workers) / waiting);
    return Math.max(1, Math.min(itemMs, leftMs, this.roundMs, shareMs));
  }

  private askedToStopAfter(timeMs: number): number {
    const leftMs = this.endMs() - this.elapsedMs();
    return timeMs + Math.min(PATIENCE_MS, Math.max(LEAST_PATIENCE_MS, leftMs - timeMs));
  }

  /** Gives a task to the slot's thread, or to a new one in its place. */
  private handOf(slot: Slot): WorkHand {
    if (slot.thread?.isAlive === true) return slot.thread;
    slot.thread = this.crew.hire(this.parts.script);
    slot.ready = "";
    slot.isNew = true;
    return slot.thread;
  }

  private async ask(
    slot: Slot,
    task: DistributiveOmit<WorkTask, "cell" | "setup">,
    timeMs: number,
    listen: (message: WorkMessage) => void,
    wants: (id: string) => boolean = () => true,
  ): Promise<HandEnd> {
    const thread = this.handOf(slot);
    slot.cell = newCell();
    if (this.isStopping) Atomics.store(slot.cell, 0, 1);
    let isOver = false;
    const first = slot.isNew ? { setup: this.parts.setup, begins: true } : {};
    slot.isNew = false;
    const leftMs = Math.max(0, this.endMs() - this.elapsedMs());
    const limits = { timeMs, graceMs: GRACE_MS, leftMs, wants };
    const ran = thread.run({ ...task, ...first, cell: slot.cell }, limits, (message) => {
      if (!isOver) listen(message);
      return isLast(message);
    });
    const end = await Promise.race([ran, this.giveUp]);
    isOver = true;
    return end;
  }
}

function wantedIn(message: WorkMessage | null): string | null {
  return message?.kind === "wanted" ? message.path : null;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
