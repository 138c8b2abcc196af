// What coordinator and workers say to each other through the queue. An order is one work item with the names of all contents that it needs; an
// answer is what the item's thread said. Short messages travel in the job itself, long ones as contents.

import type { ItemEvent } from "../campaign/technique.js";
import type { WorkMessage } from "../campaign/work-messages.js";
import { hashOf, isContentName } from "../project/content-hash.js";
import type { BlobName } from "../project/seed.js";
import {
  either,
  listOf,
  mapOf,
  matching,
  oneOf,
  optional,
  orNull,
  record,
  type Shape,
  text,
  upTo,
} from "../support/shape.js";
import type { AmplifySetup, AmplifyWork } from "../techniques/amplify-item.js";
import { isAmplifySetup, isAmplifyWork, isItemEvent } from "./amplify-shape.js";
import type { BlobTransport } from "./blob-transport.js";
import type { About, Seal } from "./seal.js";
import { decode, encode, MOST_MESSAGE_BYTES } from "./wire.js";

export interface OrderedProgram {
  readonly content: string;
  readonly name: string;
  /** Its translation. */
  readonly image: BlobName;
  /** What was made of it besides, by what items call it. */
  readonly made: Readonly<Record<string, BlobName>>;
}

export interface ItemOrder {
  readonly technique: "amplify";
  readonly setup: AmplifySetup;
  readonly program: OrderedProgram;
  readonly needs: readonly string[];
  readonly key: string;
  readonly label: string;
  readonly work: AmplifyWork;
  readonly timeMs: number;
  /** By the clock of whoever has ordered it: when it is no longer wanted, so that an order that is kept and sent again is worth nothing. */
  readonly until: number;
  /** Programs that the item's program may start; null: not translated yet. */
  readonly startable: readonly { readonly name: string; readonly image: BlobName | null }[];
  /** Those that cannot be translated. */
  readonly absent: readonly string[];
  readonly contents: readonly BlobName[];
}

export type ItemAnswer =
  /** These contents were nowhere to be found. */
  | { readonly kind: "missing"; readonly contents: readonly BlobName[] }
  | {
      readonly kind: "done";
      readonly end: "done" | "died" | "overdue";
      /** Why it died. */
      readonly message: string;
      readonly events: readonly ItemEvent[];
      readonly last: LastMessage | null;
      /** Contents that came into being. */
      readonly contents: readonly BlobName[];
    };

export type LastMessage = Extract<WorkMessage, { readonly kind: "report" | "skipped" | "failed" | "wanted" }>;

/** What a worker says of itself every few seconds. */
export interface WorkerNews {
  /** Of its build of tangent: only the same one takes a coordinator's items. */
  readonly identity: string;
  /** Of its key: only the same one does. */
  readonly key: string;
  readonly version: string;
  readonly host: string;
  readonly jobs: number;
  readonly busy: number;
  readonly done: number;
}

export type Parcel = { readonly seal?: string } & ({ readonly inline: string } | { readonly blob: BlobName });

const content: Shape = isContentName;
const DAY_MS = 86_400_000;
/** Base64 of a message that goes with the job; more goes as a content. */
const MOST_INLINE = 0x8000;
const MOST_TEXT = 100_000;
const MOST_SEAL = 100;
/** Clocks of two machines may differ by so much. */
const CLOCKS_MS = 3_600_000;

const ORDER = record({
  technique: oneOf("amplify"),
  setup: isAmplifySetup,
  program: record({ content: text, name: text, image: content, made: mapOf(content) }),
  needs: listOf(text),
  key: text,
  label: text,
  work: isAmplifyWork,
  timeMs: (value) => typeof value === "number" && value > 0 && value <= DAY_MS,
  until: upTo(Number.MAX_SAFE_INTEGER),
  startable: listOf(record({ name: text, image: orNull(content) })),
  absent: listOf(text),
  contents: listOf(content),
});

