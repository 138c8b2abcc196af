// `--wrap=NAME`, as tests with stand-ins (cmocka's way) are linked: whoever uses NAME and does not define it gets `__wrap_NAME`, and
// `__real_NAME` is what NAME would have been. The linker does that to machine code alone, so the names are kept in the file that it
// makes, for whoever links its IR.

import { readFileSync, statSync, writeFileSync } from "node:fs";
import type { CommandLine } from "./arguments.js";
import { parseElf, withSection } from "./elf.js";

export const WRAP_SECTION = ".tangent.wrap";

/** Of a link; empty for anything else. What is linked only in part is linked again, without these. */
export function wrappedSymbols({ stage, parts }: CommandLine): string[] {
  if (stage !== "link" || parts.some(({ words }) => /^(-Wl,)?-(r|-relocatable)$/.test(words[0]))) return [];
  const words = parts.flatMap(({ words: [first, second] }) => {
    if (first.startsWith("-Wl,")) return first.split(",").slice(1);
    return first === "-Xlinker" && second !== undefined ? [second] : [];
  });
  const names = words.flatMap((word, at) => {
    const match = /^--?wrap(?:=(.*))?$/.exec(word);
    return match === null ? [] : [match[1] ?? words[at + 1] ?? ""];
  });
  return [...new Set(names)].filter((name) => name !== "");
}

/** The file that was linked is told. Throws if it cannot be written. */
export function noteWrapped(path: string, names: readonly string[]): void {
  if (names.length === 0 || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const parsed = parseElf(readFileSync(path));
  if (parsed.kind === "elf") writeFileSync(path, withSection(parsed.elf, WRAP_SECTION, Buffer.from(names.join("\n"))));
}

export function parseWrapped(content: Buffer | null): string[] {
  return (content?.toString("latin1") ?? "").split("\n").filter((name) => name !== "");
}
