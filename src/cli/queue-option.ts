// `--queue redis://HOST`: a campaign's items are done by workers on other machines. What commands on both sides of a queue have in common.

import { resolve } from "node:path";
import type { ProjectFolder } from "../project/project-folder.js";
import { type BlobTransport, FolderBlobs, RedisBlobs, SizedBlobs } from "../queue/blob-transport.js";
import { type CrewEvent, QueueCrew } from "../queue/queue-crew.js";
import { KEY_VARIABLE, readQueueKey } from "../queue/queue-key.js";
import {
  connect,
  loadQueueLibrary,
  NOT_INSTALLED,
  PREFIX,
  type QueueLibrary,
  type RedisStore,
  troubleWith,
} from "../queue/queue-library.js";
import { isLoopback, PASSWORD_VARIABLE, type RedisAddress, readAddress } from "../queue/redis-address.js";
import { Seal } from "../queue/seal.js";
import { counted } from "../report/finding-view.js";
import { secretOf } from "../support/own-environment.js";
import { visible } from "../support/visible-text.js";
import type { CommandContext } from "./command.js";

const ADDRESS = `redis://HOST[:PORT][/DB], or rediss:// for TLS; the password in it or in $${PASSWORD_VARIABLE}`;

export const STORE_OPTION = {
  kind: "value",
  value: "DIR",
  help: "with --queue: a folder that all machines see, for what is large (default: all of it goes through Redis)",
} as const;

export const KEY_OPTION = {
  kind: "value",
  value: "FILE",
  help: `with --queue: the key that workers and campaigns have in common; else $${KEY_VARIABLE}. Without one the queue must be on this machine`,
} as const;

export const QUEUE_OPTIONS = {
  queue: {
    kind: "value",
    value: "URL",
    help: `let \`tangent worker\` on other machines do the work: ${ADDRESS}`,
  },
  store: STORE_OPTION,
  queueKey: KEY_OPTION,
  trustWorkers: {
    kind: "flag",
    help: "with --queue: let --confirm run natively what workers found, as if it was found here",
  },
} as const;

export const WORKER_QUEUE_OPTION = { kind: "value", value: "URL", help: `where the work is: ${ADDRESS}` } as const;

export interface QueueChoice {
  readonly queue?: string | undefined;
  readonly store?: string | undefined;
  readonly queueKey?: string | undefined;
  readonly trustWorkers?: boolean;
}

const KEY_NEEDED =
  "this queue is not on this machine, so whoever reaches it could send work: give --queue-key FILE, the same key on both sides";

/** Items under way at the same time: as many workers as that are kept busy. */
const MOST_ORDERS = 4096;

/** In words, or null. */
export function wrongQueue({ queue, store, queueKey, trustWorkers }: QueueChoice): string | null {
  if (queue === undefined) {
    if (queueKey !== undefined) return "--queue-key is for campaigns with --queue";
    if (store !== undefined) return "--store is for campaigns with --queue";
    return trustWorkers === true ? "--trust-workers is for campaigns with --queue" : null;
  }
  const address = readAddress(queue, null);
  return typeof address === "string" ? `--queue: ${address}` : null;
}

export interface OpenQueue {
  readonly library: QueueLibrary;
  readonly address: RedisAddress;
  readonly redis: RedisStore;
  readonly blobs: BlobTransport;
  readonly seal: Seal;
}

/** In words why there is none. */
export async function openQueue(
  { store, queueKey, queue = "" }: QueueChoice,
  env: NodeJS.ProcessEnv,
): Promise<OpenQueue | string> {
  const address = readAddress(queue, secretOf(PASSWORD_VARIABLE, env));
  if (typeof address === "string") return `--queue: ${address}`;
  const key = readQueueKey(queueKey, secretOf(KEY_VARIABLE, env));
  if (typeof key === "string") return key;
  if (key === null && !isLoopback(address)) return `${visible(address.shown)}: ${KEY_NEEDED}`;
  const library = await loadQueueLibrary();
  if (library === null) return NOT_INSTALLED;
  const redis = connect(library, address);
  const trouble = await troubleWith(redis, address);
  if (trouble !== null) {
    redis.disconnect();
    return visible(trouble);
  }
  const large = store === undefined ? null : new FolderBlobs(resolve(store));
  return { library, address, redis, blobs: new SizedBlobs(new RedisBlobs(redis, PREFIX), large), seal: new Seal(key) };
}

/** Before the tests run for minutes: in words, or null. */
export async function queueTrouble(choice: QueueChoice, env: NodeJS.ProcessEnv): Promise<string | null> {
  if (choice.queue === undefined) return null;
  const open = await openQueue(choice, env);
  if (typeof open === "string") return open;
  open.redis.disconnect();
  return null;
}

export interface OpenCrew {
  readonly crew: QueueCrew;
  close(): Promise<void>;
}

/** Null if no queue is named. A status: why there is none has been told. */
export async function openCrew(
  choices: QueueChoice,
  folder: ProjectFolder,
  tell: (text: string) => void,
  context: CommandContext,
): Promise<OpenCrew | null | { readonly status: number }> {
  if (choices.queue === undefined) return null;
  const open = await openQueue(choices, context.env);
  if (typeof open === "string") {
    context.error(`tangent: ${open}\n`);
    return { status: 3 };
  }
  const { library, redis, blobs, seal, address } = open;
  const listen = (event: CrewEvent): void => tell(inWords(event, address));
  const crew = new QueueCrew({ library, redis, blobs, seal, folder, most: MOST_ORDERS, listen });
  await crew.ready();
  if (crew.hands() === 0) {
    tell(`no worker is there yet; on any machine: tangent worker --queue ${address.shown}`);
  }
  return {
    crew,
    async close() {
      await crew.close();
      redis.disconnect();
    },
  };
}

function inWords(event: CrewEvent, { shown }: RedisAddress): string {
  if (event.kind === "connection") {
    return event.isUp ? `${shown} is there again` : `${shown} cannot be reached; it is tried again`;
  }
  const { workers, jobs, strangers, otherKeys } = event.seen;
  const cannot = (count: number, why: string): string => (count === 0 ? "" : `; ${counted(count, "worker")} ${why}`);
  const others =
    cannot(strangers, "of another build of tangent cannot help: install the same one") +
    cannot(otherKeys, "with another key, or none, cannot help: give all the same --queue-key");
  if (workers === 0) return `no worker is there${others}`;
  return `${counted(workers, "worker")}, ${counted(jobs, "job")} at a time${others}`;
}
