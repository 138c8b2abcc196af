// A worker: takes orders from the queue, as many at a time as it has threads, and answers each. BullMQ keeps the lease on an order while it is
// at work; if the worker is silent for longer than that, another one gets the order. What a thread finds is sent at once, and again with
// the answer, so that nothing is lost whichever of the two arrives.
// A worker believes nothing of an order but its form, and writes nowhere but to its scratch folder.

import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Job, Worker } from "bullmq";
import type { ItemEvent } from "../campaign/technique.js";
import type { WorkMessage, WorkSetup } from "../campaign/work-messages.js";
import type { BlobName } from "../project/seed.js";
import type { ConfinedEnd } from "../support/sandbox/confined-process.js";
import type { WallName } from "../support/sandbox/confinement.js";
import { version } from "../support/version.js";
import { contentsOfReport, readAmplifyReport } from "./amplify-shape.js";
import type { BlobTransport } from "./blob-transport.js";
import { ItemProcess } from "./item-process.js";
import {
  type ItemAnswer,
  type ItemOrder,
  isOrder,
  isStale,
  type LastMessage,
  Post,
  type WorkerNews,
} from "./messages.js";
import { connect, PREFIX, type QueueLibrary, type RedisStore } from "./queue-library.js";
import {
  buildIdentity,
  NEWS_EVERY_MS,
  NEWS_KEPT_MS,
  newsKey,
  queueName,
  STOP_CHANNEL,
  WORKERS_KEY,
} from "./queue-names.js";
import type { RedisAddress } from "./redis-address.js";
import type { Scratch } from "./scratch.js";
import type { Seal } from "./seal.js";

export interface WorkerOptions {
  readonly jobs: number;
  /** How long it may be silent before what it does is given to another. */
  readonly leaseMs: number;
  /** The directories of this machine that programs under test may see; none, if it is empty. */
  readonly roots: readonly string[];
  /** Behind which items are done. */
  readonly walls: readonly WallName[];
}

/** For whoever watches. */
export type WorkerEvent =
  | { readonly kind: "begins"; readonly label: string }
  | { readonly kind: "ended"; readonly label: string; readonly ms: number; readonly findings: number }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "given-back"; readonly label: string }
  | { readonly kind: "connection"; readonly isUp: boolean };

/** An item keeps its time by itself; it is asked to stop so much later, and after the grace it is terminated. */
const PATIENCE_MS = 2000;
const GRACE_MS = 1000;
const LOAD_MS = 120_000;
/** So often a worker may vanish with an item before the item is thought to be the reason. */
const MOST_STALLED = 8;
const CLOSING_MS = 5000;
/** Of a message for people. */
const MOST_WORDS = 10_000;
const NO_ORDER = "it is of no form that this version of tangent knows";
const NOTHING = { kind: "done", events: [], last: null, contents: [] } as const;

interface Slot {
  process: ItemProcess | null;
  /** Whose items it does: what one campaign's programs make of it, another one's never meet. */
  campaign: string;
  /** The program that it has. */
  ready: string;
  job: string | null;
}

export class WorkerService {
  done = 0;
  private readonly id = randomBytes(8).toString("hex");
  private readonly redis: RedisStore;
  private readonly ears: RedisStore;
  private readonly worker: Worker;
  private readonly slots: Slot[];
  private readonly post: Post;
  private readonly newsTimer: NodeJS.Timeout;
  private isStopping = false;

  constructor(
    private readonly library: QueueLibrary,
    address: RedisAddress,
    private readonly blobs: BlobTransport,
    private readonly seal: Seal,
    private readonly scratch: Scratch,
    private readonly options: WorkerOptions,
    private readonly listen: (event: WorkerEvent) => void,
  ) {
    this.post = new Post(blobs, seal);
    this.redis = connect(library, address);
    this.ears = connect(library, address);
    this.slots = Array.from({ length: options.jobs }, () => ({ process: null, campaign: "", ready: "", job: null }));
    let isUp = true;
    this.redis.on("close", () => {
      if (isUp && !this.isStopping) listen({ kind: "connection", isUp: false });
      isUp = false;
    });
    this.redis.on("ready", () => {
      if (!isUp) listen({ kind: "connection", isUp: true });
      isUp = true;
    });
    this.ears.on("message", (_channel: string, job: string) => this.stopJob(job));
    void this.ears.subscribe(STOP_CHANNEL).catch(() => {});
    this.worker = new library.bullmq.Worker(queueName(seal.keyName), (job, token) => this.perform(job, token ?? ""), {
      connection: this.redis,
      prefix: PREFIX,
      concurrency: options.jobs,
      lockDuration: options.leaseMs,
      stalledInterval: options.leaseMs / 2,
      maxStalledCount: MOST_STALLED,
    });
    // A lost connection, or a lease that another has by now: both are BullMQ's to mend.
    this.worker.on("error", () => {});
    this.newsTimer = setInterval(() => this.tellNews(), NEWS_EVERY_MS);
    this.tellNews();
  }

