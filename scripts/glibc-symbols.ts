// Makes runtime/glibc/symbols.txt true again: which of glibc's names our libc has, and how. Names stay in the table; those
// that the programs and libraries given as arguments take from glibc (by `nm -D`) are added. A line `NAME as OTHER` is kept
// as it was written; every other word follows from the index.
//   npm run --silent build && node dist/scripts/glibc-symbols.js /usr/bin/* /usr/lib/x86_64-linux-gnu/*.so.*

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type GlibcSymbol, readGlibcSymbols, SYMBOLS_FILE, wayOf } from "../src/frontend/glibc-names.js";
import { readIndex } from "../src/frontend/libc-index.js";
import { libcFolders } from "../src/frontend/libc-sources.js";
import { findToolchain } from "../src/frontend/toolchain.js";
import { GLIBC_PREFIX } from "../src/support/library-names.js";
import { scriptWords } from "./usage.js";

const HEAD = `# What programs made with glibc's headers get for glibc's names (docs/glibc.md). Made by scripts/glibc-symbols.ts; only
# the lines with \`as\` are written by hand.
`;

function usedNames(files: readonly string[]): string[] {
  const names: string[] = [];
  for (const file of files) {
    const { stdout } = spawnSync("nm", ["-D", "--undefined-only", file], { encoding: "utf8", maxBuffer: 1 << 26 });
    for (const match of (stdout ?? "").matchAll(/ [UwB] (\w+)@+GLIBC_[\d.]+\s*$/gm)) names.push(match[1]);
  }
  return names;
}

const programs = scriptWords(import.meta.url);
const found = findToolchain({ env: process.env });
if (found.kind === "missing") throw new Error(found.message);
const { runtime } = libcFolders(found.toolchain);
const index = readIndex(runtime);
const old = new Map(readGlibcSymbols(runtime).map((symbol) => [symbol.name, symbol]));
const overlaid = [...index.symbols]
  .filter((symbol) => symbol.startsWith(GLIBC_PREFIX) && index.owner(symbol)?.startsWith("glibc/"))
  .map((symbol) => symbol.slice(GLIBC_PREFIX.length))
  .filter((symbol) => !symbol.startsWith("regex_"));
const names = [...new Set([...old.keys(), ...overlaid, ...usedNames(programs)])].sort();
const counts = new Map<string, number>();
const lines = names.map((name) => {
  const kept: GlibcSymbol | undefined = old.get(name);
  const way = kept?.way === "as" ? "as" : wayOf(name, index);
  counts.set(way, (counts.get(way) ?? 0) + 1);
  return way === "as" ? `${name} as ${kept?.other}` : `${name} ${way}`;
});
writeFileSync(join(runtime, SYMBOLS_FILE), `${HEAD}${lines.join("\n")}\n`);
for (const [way, count] of counts) console.log(`${way}: ${count}`);
