// Which source defines a symbol, and which symbols each source needs: known in advance (runtime/libc-index.json, made by
// `npm run libc:index`), so that all that a program needs can be compiled at once, in parallel, before linking asks for
// it symbol by symbol. Without it, each compile would have to end before the next need is known.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceName } from "./libc-sources.js";

/** By source: the symbols it owns, and those it needs, each separated by spaces. */
export type IndexFile = { readonly [source: SourceName]: readonly [owned: string, needed: string] };

export interface LibcIndex {
  /** The source that defines the symbol, or null. */
  owner(symbol: string): SourceName | null;
  /** The sources that define the symbols, what those need, and so on. Sorted. */
  closure(symbols: Iterable<string>): SourceName[];
  readonly sources: readonly SourceName[];
  readonly symbols: Iterable<string>;
}

export const INDEX_FILE = "libc-index.json";

export function readIndex(runtime: string): LibcIndex {
  return makeIndex(JSON.parse(readFileSync(join(runtime, INDEX_FILE), "utf8")) as IndexFile);
}

export function makeIndex(file: IndexFile): LibcIndex {
  const owners = new Map<string, SourceName>();
  const sources = Object.keys(file) as SourceName[];
  for (const source of sources) {
    for (const symbol of words(file[source][0])) owners.set(symbol, source);
  }
  return {
    sources,
    get symbols() {
      return owners.keys();
    },
    owner: (symbol) => owners.get(symbol) ?? null,
    closure: (symbols) => {
      const found = new Set<SourceName>();
      const work = [...symbols];
      for (let symbol = work.pop(); symbol !== undefined; symbol = work.pop()) {
        const source = owners.get(symbol);
        if (source === undefined || found.has(source)) continue;
        found.add(source);
        work.push(...words(file[source][1]));
      }
      return [...found].sort();
    },
  };
}

function words(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}