  /** Orders at work are given back, for others to do. */
  async stop(): Promise<void> {
    if (this.isStopping) return;
    this.isStopping = true;
    clearInterval(this.newsTimer);
    for (const { process } of this.slots) process?.discard();
    const closed = Promise.all([
      this.worker.close(),
      this.redis.srem(WORKERS_KEY, this.id),
      this.redis.del(newsKey(this.id)),
    ]);
    await Promise.race([closed, new Promise((done) => setTimeout(done, CLOSING_MS).unref())]).catch(() => {});
    this.redis.disconnect();
    this.ears.disconnect();
  }

  private tellNews(): void {
    // Those that wait for the connection would all be sent when it is there again.
    if (this.redis.status !== "ready") return;
    const busy = this.slots.filter(({ job }) => job !== null).length;
    const news: WorkerNews = {
      identity: buildIdentity(),
      key: this.seal.keyName,
      version: version(),
      host: hostname(),
      jobs: this.options.jobs,
      busy,
      done: this.done,
    };
    this.redis
      .multi()
      .sadd(WORKERS_KEY, this.id)
      .set(newsKey(this.id), JSON.stringify(news), "PX", NEWS_KEPT_MS)
      .exec()
      .catch(() => {});
  }

  private stopJob(id: string): void {
    this.slots.find(({ job }) => job === id)?.process?.stop(GRACE_MS);
  }

  /** One that is free, and does this campaign's items, or nobody's, as long as there is one. */
  private slotFor(campaign: string): Slot | undefined {
    const free = this.slots.filter(({ job }) => job === null);
    const slot =
      free.find((one) => one.campaign === campaign) ?? free.find(({ process }) => process === null) ?? free.at(0);
    if (slot === undefined || slot.campaign === campaign) return slot;
    slot.process?.discard();
    slot.campaign = campaign;
    return slot;
  }

  /** Gives the answer's parcel. */
  private async perform(job: Job, token: string): Promise<unknown> {
    const slot = this.slotFor(campaignOf(job.id));
    if (slot === undefined || this.isStopping) return this.giveBack(job, token, "");
    slot.job = job.id ?? "";
    try {
      const order = await this.orderOf(job);
      if ("kind" in order) return await this.answerWith(order, slot.job);
      const startedMs = performance.now();
      this.listen({ kind: "begins", label: order.label });
      const answer = await this.answer(slot, order, (event) => void this.tellEarly(job, event));
      if (this.isStopping) return await this.giveBack(job, token, order.label);
      const parcel = await this.answerWith(answer, slot.job);
      this.done++;
      const findings = answer.kind === "done" ? answer.events.filter(({ kind }) => kind === "finding").length : 0;
      this.listen({ kind: "ended", label: order.label, ms: performance.now() - startedMs, findings });
      return parcel;
    } finally {
      slot.job = null;
    }
  }

  private async orderOf(job: Job): Promise<ItemOrder | ItemAnswer> {
    const { order: parcel } = (job.data ?? {}) as { readonly order?: unknown };
    const read = await this.post.unwrap(parcel, { kind: "order", order: job.id ?? "" });
    if ("lost" in read) return { kind: "missing", contents: [read.lost] };
    const order = "value" in read ? read.value : null;
    if (isOrder(order) && !isStale(order)) return order;
    const stale = "it is older than its campaign, or this machine's clock is wrong";
    const what = "strange" in read ? read.strange : isOrder(order) ? stale : NO_ORDER;
    const why = `an order in the queue is refused: ${what}`;
    this.listen({ kind: "refused", why });
    throw new this.library.bullmq.UnrecoverableError(why);
  }

  private async answerWith(answer: ItemAnswer, order: string): Promise<unknown> {
    const about = { kind: "answer", order } as const;
    try {
      return await this.post.wrap(answer, about);
    } catch (error) {
      // What is too large to be told, and what no place takes.
      const message = `what came of it cannot be sent: ${(error as Error).message}`;
      return this.post.wrap({ ...NOTHING, end: "died", message } satisfies ItemAnswer, about);
    }
  }

  private async giveBack(job: Job, token: string, label: string): Promise<never> {
    await job.moveToWait(token);
    this.listen({ kind: "given-back", label });
    throw new this.library.bullmq.WaitingError();
  }

  /** It comes with the answer too: here nothing is waited for, and nothing is tried again. */
  private async tellEarly(job: Job, event: ItemEvent): Promise<void> {
    try {
      const about = { kind: "event", order: job.id ?? "" } as const;
      await job.updateProgress({ event: await this.post.wrap(event, about) });
    } catch {
      // The answer has it.
    }
  }

