// `tangent nm`: the symbols of objects and archives, in the form that libtool's and configure's scripts read, for machines
// without binutils. Only the common options mean something; others are taken and ignored.

import { readFileSync } from "node:fs";
import { isArchive, readArchive } from "../frontend/ar.js";
import { type Elf, type ElfSymbol, parseElf, SHN_ABSOLUTE, SHN_COMMON, symbolsOf } from "../frontend/elf.js";
import { type CommandContext, defineCommand } from "./command.js";

export const command = defineCommand({
  name: "nm",
  summary: "List the symbols of objects and archives, as nm does",
  options: {},
  operands: { args: { kind: "rest", value: "ARG", help: "-g, -u, -p, -P, -B and files" } },
  run(_, { args }, context) {
    const files = args.filter((word) => !word.startsWith("-"));
    const flags = args.filter((word) => /^-[A-Za-z]+$/.test(word)).join("");
    if (args.includes("--version") || args.includes("-V")) {
      context.out("tangent nm, compatible with GNU nm\n");
      return 0;
    }
    let status = 0;
    for (const file of files.length > 0 ? files : ["a.out"]) {
      if (!listFile(file, files.length > 1, flags, context)) status = 1;
    }
    return status;
  },
});

function listFile(path: string, named: boolean, flags: string, context: CommandContext): boolean {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    context.error(`tangent nm: ${path}: ${(error as Error).message}\n`);
    return false;
  }
  const archive = isArchive(bytes) ? readArchive(bytes, path) : null;
  if (archive?.kind === "bad") {
    context.error(`tangent nm: ${path}: ${archive.problem}\n`);
    return false;
  }
  for (const member of archive?.members ?? [{ name: path, bytes }]) {
    const parsed = parseElf(member.bytes);
    if (parsed.kind === "bad") {
      context.error(`tangent nm: ${member.name}: ${parsed.problem}\n`);
      if (archive === null) return false;
      continue;
    }
    if (archive !== null || named) context.out(`\n${member.name}:\n`);
    context.out(listing(parsed.elf, flags));
  }
  return true;
}

function listing(elf: Elf, flags: string): string {
  const portable = flags.includes("P");
  const lines: string[] = [];
  const symbols = symbolsOf(elf).filter(
    ({ name, kind, binding, defined }) =>
      name !== "" &&
      kind !== "section" &&
      kind !== "file" &&
      !(flags.includes("g") && binding === "local") &&
      !(flags.includes("u") && defined),
  );
  if (!flags.includes("p")) symbols.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const symbol of symbols) {
    const letter = letterOf(elf, symbol);
    const value = symbol.value.toString(16).padStart(16, "0");
    if (portable) {
      lines.push(
        symbol.defined ? `${symbol.name} ${letter} ${value} ${symbol.size.toString(16)}` : `${symbol.name} ${letter}`,
      );
    } else lines.push(`${symbol.defined ? value : " ".repeat(16)} ${letter} ${symbol.name}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

const SHF_WRITE = 1;
const SHF_ALLOC = 2;
const SHF_EXECUTE = 4;
const SHT_NOBITS = 8;

function letterOf(elf: Elf, { binding, kind, defined, sectionIndex }: ElfSymbol): string {
  if (binding === "weak") {
    const weak = kind === "object" ? "V" : "W";
    return defined ? weak : weak.toLowerCase();
  }
  if (!defined) return "U";
  const section = elf.sections[sectionIndex];
  let letter = "n";
  if (sectionIndex === SHN_ABSOLUTE) letter = "a";
  else if (sectionIndex === SHN_COMMON) letter = "c";
  else if (section === undefined) letter = "?";
  else if (section.flags & SHF_EXECUTE) letter = "t";
  else if (section.type === SHT_NOBITS) letter = "b";
  else if (section.flags & SHF_WRITE) letter = "d";
  else if (section.flags & SHF_ALLOC) letter = "r";
  return binding === "local" ? letter : letter.toUpperCase();
}
