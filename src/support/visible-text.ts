// Text that others have chosen (names of files and functions, arguments, sources, messages of a compiler, keys of a toml) may hold
// anything: escapes that retitle a terminal, a newline that begins a line of a CI log with `::warning::`, marks that turn the
// direction of writing. Everything that is written for people, terminals, scripts and reports gets its safety here. Renderers
// make text visible where they put it into a line, because only they know where a line ends; what a command prints passes
// `safeOutput` besides, which lets through nothing but text and lines. Our own colours and redrawing are marked with a
// word that nobody else can know, since an escape of somebody else's looks just like one of ours.
// Escapes are those of JSON, so that a document that is printed stays one.

import { randomBytes } from "node:crypto";

/** Control characters, ends of lines of Unicode, what turns the direction of text, halves of characters. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const SHORT: { readonly [char: string]: string } = { "\n": "\\n", "\r": "\\r" };

function escaped(char: string): string {
  return SHORT[char] ?? unicodeEscape(char);
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** One line that stays one: tabs stay, everything hidden is shown. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => (char === "\t" ? char : escaped(char)));
}

export function isVisible(text: string): boolean {
  return text.search(HIDDEN) < 0;
}

/** Lines of a report, each made visible and ended by a newline. */
export function visibleLines(lines: readonly string[]): string {
  return lines.map((line) => `${visible(line)}\n`).join("");
}

/** JSON for a file: the same value, with nothing hidden in it either, and characters whole. */
export function visibleJson(value: unknown, indent: number): string {
  const text = JSON.stringify(value, null, indent);
  return `${text.replace(HIDDEN, (char) => (char === "\n" ? char : unicodeEscape(char)))}\n`;
}

const MARK = `\ufdd0${randomBytes(12).toString("hex")}\ufdd0`;

/** A control sequence of our own, without its ESC: it becomes one when it is printed. */
function own(sequence: string): string {
  return `${MARK}${sequence}${MARK}`;
}

/** `style`: as SGR numbers it; "" for none. */
export function coloured(style: string, text: string): string {
  return style === "" ? text : `${own(`[${style}m`)}${text}${own("[0m")}`;
}

export const ERASE_TO_END_OF_LINE = own("[K");
/** Back to the beginning of a line that rewrites itself, and nothing in it. */
export const ERASE_LINE = `${own("[G")}${ERASE_TO_END_OF_LINE}`;

/** Back to the beginning of the line so many lines above, and nothing from there on. */
export function eraseFrom(linesAbove: number): string {
  return `${own(`[${linesAbove}A`)}${own("[G")}${own("[J")}`;
}

/** What CI systems take for a command when it begins a line, after any space that Unicode has. */
const COMMAND = /(^|[\n\r])([^\S\n\r]*)(?=::)/g;
/** What they take for one wherever it stands: GitHub's runner looks for the first, Azure's for the second. */
const ANYWHERE = /##(?=\[|vso\[)/g;

/** For everything that a command prints. */
export function safeOutput(text: string): string {
  const clean = text
    .split(MARK)
    .map((part, index) => (index % 2 === 1 ? `\x1b${part}` : withoutHidden(part)))
    .join("");
  return clean.replace(COMMAND, "$1$2| ").replace(ANYWHERE, "# #");
}

function withoutHidden(text: string): string {
  return text.replace(HIDDEN, (char) => (char === "\n" || char === "\t" ? char : escaped(char)));
}
