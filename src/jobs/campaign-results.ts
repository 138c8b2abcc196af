// Turns the events of a campaign into its results: what is the same for every technique. A technique's own results say what became of an
// item, how a lost one is told, and what its own events mean.

import type { Campaign } from "../campaign/campaign.js";
import type { CampaignEvent } from "../campaign/events.js";
import type { ItemEvent, ItemReport, WorkItem } from "../campaign/technique.js";
import { keepWitness } from "../techniques/keep-witness.js";
import type { SoFar } from "./campaign-messages.js";
import { CampaignRecord, failureOfProgram } from "./campaign-record.js";

type EventOf<Work, Result, Kind> = Extract<CampaignEvent<Work, Result>, { readonly kind: Kind }>;

/** How an item that was lost is counted, and what goes on without it. */
export interface LostWords {
  readonly what: string;
  readonly counted: string;
  readonly goesOn: string;
}

type Confirming = Extract<ItemEvent, { readonly kind: "confirming" }>;

export abstract class CampaignResults<Work, Result> {
  protected readonly record: CampaignRecord;
  protected readonly sums = { paths: 0, queries: 0, solverMs: 0, divergences: 0, unconfirmed: 0 };

  /** By item: the failure that it runs again. */
  private readonly confirming = new Map<string, Confirming>();

  constructor(
    protected readonly root: string,
    private readonly watched: () => Pick<Campaign<Work, Result>, "elapsedMs" | "found">,
  ) {
    this.record = new CampaignRecord(watched);
  }

  /** Gives what the user is to be told of the event, if anything; the results have it too. */
  take(event: CampaignEvent<Work, Result>): string | null {
    const note = this.noteOf(event);
    if (note !== null) this.note(note);
    return note;
  }

  note(text: string): void {
    this.record.note(text);
  }

  /** For whoever watches. */
  get soFar(): SoFar {
    const { record, sums } = this;
    return {
      elapsedMs: this.watched().elapsedMs(),
      checks: this.checksSoFar,
      paths: sums.paths,
      blocks: record.timeline.at(-1)?.blocks ?? 0,
      notExplored: record.notExplored,
    };
  }

  /** Null: this technique does not count them. */
  protected get checksSoFar(): number | null {
    return null;
  }

  protected abstract ended(item: WorkItem<Work>, report: ItemReport<Result>): void;
  protected abstract lostWords(item: WorkItem<Work>, why: "overdue" | "died"): LostWords;

  protected begins(_item: WorkItem<Work>): void {}
  /** Done by an earlier campaign that this one goes on with. */
  protected known(_item: WorkItem<Work>, _memory: unknown): void {}
  protected own(_item: WorkItem<Work>, _value: unknown): void {}
  protected programFailed(_content: string): void {}

  /** Gives what is told of it, if anything. */
  protected skipped(_item: WorkItem<Work>, why: string): string | null {
    this.record.count(`left out: ${why}`, 1);
    return null;
  }

  /** Whether what a runner says of the tests' coverage is so: its test may be one that was made. */
  protected isOfTests(_item: WorkItem<Work>): boolean {
    return true;
  }

  private noteOf(event: CampaignEvent<Work, Result>): string | null {
    switch (event.kind) {
      case "item-begins":
        this.confirming.delete(event.item.key);
        this.begins(event.item);
        return null;
      case "item-known":
        this.known(event.item, event.memory);
        return null;
      case "item-ended":
        this.ended(event.item, event.report);
        return null;
      case "item-skipped":
        return this.skipped(event.item, event.why);
      case "item-lost": {
        const seen = this.seenBeforeEnd(event.item);
        return seen === null ? this.lost(event) : `${this.lost(event)}; ${seen}`;
      }
      case "item-cut":
        return this.seenBeforeEnd(event.item);
      case "item-event":
        return this.told(event);
      case "program-ready":
        this.record.programReady(event.program.content, event.description);
        return null;
      case "program-failed":
        this.programFailed(event.program.content);
        return failureOfProgram(event.program.name, event.message);
      case "note":
        return event.text;
      case "finding":
      case "program-progress":
        return null;
    }
  }

  private lost({ item, why, message }: EventOf<Work, Result, "item-lost">): string {
    const { what, counted, goesOn } = this.lostWords(item, why);
    this.record.count(counted, 1);
    return why === "overdue"
      ? `${what}: it did not end in its time, and was terminated; ${goesOn} goes on without it`
      : `${what}: lost because of an error of tangent's own: ${message.split("\n", 1)[0]}`;
  }

  private told({ item, event }: EventOf<Work, Result, "item-event">): string | null {
    switch (event.kind) {
      case "covered":
        this.record.covered(item.program, event.coverage, event.byTests && this.isOfTests(item));
        return null;
      case "unconfirmed":
        this.sums.unconfirmed++;
        return null;
      case "confirming":
        this.confirming.set(item.key, event);
        return null;
      case "judged":
        this.confirming.delete(item.key);
        return null;
      case "seen":
        return this.seen(item, event.what, event.id);
      case "machine-made":
        return this.record.metMachineMade(event.id, item.label, event.why);
      case "note":
        return event.text;
      case "own":
        this.own(item, event.value);
        return null;
    }
  }

  /** The failure that the item was at when it was ended: its input is kept. */
  private seenBeforeEnd(item: WorkItem<Work>): string | null {
    const last = this.confirming.get(item.key);
    if (last === undefined) return null;
    this.confirming.delete(item.key);
    const id = keepWitness(this.root, last.seed, last.witness);
    return id === null ? null : this.seen(item, last.what, id);
  }

  private seen({ label }: WorkItem<Work>, what: string, id: string): string | null {
    if (this.record.seen.has(id)) return null;
    this.record.seen.add(id);
    return `${label}: a failure (${what}) was seen but could not be confirmed in time: tangent replay ${id}`;
  }
}
