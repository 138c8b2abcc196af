// ELF files, as much of them as the capture of IR needs: find sections by name, list symbols, replace a section's
// content. The alternative was `objcopy`, which a bare machine lacks. Everything is read from one buffer; nothing is
// copied until asked for.
// Invariant: every offset read from the file is checked against the file's length before it is used, so that a file cut
// short is a problem reported, never an exception.

const ELF_TYPES = { 1: "object", 2: "executable", 3: "shared" } as const;
export type ElfType = (typeof ELF_TYPES)[keyof typeof ELF_TYPES] | "other";

export interface Section {
  readonly index: number;
  readonly name: string;
  readonly type: number;
  readonly flags: number;
  readonly offset: number;
  readonly size: number;
  readonly link: number;
}

export interface ElfSymbol {
  readonly name: string;
  readonly kind: "function" | "object" | "none" | "section" | "file" | "common" | "tls" | "other";
  readonly binding: "local" | "global" | "weak" | "other";
  readonly defined: boolean;
  /** An index into the sections; 0xfff1 is an absolute symbol, 0xfff2 a common one. */
  readonly sectionIndex: number;
  readonly value: number;
  readonly size: number;
}

export interface Elf {
  readonly type: ElfType;
  readonly bytes: Buffer;
  readonly sections: readonly Section[];
}

export type ElfResult =
  | { readonly kind: "elf"; readonly elf: Elf }
  | { readonly kind: "bad"; readonly problem: string };

const HEADER_SIZE = 64;
const SECTION_HEADER_SIZE = 64;
const SYMBOL_SIZE = 24;
const SHT_SYMTAB = 2;
const SHT_NOBITS = 8;
const SHN_XINDEX = 0xffff;
export const SHN_ABSOLUTE = 0xfff1;
export const SHN_COMMON = 0xfff2;

export function isElf(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46;
}

export function parseElf(bytes: Buffer): ElfResult {
  if (!isElf(bytes)) return bad("it is not an ELF file");
  if (bytes.length < HEADER_SIZE) return bad(`its ELF header is cut short at ${bytes.length} bytes`);
  if (bytes[4] !== 2 || bytes[5] !== 1) return bad("it is not a 64-bit little-endian ELF file");
  const machine = bytes.readUInt16LE(18);
  if (machine !== 62) return bad(`it is for machine ${machine}, not for x86-64`);
  const type = ELF_TYPES[bytes.readUInt16LE(16) as keyof typeof ELF_TYPES] ?? "other";
  const tableOffset = Number(bytes.readBigUInt64LE(40));
  if (tableOffset === 0) return { kind: "elf", elf: { type, bytes, sections: [] } };
  if (bytes.readUInt16LE(58) !== SECTION_HEADER_SIZE) return bad("its section headers have an unknown size");
  if (tableOffset + SECTION_HEADER_SIZE > bytes.length) return bad("its section table lies outside the file");
  // With 65280 sections or more, the numbers stand in the first section header.
  const count = bytes.readUInt16LE(60) || Number(bytes.readBigUInt64LE(tableOffset + 32));
  const namesField = bytes.readUInt16LE(62);
  const namesIndex = namesField === SHN_XINDEX ? bytes.readUInt32LE(tableOffset + 40) : namesField;
  if (tableOffset + count * SECTION_HEADER_SIZE > bytes.length) return bad("its section table is cut short");
  if (namesIndex >= count) return bad("its section names are missing");
  const raw: (Omit<Section, "name"> & { nameOffset: number })[] = [];
  for (let index = 0; index < count; index++) {
    const at = tableOffset + index * SECTION_HEADER_SIZE;
    const sectionType = bytes.readUInt32LE(at + 4);
    const offset = Number(bytes.readBigUInt64LE(at + 24));
    const size = Number(bytes.readBigUInt64LE(at + 32));
    if (index > 0 && sectionType !== SHT_NOBITS && offset + size > bytes.length) {
      return bad(`its section ${index} ends at ${offset + size}, but the file has only ${bytes.length} bytes`);
    }
    raw.push({
      index,
      nameOffset: bytes.readUInt32LE(at),
      type: sectionType,
      flags: Number(bytes.readBigUInt64LE(at + 8)),
      offset,
      size,
      link: bytes.readUInt32LE(at + 40),
    });
  }
  const names = bytes.subarray(raw[namesIndex].offset, raw[namesIndex].offset + raw[namesIndex].size);
  const sections = raw.map(({ nameOffset, ...section }) => ({
    ...section,
    name: stringAt(names, nameOffset, LONGEST_SECTION_NAME),
  }));
  const sizes = new Map<string, number>();
  for (const section of sections) {
    const size = (sizes.get(section.name) ?? 0) + contentSize(section);
    if (size > bytes.length)
      return bad(`its sections '${section.name.slice(0, 40)}' together are larger than the file`);
    sizes.set(section.name, size);
  }
  return { kind: "elf", elf: { type, bytes, sections } };
}

function bad(problem: string): ElfResult {
  return { kind: "bad", problem };
}

/** Names that have no end could each be as long as the file, and there may be a million of them. */
const LONGEST_SECTION_NAME = 0x400;
const LONGEST_SYMBOL_NAME = 0x1_0000;

function stringAt(table: Buffer, offset: number, longest: number): string {
  const part = table.subarray(offset, offset + longest);
  const end = part.indexOf(0);
  return part.toString("latin1", 0, end < 0 ? part.length : end);
}

/** A name in a string table. */
export function textAt(table: Buffer, offset: number): string {
  return stringAt(table, offset, LONGEST_SYMBOL_NAME);
}

/** The first section has no content: its fields hold other numbers. */
function contentSize({ index, type, size }: Section): number {
  return index === 0 || type === SHT_NOBITS ? 0 : size;
}

