// What the source says of a program's functions: where each begins, the content of its file, and whether several others share it for the memory that
// they hand to it (a reader of a field, a small copy). A finding is known again by these after an edit (findings/identity.ts).
//
// Shared is what calls nothing of the program, is handed a pointer, and is mentioned by at least two functions that are not the tests' own: what it
// does wrongly with that memory may be each caller's own mistake. What many call is another matter (often-called.ts).
//
// Of the linked IR, before anything is inlined, and only what `main` leads to: so a program has the same ones however it is translated.

import type { LinkedProgram } from "../ir/link.js";
import type { IrFunction } from "../ir/module.js";
import type { SourceFile, SourceFunction } from "../jit/image.js";
import { pathOf } from "../jit/line-table.js";
import { calledName } from "../support/library-names.js";
import { placeOf, reachableFromMain } from "./often-called.js";
import type { TestFunctions } from "./test-functions.js";

/** From so many functions of the program. */
const LEAST_SHARERS = 2;

export interface ProgramSources {
  readonly functions: readonly SourceFunction[];
  readonly files: readonly SourceFile[];
}

export function programSources(
  program: LinkedProgram,
  tests: Pick<TestFunctions, "named" | "files"> | undefined,
): ProgramSources {
  const testFiles = new Set(tests?.named === "surely" ? tests.files : []);
  const own = reachableFromMain(program).filter(({ module, debugId }) => module.origin === "program" && debugId >= 0);
  const places = new Map(own.map((fn) => [fn, placeOf(fn)]));
  const sharers = new Map<string, Set<string>>();
  const leaves = new Set<string>();
  for (const [fn, { key, file }] of places) {
    const called = (program.references.get(fn) ?? []).flatMap(({ resolved }) => {
      const place = resolved?.kind === "function" ? places.get(resolved) : undefined;
      return place === undefined || place.key === key ? [] : [place];
    });
    if (called.length === 0 && fn.type.params.some(({ kind }) => kind === "ptr")) leaves.add(key);
    for (const callee of testFiles.has(file ?? "") ? [] : called) {
      const known = sharers.get(callee.key);
      if (known === undefined) sharers.set(callee.key, new Set([key]));
      else known.add(key);
    }
  }
  const functions = new Map<string, SourceFunction>();
  const files = new Map<string, SourceFile>();
  for (const [fn, { key }] of places) {
    const { debug } = fn.module;
    const where = debug.subprogram(fn.debugId);
    if (where === null || where.line < 1 || functions.has(key)) continue;
    const path = pathOf(where);
    const shared = leaves.has(key) && (sharers.get(key)?.size ?? 0) >= LEAST_SHARERS;
    functions.set(key, { name: calledName(where.functionName), file: path, line: where.line, shared });
    const content = contentOf(fn);
    if (content !== null) files.set(path, { path, content });
  }
  return { functions: [...functions.values()], files: [...files.values()] };
}

/** As the compiler noted it. */
function contentOf({ module: { debug }, debugId }: IrFunction): string | null {
  const file = debug.node(debugId)?.fields.get("file");
  const fields = file === undefined ? undefined : debug.node(Number(file.slice(1)))?.fields;
  const sum = /^"([0-9a-f]{32})"$/.exec(fields?.get("checksum") ?? "")?.[1];
  return fields?.get("checksumkind") === "CSK_MD5" && sum !== undefined ? sum : null;
}