const words: Shape = (value) => typeof value === "string" && value.length <= MOST_TEXT;
const LAST = either(
  // What a report must be depends on the item.
  record({ kind: oneOf("report"), report: (value) => typeof value === "object" && value !== null }),
  record({ kind: oneOf("skipped"), why: words }),
  record({ kind: oneOf("failed"), message: words }),
  record({ kind: oneOf("wanted"), path: words }),
);
const ANSWER = either(
  record({ kind: oneOf("missing"), contents: listOf(content) }),
  record({
    kind: oneOf("done"),
    end: oneOf("done", "died", "overdue"),
    message: words,
    events: listOf(isItemEvent),
    last: orNull(LAST),
    contents: listOf(content),
  }),
);
/** A thing said by the process that does items. */
const WORK_MESSAGE = either(
  record({ kind: oneOf("event"), event: isItemEvent }),
  record({ kind: oneOf("loaded", "progress") }),
  record({ kind: oneOf("not-loaded"), message: text }),
  record({ kind: oneOf("report"), report: (value) => typeof value === "object" && value !== null }),
  record({ kind: oneOf("skipped"), why: text }),
  record({ kind: oneOf("failed"), message: text }),
  record({ kind: oneOf("wanted"), path: text }),
);
const NEWS = record({
  identity: matching(/^[0-9a-f]{12}$/),
  key: matching(/^([0-9a-f]{12}|open)$/),
  version: words,
  host: words,
  jobs: upTo(1024),
  busy: upTo(1024),
  done: upTo(Number.MAX_SAFE_INTEGER),
});
const seal = optional((value) => typeof value === "string" && value.length <= MOST_SEAL);
const short: Shape = (value) => typeof value === "string" && value.length <= MOST_INLINE;
const PARCEL = either(record({ inline: short, seal }), record({ blob: content, seal }));

export function isOrder(value: unknown): value is ItemOrder {
  return ORDER(value);
}

export function isWorkMessage(value: unknown): value is WorkMessage {
  return WORK_MESSAGE(value);
}

export function isStale({ until }: ItemOrder): boolean {
  return Date.now() > until + CLOCKS_MS;
}

export function isAnswer(value: unknown): value is ItemAnswer {
  return ANSWER(value);
}

/** Null if it is none. */
export function readNews(line: string | null): WorkerNews | null {
  try {
    const news: unknown = JSON.parse(line ?? "");
    return NEWS(news) ? (news as WorkerNews) : null;
  } catch {
    return null;
  }
}

/** What became of a parcel: `lost`: its content is nowhere; `strange`, in words: it is no message, or from somebody without the key. */
export type Unwrapped =
  | { readonly value: unknown }
  | { readonly lost: BlobName }
  | { readonly strange: string; readonly isForged: boolean };

const NO_FORM: Unwrapped = { strange: "it is of no form that this version of tangent knows", isForged: false };
const NO_SEAL: Unwrapped = { strange: "it was not sealed with this queue's key", isForged: true };

/** Messages to and fro, each sealed for what it is about. */
export class Post {
  constructor(
    readonly blobs: BlobTransport,
    private readonly seal: Seal,
  ) {}

  /** Throws if it is too large. */
  async wrap(value: unknown, about: About): Promise<Parcel> {
    const bytes = await encode(value);
    const content = hashOf(bytes);
    const seal = this.seal.of(about, content);
    const inline = Buffer.from(bytes).toString("base64");
    if (inline.length <= MOST_INLINE) return { inline, seal };
    return { blob: await this.blobs.put(bytes), seal };
  }

  async unwrap(parcel: unknown, about: About): Promise<Unwrapped> {
    if (!PARCEL(parcel)) return NO_FORM;
    const one = parcel as Parcel;
    // What is read is what the seal was compared with, also of one that has both.
    const inline = "inline" in one ? Buffer.from(one.inline, "base64") : null;
    const content = inline !== null ? hashOf(inline) : (one as Extract<Parcel, { readonly blob: BlobName }>).blob;
    if (!this.seal.isRight(about, content, one.seal ?? "")) return NO_SEAL;
    const bytes = inline ?? (await this.blobs.get(content, MOST_MESSAGE_BYTES));
    if (bytes === null) return { lost: content };
    return (await decode(bytes)) ?? NO_FORM;
  }
}