  private async answer(slot: Slot, order: ItemOrder, tell: (finding: ItemEvent) => void): Promise<ItemAnswer> {
    const names = contentsOfOrder(order);
    try {
      const missing = await this.scratch.take(names, this.blobs);
      if (missing.length > 0) return { kind: "missing", contents: missing };
      const process = this.processOf(slot);
      const setup = this.setupOf(order, process);
      const loaded = await this.load(slot, process, order, setup);
      return loaded ?? (await this.run(process, order, setup, tell));
    } finally {
      this.scratch.release(names);
    }
  }

  private processOf(slot: Slot): ItemProcess {
    if (slot.process?.isAlive === true) return slot.process;
    slot.process?.discard();
    slot.ready = "";
    const { roots, walls } = this.options;
    slot.process = new ItemProcess(this.scratch.ownFolder(), [this.scratch.shelf], roots, walls);
    return slot.process;
  }

  private setupOf({ technique, setup, startable }: ItemOrder, { folder: made }: ItemProcess): WorkSetup {
    const { root: store } = this.scratch;
    return {
      technique,
      setup: { ...setup, store, made, roots: this.options.roots, tellsAll: true },
      env: {},
      startable: startable.map(({ name, image }) => ({ name, path: image === null ? "" : this.scratch.path(image) })),
    };
  }

  /** Null if the process has the program. */
  private async load(slot: Slot, process: ItemProcess, order: ItemOrder, setup: WorkSetup): Promise<ItemAnswer | null> {
    const content = programKey(order);
    if (slot.ready === content) return null;
    const { image, made, name } = order.program;
    const places = Object.entries(made).map(([need, blob]) => [need, this.scratch.path(blob)]);
    const program = { content, name, path: this.scratch.path(image), made: Object.fromEntries(places) };
    let last: WorkMessage | null = null;
    const task = { kind: "load", program, needs: order.needs, describes: false, setup } as const;
    const end = await process.run(task, { timeMs: LOAD_MS, graceMs: GRACE_MS }, (message) => {
      last = message;
    });
    slot.ready = end.kind === "done" && kindOf(last) === "loaded" ? content : "";
    if (slot.ready !== "") return null;
    return ended(end, [], last);
  }

  private async run(
    process: ItemProcess,
    order: ItemOrder,
    setup: WorkSetup,
    tell: (finding: ItemEvent) => void,
  ): Promise<ItemAnswer> {
    const { key, label, work, timeMs, absent } = order;
    const events: ItemEvent[] = [];
    let last: WorkMessage | null = null;
    const item = { key, program: programKey(order), label, work };
    const task = { kind: "item", item, timeMs, absent, setup } as const;
    const end = await process.run(task, { timeMs: timeMs + PATIENCE_MS, graceMs: GRACE_MS }, (message) => {
      last = message;
      if (message.kind !== "event") return;
      events.push(message.event);
      if (message.event.kind === "finding") tell(message.event);
    });
    try {
      return ended(end, events, last, await this.sendMade(process, order, last));
    } catch (error) {
      return { ...NOTHING, end: "died", message: (error as Error).message };
    }
  }

  /** Contents that came into being go where the coordinator finds them. */
  private async sendMade(
    process: ItemProcess,
    { work, contents }: ItemOrder,
    last: WorkMessage | null,
  ): Promise<readonly BlobName[]> {
    if (last?.kind !== "report") return [];
    const report = readAmplifyReport(last.report, work);
    if (report === null) throw new Error("what came of it is no report");
    const names = contentsOfReport(report);
    const made = process.takeMade(names.filter((name) => !contents.includes(name)));
    if (made === null) throw new Error("the inputs that were made of tests are too large to be sent");
    for (const bytes of made.values()) await this.blobs.put(bytes);
    return names;
  }
}

/** Of an order's number. */
function campaignOf(job: string | undefined): string {
  return (job ?? "").split("-")[0];
}

function kindOf(message: WorkMessage | null): WorkMessage["kind"] | null {
  return message?.kind ?? null;
}

function contentsOfOrder({ program, contents, startable }: ItemOrder): readonly BlobName[] {
  const images = startable.flatMap(({ image }) => image ?? []);
  return [program.image, ...Object.values(program.made), ...images, ...contents];
}

/** What a thread keeps a program by: its content alone, whatever a coordinator calls it. */
function programKey({ program }: Pick<ItemOrder, "program">): string {
  return [program.image, ...Object.entries(program.made).flat()].join(" ");
}

function ended(
  end: ConfinedEnd,
  events: readonly ItemEvent[],
  last: WorkMessage | null,
  contents: readonly BlobName[] = [],
): ItemAnswer {
  const message = end.kind === "died" ? end.message.slice(0, MOST_WORDS) : "";
  return { kind: "done", end: end.kind, message, events, last: lastOf(last), contents };
}

function lastOf(message: WorkMessage | null): LastMessage | null {
  switch (message?.kind) {
    case "report":
    case "skipped":
    case "wanted":
      return message;
    case "failed":
      return { ...message, message: message.message.slice(0, MOST_WORDS) };
    case "not-loaded":
      return { kind: "skipped", why: message.message.slice(0, MOST_WORDS) };
    default:
      return null;
  }
}
