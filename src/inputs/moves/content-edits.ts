// Edits of what a file or standard input holds, by lines where that makes sense. Each says what it does to the thing it is told the
// name of, and makes new bytes only when asked.

import type { Content } from "./pool.js";
import { bytesOf, ordinal, shown, textOf } from "./shown-text.js";

export interface ContentEdit {
  readonly step: (name: string) => string;
  readonly make: (bytes: Uint8Array) => Uint8Array;
}

const LONG_LINE = 10_000;
const MOST_DONORS = 4;

/** The likeliest to matter first. Lines that are chosen: the first, one in the middle, the last. */
export function* contentEdits(bytes: Uint8Array, donors: readonly Content[]): Generator<ContentEdit> {
  const count = countLines(bytes);
  const chosen = [...new Set([0, count >> 1, count - 1])].filter((line) => line >= 0);
  yield { step: (name) => `${name} emptied`, make: () => new Uint8Array(0) };
  yield bytes.at(-1) === 10
    ? { step: (name) => `the last newline of ${name} removed`, make: (old) => old.slice(0, -1) }
    : { step: (name) => `a newline added at the end of ${name}`, make: (old) => bytesOf(`${textOf(old)}\n`) };
  for (const line of chosen) yield oneLine(line, "removed", () => "");
  for (const line of chosen) yield oneLine(line, "changed", (text) => changed(text));
  for (const line of chosen) yield oneLine(line, "written twice", (text) => `${ended(text)}${text}`);
  for (const line of chosen) yield oneLine(line, "put behind the next one", (text) => text, true);
  yield { step: (name) => `an empty line put in front of ${name}`, make: (old) => bytesOf(`\n${textOf(old)}`) };
  yield { step: (name) => `a line put at the end of ${name}`, make: (old) => bytesOf(`${ended(textOf(old))}added\n`) };
  for (const line of chosen) {
    yield oneLine(line, "given other blanks", (text) => `${body(text).replace(/[ \t]+/g, "  \t")} \t${end(text)}`);
    yield oneLine(line, "written in the other case", otherCase);
    yield oneLine(line, "begun with a tab", (text) => `\t${text}`);
    yield oneLine(line, "followed by an empty one", (text) => `${ended(text)}\n`);
    yield oneLine(line, "given another number", otherNumber);
  }
  for (const { name: donor, bytes: other } of donors.slice(0, MOST_DONORS)) {
    const line = textOf(other).split("\n", 1)[0];
    if (line === "") continue;
    yield {
      step: (name) => `a line of ${shown(donor)} put in front of ${name}`,
      make: (old) => bytesOf(`${line}\n${textOf(old)}`),
    };
  }
  yield { step: (name) => `${name} cut in the middle`, make: (old) => old.slice(0, old.length >> 1) };
  yield {
    step: (name) => `only the first line of ${name} kept`,
    make: (old) => bytesOf(linesOf(textOf(old))[0] ?? ""),
  };
  yield {
    step: (name) => `lines of ${name} ended by CR LF`,
    make: (old) => bytesOf(textOf(old).replaceAll(/\r?\n/g, "\r\n")),
  };
  yield { step: (name) => `a zero byte put into ${name}`, make: zeroInside };
  yield { step: (name) => `zero bytes put in front of ${name}`, make: (old) => bytesOf(`\0\0\0${textOf(old)}`) };
  yield {
    step: (name) => `a line of ${LONG_LINE} bytes put in front of ${name}`,
    make: (old) => bytesOf(`${"long ".repeat(LONG_LINE / 5)}\n${textOf(old)}`),
  };
  yield {
    step: (name) => `a line that is not ASCII put in front of ${name}`,
    make: (old) => bytesOf(`\xc3\xa9\xe2\x82\xac\xff\n${textOf(old)}`),
  };
  yield { step: (name) => `${name} written twice`, make: (old) => bytesOf(`${ended(textOf(old))}${textOf(old)}`) };
  yield {
    step: (name) => `${name} written ten times`,
    make: (old) => bytesOf(ended(textOf(old)).repeat(10)),
  };
  yield { step: (name) => `${name} made one newline`, make: () => bytesOf("\n") };
  yield { step: (name) => `lines of ${name} turned round`, make: (old) => bytesOf(turned(textOf(old))) };
  yield { step: (name) => `the first byte of ${name} removed`, make: (old) => old.slice(1) };
}

/** Lines with their ends; no empty one at the end. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** One line, changed so that it differs from what it was. */
export function changed(line: string): string {
  const text = body(line);
  if (text === "") return `changed${end(line)}`;
  const middle = text.length >> 1;
  return `${text.slice(0, middle)}${text[middle] === "Q" ? "Z" : "Q"}${text.slice(middle + 1)}${end(line)}`;
}

/** Letters that are large made small and the other way round. */
export function otherCase(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 0x20));
}

function oneLine(line: number, did: string, change: (text: string) => string, exchanged = false): ContentEdit {
  return {
    step: (name) => `the ${ordinal(line)} line of ${name} ${did}`,
    make: (old) => {
      const lines = linesOf(textOf(old));
      if (lines[line] === undefined) return old;
      if (exchanged) {
        const next = lines[line + 1];
        if (next === undefined) return old;
        lines.splice(line, 2, ended(next), lines[line]);
      } else lines[line] = change(lines[line]);
      return bytesOf(lines.join(""));
    },
  };
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === 10) count++;
  return bytes.length > 0 && bytes.at(-1) !== 10 ? count + 1 : count;
}

function end(line: string): string {
  return line.endsWith("\n") ? "\n" : "";
}
function body(line: string): string {
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function otherNumber(line: string): string {
  return line.replace(/-?\d+/, (number) => (number === "0" ? "-1" : number.length > 9 ? "0" : "99999999999"));
}

function zeroInside(old: Uint8Array): Uint8Array {
  const middle = old.length >> 1;
  const text = textOf(old);
  return bytesOf(`${text.slice(0, middle)}\0${text.slice(middle)}`);
}

function turned(text: string): string {
  return linesOf(text).map(ended).reverse().join("");
}
