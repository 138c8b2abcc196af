// Archives (`ar`): read for the IR of libraries, written when a build asks for a shared library, for which an archive
// stands in (cc-shared.ts says why). Calling `ar` would be the alternative; a bare machine may have none, and the format is a row of
// 60-byte headers. The symbol index is left out when writing: lld needs none.
// Invariant: a member's bytes are a view into the archive's; an archive cut short is a problem reported.

import { dirname, isAbsolute, join } from "node:path";
import { readRegularFile } from "../support/regular-file.js";

export interface Member {
  readonly name: string;
  readonly bytes: Buffer;
}

export type ArchiveResult =
  | { readonly kind: "archive"; readonly members: readonly Member[] }
  | { readonly kind: "bad"; readonly problem: string };

const MAGIC = "!<arch>\n";
const THIN_MAGIC = "!<thin>\n";
const HEADER_SIZE = 60;
/** Of a thin archive's members together: it may name the same file any number of times. */
const MOST_MEMBER_BYTES = 0x7fff_ffff;

export function isArchive(bytes: Buffer): boolean {
  const magic = bytes.toString("latin1", 0, MAGIC.length);
  return magic === MAGIC || magic === THIN_MAGIC;
}

/** `path` is where the archive lies: a thin archive names its members relative to that. */
export function readArchive(bytes: Buffer, path: string): ArchiveResult {
  if (!isArchive(bytes)) return { kind: "bad", problem: "it is not an archive" };
  const thin = bytes.toString("latin1", 0, MAGIC.length) === THIN_MAGIC;
  const members: Member[] = [];
  let longNames = "";
  let left = MOST_MEMBER_BYTES;
  let at = MAGIC.length;
  while (at < bytes.length) {
    if (at + HEADER_SIZE > bytes.length) return { kind: "bad", problem: `its member at byte ${at} is cut short` };
    const field = (from: number, to: number) => bytes.toString("latin1", at + from, at + to).trimEnd();
    const size = Number(field(48, 58));
    if (bytes[at + 58] !== 0x60 || !Number.isSafeInteger(size) || size < 0) {
      return { kind: "bad", problem: `its member at byte ${at} has no proper header` };
    }
    const rawName = field(0, 16);
    const start = at + HEADER_SIZE;
    const isIndex = rawName === "/" || rawName === "/SYM64/" || rawName.startsWith("__.SYMDEF");
    const isNames = rawName === "//";
    const external = thin && !isIndex && !isNames;
    const end = external ? start : start + size;
    if (end > bytes.length) return { kind: "bad", problem: `its member at byte ${at} is cut short` };
    const content = bytes.subarray(start, end);
    at = end + (end & 1);
    if (isIndex) continue;
    if (isNames) {
      longNames = content.toString("latin1");
      continue;
    }
    const bsdLength = rawName.startsWith("#1/") ? Number(rawName.slice(3)) : 0;
    const name = bsdLength > 0 ? untilNul(content.toString("latin1", 0, bsdLength)) : memberName(rawName, longNames);
    if (name.startsWith("__.SYMDEF")) continue;
    if (!external) {
      members.push({ name, bytes: content.subarray(bsdLength) });
      continue;
    }
    const file = isAbsolute(name) ? name : join(dirname(path), name);
    try {
      const content = readRegularFile(file, { mostBytes: left });
      left -= content.length;
      members.push({ name, bytes: content });
    } catch {
      return { kind: "bad", problem: `it is a thin archive and its member ${file} cannot be read, or is too large` };
    }
  }
  return { kind: "archive", members };
}

function memberName(raw: string, longNames: string): string {
  if (!/^\/\d+$/.test(raw)) return raw.endsWith("/") ? raw.slice(0, -1) : raw;
  const from = Number(raw.slice(1));
  const end = longNames.indexOf("\n", from);
  const name = longNames.slice(from, end < 0 ? longNames.length : end);
  return name.endsWith("/") ? name.slice(0, -1) : name;
}

function untilNul(text: string): string {
  const end = text.indexOf("\0");
  return end < 0 ? text : text.slice(0, end);
}

/** An archive in GNU form, without symbol index. */
export function writeArchive(members: readonly Member[]): Buffer {
  const parts: Buffer[] = [Buffer.from(MAGIC, "latin1")];
  let longNames = "";
  const shortNames = members.map(({ name }) => {
    if (name.length <= 15 && !name.includes("/")) return `${name}/`;
    const reference = `/${longNames.length}`;
    longNames += `${name}/\n`;
    return reference;
  });
  if (longNames !== "") push(parts, "//", Buffer.from(longNames, "latin1"));
  for (const [index, member] of members.entries()) push(parts, shortNames[index], member.bytes);
  return Buffer.concat(parts);
}

function push(parts: Buffer[], name: string, content: Buffer): void {
  const header = `${name.padEnd(16)}${"0".padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"644".padEnd(8)}${String(content.length).padEnd(10)}\`\n`;
  parts.push(Buffer.from(header, "latin1"), content);
  if (content.length % 2 === 1) parts.push(Buffer.from("\n"));
}
