// The coordinator's side of a queue: a campaign's items become orders, workers elsewhere do them, and what they answer is told to the campaign as a
// thread would have told it. So journal, findings and reports are made as always, by the one process that knows the project.
// A worker is not believed: what it answers must have the right form, and what it found must fail here too.

import { randomBytes } from "node:crypto";
import type { Crew, HandEnd, HandLimits, WorkHand } from "../campaign/crew.js";
import type { Found, ItemEvent } from "../campaign/technique.js";
import type { WorkMessage, WorkSetup, WorkTask } from "../campaign/work-messages.js";
import { BlobStore } from "../project/blob-store.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { BlobName } from "../project/seed.js";
import type { AmplifySetup, AmplifyWork } from "../techniques/amplify-item.js";
import { contentsOfReport, contentsOfWork, isItemEvent, readAmplifyReport } from "./amplify-shape.js";
import type { BlobTransport } from "./blob-transport.js";
import { Desk } from "./desk.js";
import { type ItemAnswer, type ItemOrder, isAnswer, type Parcel, Post } from "./messages.js";
import { type Order, OrderBook, type OrderEnd } from "./order-book.js";
import type { QueueLibrary, RedisStore } from "./queue-library.js";
import { queueName } from "./queue-names.js";
import type { Seal } from "./seal.js";
import { Shipping } from "./shipping.js";
import { type WorkersSeen, WorkerWatch } from "./worker-watch.js";

export interface QueueParts {
  readonly library: QueueLibrary;
  readonly redis: RedisStore;
  readonly blobs: BlobTransport;
  readonly seal: Seal;
  readonly folder: ProjectFolder;
  /** Items that are under way at the same time, at the most. */
  readonly most: number;
  readonly listen: (event: CrewEvent) => void;
}

export type CrewEvent =
  | { readonly kind: "workers"; readonly seen: WorkersSeen }
  | { readonly kind: "connection"; readonly isUp: boolean };

type ItemTask = Extract<WorkTask, { readonly kind: "item" }>;
type Listen = (message: WorkMessage) => boolean;
type DoneAnswer = Extract<ItemAnswer, { readonly kind: "done" }>;

/** An item that a worker cannot find all contents of is ordered again so often. */
const MOST_RESENT = 5;
/** So that no worker waits for its next order: for each item at work one more, and some for the way. */
const AHEAD = 2;
const LEAST_ROOM = 2;
const STRANGE = "a worker answered what makes no sense";
const FORGED = "somebody answered who has not the queue's key";
const NOT_KEPT = "what a worker made did not arrive, or is more than a campaign keeps";
/** Of what workers make of tests: each, and all of a campaign. */
const MOST_MADE_BYTES = 0x100_0000;
const MOST_KEPT_BYTES = 0x1000_0000;
/** Of one item: to run each again takes time. */
const MOST_FOUND = 256;
/** An order is wanted as long as its campaign, and no longer than that. */
const LONGEST_WANTED_MS = 7 * 86_400_000;

export class QueueCrew implements Crew {
  readonly most: number;
  private readonly campaign = randomBytes(8).toString("hex");
  private readonly book: OrderBook;
  private readonly post: Post;
  private readonly watch: WorkerWatch;
  private readonly tests: BlobStore;
  private orders = 0;
  /** Of contents that workers made, on this machine's disk. */
  private keptBytes = 0;
  private isClosed = false;
  private office: { readonly desk: Desk; readonly shipping: Shipping; readonly setup: WorkSetup } | null = null;

  constructor(private readonly parts: QueueParts) {
    const { library, redis, folder, most, listen, blobs, seal } = parts;
    this.most = most;
    this.post = new Post(blobs, seal);
    this.book = new OrderBook(library, redis, queueName(seal.keyName));
    this.tests = new BlobStore(folder);
    this.watch = new WorkerWatch(redis, seal.keyName, (seen) => listen({ kind: "workers", seen }));
    let isUp = true;
    const told = (now: boolean): void => {
      if (now !== isUp && !this.isClosed) listen({ kind: "connection", isUp: now });
      isUp = now;
    };
    redis.on("close", () => told(false));
    redis.on("ready", () => told(true));
  }

  async ready(): Promise<void> {
    await Promise.all([this.book.ready(), this.watch.look()]);
  }

  hands(): number {
    return this.watch.jobs;
  }

  room(): number {
    return Math.min(this.most, AHEAD * this.watch.jobs + LEAST_ROOM);
  }

