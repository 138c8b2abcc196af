// Growths of what a file or standard input holds. Text grows by its lines: longer ones, more of them; what is no text grows at its end.
// Both shrink from their end, down to nothing.

import { linesOf } from "./content-edits.js";
import { bytesOf, ordinal, textOf } from "./shown-text.js";

export interface ContentGrowth {
  readonly key: string;
  readonly rungs: readonly number[];
  readonly make: (amount: number) => Uint8Array;
  readonly step: (name: string, amount: number) => string;
}

const LINE_BYTES = [1, 8, 64, 300, 1100, 5000];
const MORE_LINES = [1, 7, 31, 127, 600];
const MORE_FIELDS = [1, 7, 31, 127];
const MORE_BYTES = [1, 4, 16, 64, 300, 1100, 5000];
/** A record of a file that is no text may have so many bytes. */
const RECORDS = [4, 8, 16];

export function* contentGrowths(bytes: Uint8Array): Generator<ContentGrowth> {
  if (bytes.length === 0) {
    yield {
      key: "a line",
      rungs: LINE_BYTES,
      make: (amount) => bytesOf(`${"a".repeat(amount)}\n`),
      step: (name, amount) => `${name} given a line of ${counted(amount, "byte")}`,
    };
    return;
  }
  if (isText(bytes)) yield* textGrowths(bytes);
  else yield* binaryGrowths(bytes);
  const cuts = [bytes.length, 1, 2, 4, 8, 16, 64, 256, 1024, bytes.length >> 1].filter((cut) => cut <= bytes.length);
  yield {
    key: "shorter",
    rungs: [...new Set(cuts)].filter((cut) => cut > 0).sort((a, b) => a - b),
    make: (amount) => bytes.subarray(0, bytes.length - amount),
    step: (name, amount) =>
      amount === bytes.length ? `${name} emptied` : `${name} shorter by ${counted(amount, "byte")}`,
  };
}

function* textGrowths(bytes: Uint8Array): Generator<ContentGrowth> {
  const lines = linesOf(textOf(bytes));
  const last = lines.length - 1;
  const ended = lines.map((line) => (line.endsWith("\n") ? line : `${line}\n`));
  const joined = (changed: readonly string[]): Uint8Array => bytesOf(changed.join(""));
  yield {
    key: "more lines",
    rungs: MORE_LINES,
    make: (amount) => joined([...ended, ...Array.from({ length: amount }, () => ended[last])]),
    step: (name, amount) => `the last line of ${name} written ${amount === 1 ? "once" : `${amount} times`} more`,
  };
  for (const at of new Set([last, 0, lines.length >> 1])) {
    const [body, end] = parts(lines[at]);
    if (body === "") continue;
    yield {
      key: `line ${at === last ? "last" : at} longer`,
      rungs: LINE_BYTES,
      make: (amount) => joined(lines.with(at, body + body.slice(-1).repeat(amount) + end)),
      step: (name, amount) => `the ${ordinal(at)} line of ${name} longer by ${counted(amount, "byte")}`,
    };
  }
  for (const at of new Set([0, last])) {
    const [body, end] = parts(lines[at]);
    const joint = body.match(/[^A-Za-z0-9_]/g)?.at(-1) ?? " ";
    const field = body.slice(body.lastIndexOf(joint) + 1) || body;
    if (field === "") continue;
    yield {
      key: `line ${at === last ? "last" : at} with more fields`,
      rungs: MORE_FIELDS,
      make: (amount) => joined(lines.with(at, body + `${joint}${field}`.repeat(amount) + end)),
      step: (name, amount) => `${counted(amount, "field")} more in the ${ordinal(at)} line of ${name}`,
    };
  }
}

function* binaryGrowths(bytes: Uint8Array): Generator<ContentGrowth> {
  const text = textOf(bytes);
  for (const [key, filler] of [
    ["its last byte", text.slice(-1)],
    ["zeros", "\0"],
  ]) {
    if (key === "zeros" && text.endsWith("\0")) continue;
    yield {
      key,
      rungs: MORE_BYTES,
      make: (amount) => bytesOf(text + filler.repeat(amount)),
      step: (name, amount) => `${name} longer by ${counted(amount, key === "zeros" ? "zero byte" : "byte")}`,
    };
  }
  for (const size of [...RECORDS, text.length].filter((size) => size <= text.length)) {
    const isWhole = size === text.length;
    yield {
      key: isWhole ? "all of it" : `its last ${size} bytes`,
      rungs: MORE_FIELDS,
      make: (amount) => bytesOf(text + text.slice(-size).repeat(amount)),
      step: (name, amount) =>
        `${isWhole ? `what ${name} holds` : `the last ${size} bytes of ${name}`} written ${amount === 1 ? "once" : `${amount} times`} more`,
    };
  }
}

function parts(line: string): [string, string] {
  return line.endsWith("\n") ? [line.slice(0, -1), "\n"] : [line, ""];
}

function counted(amount: number, what: string): string {
  return amount === 1 ? `1 ${what}` : `${amount} ${what}s`;
}

/** Without bytes that no text has, and with the end of a line somewhere if it is long. */
function isText(bytes: Uint8Array): boolean {
  let plain = 0;
  for (const byte of bytes) {
    if (byte === 0) return false;
    if (byte >= 0x20 || byte === 9 || byte === 10 || byte === 13) plain++;
  }
  return plain * 20 >= bytes.length * 19;
}
