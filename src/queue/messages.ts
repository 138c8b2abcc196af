// What coordinator and workers say to each other through the queue. An order is one work item with the names of all contents that it needs; an
// answer is what the item's thread said. Short messages travel in the job itself, long ones as contents.

import type { ItemEvent } from "../campaign/technique.js";
import type { WorkMessage } from "../campaign/work-messages.js";
import { isContentName } from "../project/content-hash.js";
import type { BlobName } from "../project/seed.js";
import { either, listOf, mapOf, matching, oneOf, orNull, record, type Shape, text, upTo } from "../support/shape.js";
import type { AmplifySetup, AmplifyWork } from "../techniques/amplify-item.js";
import { isAmplifySetup, isAmplifyWork, isItemEvent } from "./amplify-shape.js";
import type { BlobTransport } from "./blob-transport.js";
import { decode, encode } from "./wire.js";

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
  readonly version: string;
  readonly host: string;
  readonly jobs: number;
  readonly busy: number;
  readonly done: number;
}

export type Parcel = { readonly inline: string } | { readonly blob: BlobName };

const content: Shape = isContentName;
const DAY_MS = 86_400_000;
/** Base64 of a message that goes with the job; more goes as a content. */
const MOST_INLINE = 0x8000;
const MOST_TEXT = 100_000;

const ORDER = record({
  technique: oneOf("amplify"),
  setup: isAmplifySetup,
  program: record({ content: text, name: text, image: content, made: mapOf(content) }),
  needs: listOf(text),
  key: text,
  label: text,
  work: isAmplifyWork,
  timeMs: (value) => typeof value === "number" && value > 0 && value <= DAY_MS,
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
const NEWS = record({
  identity: matching(/^[0-9a-f]{12}$/),
  version: words,
  host: words,
  jobs: upTo(1024),
  busy: upTo(1024),
  done: upTo(Number.MAX_SAFE_INTEGER),
});
const PARCEL = either(record({ inline: text }), record({ blob: content }));

export function isOrder(value: unknown): value is ItemOrder {
  return ORDER(value);
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

export async function wrap(value: unknown, blobs: BlobTransport): Promise<Parcel> {
  const bytes = encode(value);
  const inline = Buffer.from(bytes).toString("base64");
  return inline.length <= MOST_INLINE ? { inline } : { blob: await blobs.put(bytes) };
}

/** `lost`: its content is nowhere; null: it is no message. */
export async function unwrap(
  parcel: unknown,
  blobs: BlobTransport,
): Promise<{ readonly value: unknown } | { readonly lost: BlobName } | null> {
  if (!PARCEL(parcel)) return null;
  const one = parcel as Parcel;
  if ("inline" in one) return decode(Buffer.from(one.inline, "base64"));
  const bytes = await blobs.get(one.blob);
  return bytes === null ? { lost: one.blob } : decode(bytes);
}
