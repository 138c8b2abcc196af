// A shared library, without a loader that could load it: there is no musl on the machine, so every program is static, and
// what a build calls libx.so is an archive of the objects that would have gone into it. lld tells archives by their content, not by
// their name, so a program linked with that file gets the objects, and their IR, inside. The alternative, a true shared object beside
// musl's loader, would leave the IR in a file that the program finds only when it runs.
// Invariant: libraries that a shared library needs are members of it too, as the program's link line need not name them again.

import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isArchive, type Member, readArchive, writeArchive } from "./ar.js";
import type { ArgumentPart } from "./arguments.js";
import { isElf, parseElf } from "./elf.js";

export type SharedResult = { readonly kind: "written" } | { readonly kind: "failed"; readonly message: string };

/** Objects, archives, -L and -l of a link line become one archive. Sources must have been compiled already. */
export function writeSharedLibrary(
  parts: readonly ArgumentPart[],
  output: string,
  systemLibraries: string,
): SharedResult {
  const folders = parts.flatMap(({ option, value }) => (option === "-L" && value !== null ? [value] : []));
  const members: Member[] = [];
  for (const part of parts) {
    for (const path of pathsOf(part)) {
      const content = membersOf(path);
      if (content.kind === "failed") return content;
      members.push(...content.members);
    }
    if (part.option !== "-l" || part.value === null) continue;
    const path = findLibrary(part.value, folders);
    const content = path === null ? null : membersOf(path);
    if (content !== null && content.kind === "found") members.push(...content.members);
    if (path === null && findLibrary(part.value, [systemLibraries]) === null) {
      return { kind: "failed", message: `cannot find -l${part.value}` };
    }
  }
  try {
    writeFileSync(output, writeArchive(members), { mode: 0o755 });
  } catch (error) {
    return { kind: "failed", message: `cannot write ${output}: ${(error as Error).message}` };
  }
  return { kind: "written" };
}

/** Inputs stand alone or after -Wl, where all else is for a linker that is not called. */
function pathsOf(part: ArgumentPart): readonly string[] {
  if (part.input !== null) return [part.input.path];
  const word = part.words[0];
  return word.startsWith("-Wl,")
    ? word
        .slice(4)
        .split(",")
        .filter((text) => /^[^-].*\.(o|a|lo)$/.test(text))
    : [];
}

type Members =
  | { readonly kind: "found"; readonly members: readonly Member[] }
  | { readonly kind: "failed"; readonly message: string };

function membersOf(path: string): Members {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    return { kind: "failed", message: `cannot open ${path}: ${(error as Error).message}` };
  }
  if (isArchive(bytes)) {
    const archive = readArchive(bytes, path);
    if (archive.kind === "bad") return { kind: "failed", message: `${path}: ${archive.problem}` };
    return { kind: "found", members: archive.members.map(({ name, bytes }) => ({ name: basename(name), bytes })) };
  }
  if (!isElf(bytes)) return { kind: "found", members: [] };
  const elf = parseElf(bytes);
  if (elf.kind === "bad") return { kind: "failed", message: `${path}: ${elf.problem}` };
  // A true shared object is the host's, for another libc.
  return { kind: "found", members: elf.elf.type === "object" ? [{ name: basename(path), bytes }] : [] };
}

function findLibrary(name: string, folders: readonly string[]): string | null {
  const files = name.startsWith(":") ? [name.slice(1)] : [`lib${name}.so`, `lib${name}.a`];
  for (const folder of folders) {
    for (const file of files) {
      const path = join(folder, file);
      try {
        if (isArchive(readFileSync(path))) return path;
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}
