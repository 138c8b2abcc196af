// What an executable or a shared library tells the loader: which libraries it needs, where to look for them, which names it gives to
// others. Read from the sections; a file without section headers tells nothing.

import { type Elf, type Section, sectionContent, symbolTable, textAt } from "./elf.js";

export interface DynamicInfo {
  /** In the order of the file. */
  readonly needed: readonly string[];
  readonly rpath: readonly string[];
  readonly runpath: readonly string[];
  /** Defined here and visible to other files. */
  readonly exports: readonly string[];
}

const SHT_DYNAMIC = 6;
const SHT_DYNSYM = 11;
const ENTRY_SIZE = 16;
const TAGS = { needed: 1, rpath: 15, runpath: 29 } as const;

/** Null: it is linked statically, or not at all. */
export function dynamicInfo(elf: Elf): DynamicInfo | null {
  const section = elf.sections.find(({ type }) => type === SHT_DYNAMIC);
  if (section === undefined) return null;
  const texts = (tag: number) => entriesOf(elf, section, tag);
  const folders = (tag: number) => texts(tag).flatMap((text) => text.split(":").filter((folder) => folder !== ""));
  return {
    needed: texts(TAGS.needed),
    rpath: folders(TAGS.rpath),
    runpath: folders(TAGS.runpath),
    exports: symbolTable(elf, SHT_DYNSYM).flatMap(({ name, binding, defined }) =>
      defined && binding !== "local" && name !== "" ? [name] : [],
    ),
  };
}

/** The texts that entries with this tag name. */
function entriesOf(elf: Elf, section: Section, tag: number): string[] {
  const strings = elf.sections[section.link];
  if (strings === undefined) return [];
  const table = sectionContent(elf, section);
  const names = sectionContent(elf, strings);
  const found: string[] = [];
  for (let at = 0; at + ENTRY_SIZE <= table.length; at += ENTRY_SIZE) {
    if (table.readBigUInt64LE(at) === BigInt(tag)) found.push(textAt(names, Number(table.readBigUInt64LE(at + 8))));
  }
  return found;
}
