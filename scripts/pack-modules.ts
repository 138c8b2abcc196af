// Puts all modules of dist/src into one file, from which bin/start.cjs starts tangent: see there for why. `npm pack` runs this after the
// build. Each module becomes a function: its imports are asked for at its top, its exports are told at its end, and every line stays
// where it was. It knows only the few forms of imports and exports that our sources use, and complains of any other.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { scriptWords } from "./usage.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = join(ROOT, "dist/src");

const IMPORT = /^(import|export) ([^;"']*?) from "([^"]+)";/gm;
const EXPORTED = /^export (async function\*?|function\*?|class|const) (\w+)/gm;

interface PackedModule {
  /** The text of a function: ($use, $load, $own, $url) => void. */
  readonly text: string;
  /** What it imports, as written. */
  readonly imports: readonly string[];
  /** It waits for something before it is ready. */
  readonly waits: boolean;
}

export function packed(source: string, name: string): PackedModule {
  const imports: string[] = [];
  const names: string[] = [];
  let text = source.replace(IMPORT, (_, word: string, what: string, from: string) => {
    imports.push(from);
    const all = /^\* as (\w+)$/.exec(what);
    if (word === "import" && all !== null) return `const ${all[1]} = $use("${from}");`;
    if (!/^\{[^{}]*\}$/.test(what)) throw new Error(`${name}: ${word} ${what} from "${from}"`);
    const list = what.replace(/(\w+) as (\w+)/g, "$1: $2");
    if (word === "import") return `const ${list} = $use("${from}");`;
    return `{ const ${list} = $use("${from}"); Object.assign($own, ${list.replace(/\w+: (\w+)/g, "$1")}); }`;
  });
  text = text.replace(EXPORTED, (_, word: string, exported: string) => {
    names.push(exported);
    return `${word} ${exported}`;
  });
  text = text
    .replace(/^export \{\};$/gm, "")
    .replace(/\bimport\("/g, '$load("')
    .replaceAll("import.meta.url", "$url")
    .replace(/^\/\/# sourceMappingURL=.*$/m, "");
  const strange = /^(import|export)\b.*|\bimport\.meta\b/m.exec(text);
  if (strange !== null) throw new Error(`${name}: ${strange[0]}`);
  // At the top of the module, where nothing is indented.
  const waits = /^(?:(?:const|let) \w+ = )?\(?await /m.test(text);
  const head = `(${waits ? "async " : ""}function ($use, $load, $own, $url) {"use strict";`;
  return { text: `${head}${text}\nObject.assign($own, { ${names.join(", ")} });\n})`, imports, waits };
}

/**
 * By module: what must be there before it runs, because it cannot be had at once: packages from npm, and modules of ours that wait for
 * something, after what they need themselves.
 */
function awaitedBy(modules: ReadonlyMap<string, PackedModule>): (name: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  const find = (name: string): ReadonlySet<string> => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const found = new Set<string>();
    known.set(name, found);
    for (const specifier of modules.get(name)?.imports ?? []) {
      const module = posix.join(dirname(name), specifier);
      if (specifier.startsWith(".")) {
        for (const one of find(module)) found.add(one);
        if (modules.get(module)?.waits === true) found.add(module);
      } else if (!specifier.startsWith("node:")) found.add(specifier);
    }
    return found;
  };
  return find;
}

export function packModules(path: string): void {
  const names = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.js$/.test(entry.name) && !/(\.test|-fixture)\.js$/.test(entry.name))
    .map((entry) => relative(FOLDER, join(entry.parentPath, entry.name)))
    .sort();
  const modules = new Map(names.map((name) => [name, packed(readFileSync(join(FOLDER, name), "utf8"), name)]));
  const awaited = awaitedBy(modules);
  const table: Record<string, readonly [number, number, readonly string[]]> = {};
  const pieces: Buffer[] = [];
  let at = 0;
  for (const [name, { text }] of modules) {
    const piece = Buffer.from(`${text}\n`);
    table[name] = [at, at + piece.length, [...awaited(name)]];
    pieces.push(piece);
    at += piece.length;
  }
  writeFileSync(path, Buffer.concat([Buffer.from(`${JSON.stringify(table)}\n`), ...pieces]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  scriptWords(import.meta.url);
  packModules(join(ROOT, "dist/modules.pack"));
}