  hire(script: URL): WorkHand {
    return new RemoteHand((setup) => this.officeFor(script, setup), this);
  }

  dismiss(hand: WorkHand): void {
    hand.discard();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.watch.close();
    this.office?.desk.close();
    await this.book.close();
  }

  private officeFor(script: URL, setup: WorkSetup): NonNullable<typeof this.office> {
    this.office ??= {
      desk: new Desk(script, setup),
      shipping: new Shipping(this.parts.blobs, this.tests, setup),
      setup,
    };
    return this.office;
  }

  /** `hold` is told which order is out. */
  async perform(task: ItemTask, limits: HandLimits, listen: Listen, hold: (order: Order) => void): Promise<HandEnd> {
    const told = new Set<string>();
    const endMs = performance.now() + limits.leftMs;
    let events = Promise.resolve();
    const hear = (event: ItemEvent): Promise<void> => {
      events = events.then(() => this.hear(event, task, { wants: limits.wants, endMs }, told, listen));
      return events;
    };
    for (let again = 0; ; again++) {
      const id = `${this.campaign}-${this.orders++}`;
      const parcel = await this.post.wrap(await this.orderOf(task, limits), { kind: "order", order: id });
      const order = this.book.put(id, { order: parcel }, (data) => void this.early(data, id, hear));
      hold(order);
      const timer = setTimeout(() => order.stop(limits.graceMs), Math.min(limits.leftMs, LONGEST_MS));
      const end = await order.end;
      clearTimeout(timer);
      void this.forget(parcel);
      const answer = end.kind === "answered" ? await this.answerOf(end.parcel, id) : null;
      if (answer === FORGED && again < MOST_RESENT) continue;
      if (answer === FORGED) return { kind: "died", message: FORGED };
      if (answer?.kind === "missing" && again < MOST_RESENT) {
        await this.office?.shipping.sendAgain(task.item.program);
        continue;
      }
      if (answer?.kind !== "done") {
        await events;
        return endWithout(end, answer);
      }
      for (const event of answer.events) await hear(event);
      return this.finish(task, answer, listen);
    }
  }

  private async orderOf({ item, timeMs, absent = [] }: ItemTask, { leftMs }: HandLimits): Promise<ItemOrder> {
    const { office } = this;
    if (office === null) throw new Error("an item came before its program");
    const { shipping, setup } = office;
    const work = item.work as AmplifyWork;
    const needs = item.needs ?? [];
    // Directories of this machine mean nothing to another, and an environment has secrets.
    const { roots: _, ...rest } = setup.setup as AmplifySetup;
    return {
      technique: "amplify",
      setup: rest,
      program: shipping.program(item.program, needs),
      needs,
      key: item.key,
      label: item.label,
      work,
      timeMs,
      until: Math.ceil(Date.now() + Math.min(leftMs, LONGEST_WANTED_MS)),
      startable: shipping.startable(item.program),
      absent,
      contents: await shipping.send(contentsOfWork(work)),
    };
  }

  private async answerOf(parcel: unknown, order: string): Promise<ItemAnswer | typeof FORGED | null> {
    const read = await this.post.unwrap(parcel, { kind: "answer", order });
    // The answer itself has vanished: the item is done again.
    if ("lost" in read) return { kind: "missing", contents: [read.lost] };
    if ("strange" in read) return read.isForged ? FORGED : null;
    void this.forget(parcel as Parcel);
    return isAnswer(read.value) ? read.value : null;
  }

  private async forget(parcel: Parcel): Promise<void> {
    if ("blob" in parcel) await this.parts.blobs.drop(parcel.blob).catch(() => {});
  }

  private async early(data: unknown, order: string, hear: (event: ItemEvent) => Promise<void>): Promise<void> {
    const { event: parcel } = (data ?? {}) as { readonly event?: unknown };
    const read = await this.post.unwrap(parcel, { kind: "event", order });
    if (!("value" in read)) return;
    if (isItemEvent(read.value) && read.value.kind === "finding") await hear(read.value);
  }

