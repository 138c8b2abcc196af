// Links with -flto: the linker's plugin makes new code of the objects that it claims and drops all else they hold, our sections too. So
// these sections are gathered from the inputs, and added to what was linked.
// Of an archive all members are taken: which of them the plugin asked for is not known. Linking IR follows only what is reached.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isArchive, readArchive } from "./ar.js";
import type { CommandLine } from "./arguments.js";
import { HOST_SECTION, UNCAPTURED_SECTION } from "./capture.js";
import { contentOf, isElf, parseElf } from "./elf.js";

export interface Gathered {
  readonly bitcode: readonly Buffer[];
  readonly marks: readonly Buffer[];
}

export function gatherFromLto(line: CommandLine): Gathered {
  const bitcode: Buffer[] = [];
  const marks: Buffer[] = [];
  for (const path of inputsOf(line)) {
    for (const bytes of objectsIn(path)) {
      const parsed = parseElf(bytes);
      if (parsed.kind === "bad" || parsed.elf.type !== "object") continue;
      if (!parsed.elf.sections.some(({ name }) => name.startsWith(".gnu.lto_"))) continue;
      const ir = contentOf(parsed.elf, HOST_SECTION);
      const mark = contentOf(parsed.elf, UNCAPTURED_SECTION);
      if (ir !== null) bitcode.push(ir);
      if (mark !== null) marks.push(mark);
    }
  }
  return { bitcode, marks };
}

function inputsOf(line: CommandLine): string[] {
  const folders = line.parts.flatMap(({ option, value }) => (option === "-L" && value !== null ? [value] : []));
  return line.parts.flatMap((part) => {
    if (part.input !== null) return part.input.language === "object" ? [part.input.path] : [];
    if (part.words[0].startsWith("-Wl,")) return part.words[0].split(",").filter((text) => /^[^-].*\.[oa]$/.test(text));
    if (part.option !== "-l" || part.value === null) return [];
    const name = part.value.startsWith(":") ? part.value.slice(1) : `lib${part.value}.a`;
    return folders.map((folder) => join(folder, name));
  });
}

function objectsIn(path: string): Buffer[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return [];
  }
  if (!isArchive(bytes)) return isElf(bytes) ? [bytes] : [];
  const archive = readArchive(bytes, path);
  return archive.kind === "bad" ? [] : archive.members.flatMap((member) => (isElf(member.bytes) ? [member.bytes] : []));
}
