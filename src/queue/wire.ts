// Plain data as bytes, for the way between machines: JSON, with a form for what JSON lacks (byte arrays, maps, numbers without end), made small.
// Structured cloning would do the same, but its bytes belong to one version of V8, and reading them was never meant for bytes of strangers.
// Invariant: reading never executes, and never makes more than a bounded number of bytes out of a few.

import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";

/** Of a message before it is made small. Ours are far smaller, a program's image is never one, and to read more would stop the clock. */
export const MOST_MESSAGE_BYTES = 0x200_0000;
/** Shorter ones are not made smaller. */
const LEAST_DEFLATED = 512;
const [PLAIN, DEFLATED] = [0, 1];
/** What is inflated between two looks at the clock. */
const PIECE_BYTES = 0x4_0000;

/** An object with this one field stands for something else; a field of that name is never ours. */
const MARK = "$";

const [smaller, larger] = [promisify(deflateRaw), promisify(inflateRaw)];

/** Throws if it is too large to be a message. */
export async function encode(value: unknown): Promise<Uint8Array> {
  const text = encodeText(value);
  const isSmall = text.length < LEAST_DEFLATED;
  const body = isSmall ? text : await smaller(text, { level: 3 });
  return Buffer.concat([Buffer.from([isSmall ? PLAIN : DEFLATED]), body]);
}

/** Null if the bytes are no message. */
export async function decode(bytes: Uint8Array): Promise<{ readonly value: unknown } | null> {
  const body = bytes.subarray(1);
  if (bytes[0] === PLAIN) return decodeText(body);
  if (bytes[0] !== DEFLATED) return null;
  try {
    return decodeText(await larger(body, { maxOutputLength: MOST_MESSAGE_BYTES, chunkSize: PIECE_BYTES }));
  } catch {
    return null;
  }
}

/** The same without being made small, for the way to another process. */
export function encodeText(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(written(value)));
  if (text.length > MOST_MESSAGE_BYTES) {
    throw new Error(`${Math.ceil(text.length / 1e6)} MB are too much for a message`);
  }
  return text;
}

export function decodeText(text: Uint8Array): { readonly value: unknown } | null {
  if (text.length > MOST_MESSAGE_BYTES) return null;
  try {
    return { value: read(JSON.parse(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString())) };
  } catch {
    return null;
  }
}

function written(value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return { [MARK]: ["number", String(value)] };
  if (typeof value === "bigint") return { [MARK]: ["bigint", String(value)] };
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Uint8Array) {
    return { [MARK]: ["bytes", Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")] };
  }
  if (value instanceof Map) return { [MARK]: ["map", [...value].map(written)] };
  if (value instanceof Set) return { [MARK]: ["set", [...value].map(written)] };
  if (ArrayBuffer.isView(value)) throw new Error("only bytes travel, not other arrays of numbers");
  if (Array.isArray(value)) return value.map((each) => (each === undefined ? null : written(each)));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, written(each)]));
}

function read(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(read);
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0][0] === MARK) return special(entries[0][1]);
  // A name like __proto__ is a field like any other.
  const made: Record<string, unknown> = {};
  for (const [name, each] of entries) {
    Object.defineProperty(made, name, { value: read(each), enumerable: true, writable: true, configurable: true });
  }
  return made;
}

function special(form: unknown): unknown {
  const [kind, content] = Array.isArray(form) ? (form as readonly unknown[]) : [];
  if (kind === "bytes" && typeof content === "string") return new Uint8Array(Buffer.from(content, "base64"));
  if (kind === "number" && typeof content === "string") return Number(content);
  if (kind === "bigint" && typeof content === "string" && /^-?\d{1,1000}$/.test(content)) return BigInt(content);
  if (kind === "map" && Array.isArray(content)) return new Map(content.map(read) as [unknown, unknown][]);
  if (kind === "set" && Array.isArray(content)) return new Set(content.map(read));
  throw new Error("no form of ours");
}