  /** A finding is told when it has failed here, and once for an item. */
  private async hear(
    event: ItemEvent,
    task: ItemTask,
    limits: { readonly wants: HandLimits["wants"]; readonly endMs: number },
    told: Set<string>,
    listen: Listen,
  ): Promise<void> {
    if (event.kind !== "finding") {
      listen({ kind: "event", event });
      return;
    }
    const { id } = event.found.identity;
    if (told.has(id)) return;
    told.add(id);
    if (!limits.wants(id)) return;
    if (told.size > MOST_FOUND) {
      listen({ kind: "event", event: { kind: "unconfirmed", what: event.found.finding.kind } });
      return;
    }
    for (const seen of await this.again(task, event.found, limits.endMs)) {
      if (seen.kind !== "covered") listen({ kind: "event", event: seen });
    }
  }

  private async again({ item }: ItemTask, found: Found, endMs: number): Promise<readonly ItemEvent[]> {
    const program = this.office?.shipping.placeOf(item.program) ?? null;
    if (program === null || this.office === null || "bases" in (item.work as AmplifyWork)) return [];
    return this.office.desk.again({ program, needs: item.needs ?? [] }, item, found, endMs);
  }

  private async finish({ item }: ItemTask, answer: DoneAnswer, listen: Listen): Promise<HandEnd> {
    const { end, last, message } = answer;
    if (end !== "done") return end === "died" ? { kind: "died", message } : { kind: "overdue" };
    if (last === null) return { kind: "died", message: STRANGE };
    if (last.kind !== "report") {
      listen(last);
      return { kind: "done" };
    }
    const report = readAmplifyReport(last.report, item.work as AmplifyWork);
    if (report === null) return { kind: "died", message: STRANGE };
    const isKept = await this.keep(contentsOfReport(report));
    if (!isKept) return { kind: "died", message: NOT_KEPT };
    listen({ kind: "report", report });
    return { kind: "done" };
  }

  private async keep(contents: readonly BlobName[]): Promise<boolean> {
    for (const name of contents) {
      if (this.tests.get(name) !== null) continue;
      const bytes = await this.parts.blobs.get(name, MOST_MADE_BYTES);
      // Others may have come meanwhile.
      if (bytes === null || this.keptBytes + bytes.length > MOST_KEPT_BYTES) return false;
      this.keptBytes += bytes.length;
      this.tests.put(bytes);
    }
    return true;
  }
}

/** Timers know no longer ones. */
const LONGEST_MS = 2 ** 31 - 1;

function endWithout(end: OrderEnd, answer: ItemAnswer | null): HandEnd {
  if (end.kind === "failed") return { kind: "died", message: end.message };
  if (end.kind === "withdrawn") return { kind: end.isBegun ? "overdue" : "unbegun" };
  const missing = answer?.kind === "missing";
  return {
    kind: "died",
    message: missing
      ? "a worker cannot find what it needs, or has no room for it: is --store the same folder?"
      : STRANGE,
  };
}

type Office = { readonly desk: Desk; readonly shipping: Shipping };

class RemoteHand implements WorkHand {
  isAlive = true;
  private office: Office | null = null;
  private order: Order | null = null;

  constructor(
    private readonly officeFor: (setup: WorkSetup) => Office,
    private readonly crew: Pick<QueueCrew, "perform">,
  ) {}

  async run(task: WorkTask, limits: HandLimits, listen: Listen): Promise<HandEnd> {
    if (task.setup !== undefined) this.office ??= this.officeFor(task.setup);
    if (this.office === null) throw new Error("a hand was never told what it works for");
    if (task.kind === "load") return this.load(task, this.office, limits, listen);
    try {
      return await this.crew.perform(task, limits, listen, (order) => {
        this.order = order;
      });
    } finally {
      this.order = null;
    }
  }

  /** Translated here, then sent; whoever waits for it hears of the loading when both are done. */
  private async load(
    task: Extract<WorkTask, { readonly kind: "load" }>,
    { desk, shipping }: Office,
    limits: HandLimits,
    listen: Listen,
  ): Promise<HandEnd> {
    const { program, needs, describes } = task;
    if (!describes && shipping.has(program.content, needs)) {
      listen({ kind: "loaded", description: null, warnings: [] });
      return { kind: "done" };
    }
    const ends: WorkMessage[] = [];
    const end = await desk.load(task, limits, (message) => {
      if (message.kind === "progress") return listen(message);
      ends.push(message);
      return true;
    });
    for (const told of ends) {
      const problem = told.kind === "loaded" ? await shipping.ship(program, needs) : null;
      listen(problem === null ? told : { kind: "not-loaded", message: problem });
    }
    return end;
  }

  stop(graceMs = 0): void {
    this.order?.stop(graceMs);
  }

  discard(): void {
    this.isAlive = false;
    this.order?.stop(0);
  }
}