export function sectionContent(elf: Elf, section: Section): Buffer {
  if (section.type === SHT_NOBITS) return Buffer.alloc(0);
  return elf.bytes.subarray(section.offset, section.offset + section.size);
}

/** The contents of all sections of that name, in order, as one. Null: there is none. */
export function contentOf(elf: Elf, name: string): Buffer | null {
  const found = elf.sections.filter((section) => section.name === name);
  if (found.length === 0) return null;
  if (found.length === 1) return sectionContent(elf, found[0]);
  return Buffer.concat(found.map((section) => sectionContent(elf, section)));
}

const SYMBOL_KINDS = ["none", "object", "function", "section", "file", "common", "tls"] as const;
const SYMBOL_BINDINGS = ["local", "global", "weak"] as const;

/** The symbols of `.symtab`; none for a stripped file. */
export function symbolsOf(elf: Elf): ElfSymbol[] {
  return symbolTable(elf, SHT_SYMTAB);
}

/** The symbols in sections of that type. */
export function symbolTable(elf: Elf, type: number): ElfSymbol[] {
  const symbols: ElfSymbol[] = [];
  for (const section of elf.sections) {
    if (section.type !== type) continue;
    const names = elf.sections[section.link];
    if (names === undefined) continue;
    const strings = sectionContent(elf, names);
    const table = sectionContent(elf, section);
    for (let at = SYMBOL_SIZE; at + SYMBOL_SIZE <= table.length; at += SYMBOL_SIZE) {
      const info = table[at + 4];
      const sectionIndex = table.readUInt16LE(at + 6);
      symbols.push({
        name: stringAt(strings, table.readUInt32LE(at), LONGEST_SYMBOL_NAME),
        kind: SYMBOL_KINDS[info & 15] ?? "other",
        binding: SYMBOL_BINDINGS[info >> 4] ?? "other",
        defined: sectionIndex !== 0,
        sectionIndex,
        value: Number(table.readBigUInt64LE(at + 8)),
        size: Number(table.readBigUInt64LE(at + 16)),
      });
    }
  }
  return symbols;
}

/** Names that other objects can use. */
export function definedSymbols(elf: Elf): string[] {
  const globals = symbolsOf(elf).filter(({ binding, defined }) => defined && binding !== "local");
  return globals.map(({ name }) => name);
}

/**
 * The file with one section's content replaced, or with a section added when it has none of that name. The new content and a new
 * section table go to the end of the file, so no other offset changes; the old content stays as dead bytes.
 */
export function withSection(elf: Elf, name: string, content: Uint8Array): Buffer {
  const { bytes, sections } = elf;
  const oldTable = Number(bytes.readBigUInt64LE(40));
  const existing = sections.find((section) => section.name === name);
  const namesSection = sections[bytes.readUInt16LE(62)];
  const contentOffset = align8(bytes.length);
  const tail: Uint8Array[] = [Buffer.alloc(contentOffset - bytes.length), content];
  let end = contentOffset + content.length;

  const count = sections.length + (existing === undefined ? 1 : 0);
  const table = Buffer.alloc(count * SECTION_HEADER_SIZE);
  bytes.copy(table, 0, oldTable, oldTable + sections.length * SECTION_HEADER_SIZE);
  const at = (existing?.index ?? sections.length) * SECTION_HEADER_SIZE;
  if (existing === undefined) {
    // A new name: the string table grows, so it moves to the end too.
    const names = Buffer.concat([sectionContent(elf, namesSection), Buffer.from(`${name}\0`, "latin1")]);
    table.writeUInt32LE(namesSection.size, at);
    table.writeUInt32LE(1, at + 4);
    table.writeBigUInt64LE(1n, at + 48);
    const namesAt = namesSection.index * SECTION_HEADER_SIZE;
    table.writeBigUInt64LE(BigInt(end), namesAt + 24);
    table.writeBigUInt64LE(BigInt(names.length), namesAt + 32);
    tail.push(names);
    end += names.length;
  }
  table.writeBigUInt64LE(BigInt(contentOffset), at + 24);
  table.writeBigUInt64LE(BigInt(content.length), at + 32);
  const tableOffset = align8(end);
  const result = Buffer.concat([bytes, ...tail, Buffer.alloc(tableOffset - end), table]);
  result.writeBigUInt64LE(BigInt(tableOffset), 40);
  result.writeUInt16LE(count, 60);
  return result;
}

/** The file with symbols renamed, wherever they are defined or used. The old names stay in the string table as dead bytes. */
export function withSymbolsRenamed(elf: Elf, names: ReadonlyMap<string, string>): Buffer {
  const symbols = elf.sections.find(({ type }) => type === SHT_SYMTAB);
  const strings = symbols === undefined ? undefined : elf.sections[symbols.link];
  if (symbols === undefined || strings === undefined) return elf.bytes;
  const table = Buffer.from(sectionContent(elf, symbols));
  let text = sectionContent(elf, strings);
  for (let at = SYMBOL_SIZE; at + SYMBOL_SIZE <= table.length; at += SYMBOL_SIZE) {
    const replacement = names.get(stringAt(text, table.readUInt32LE(at), LONGEST_SYMBOL_NAME));
    if (replacement === undefined) continue;
    table.writeUInt32LE(text.length, at);
    text = Buffer.concat([text, Buffer.from(`${replacement}\0`, "latin1")]);
  }
  const renamed = Buffer.from(elf.bytes);
  table.copy(renamed, symbols.offset);
  return withSection({ ...elf, bytes: renamed }, strings.name, text);
}

function align8(offset: number): number {
  return (offset + 7) & ~7;
}
