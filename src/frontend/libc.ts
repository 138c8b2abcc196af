// The C library as modules of IR. `prepare` compiles in advance all that a program may need, in parallel, and puts the
// texts into one pack in the cache; `module` then answers the linker, which asks symbol by symbol. A program that runs a
// second time costs one file read.
// Invariant: a source becomes one Module, however many of its symbols are asked for.

import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Module } from "../ir/module.js";
import { parseModule } from "../ir/text/parse-module.js";
import { type Cache, cacheKey } from "./cache.js";
import { glibcNames } from "./glibc-names.js";
import { compileAll, compileOne, type LibcCompiler, LibcError } from "./libc-compile.js";
import { INDEX_FILE, type LibcIndex, readIndex } from "./libc-index.js";
import { formatPack, openPack } from "./libc-pack.js";
import { compilerIdentity, groupOf, libcFolders, originOf, type SourceName } from "./libc-sources.js";
import { keepOwnAliases } from "./libc-text.js";
import type { Toolchain } from "./toolchain.js";

export interface LibcOptions {
  readonly toolchain: Toolchain;
  readonly cache: Cache;
  readonly env: NodeJS.ProcessEnv;
  /** Processes at a time; as many as there are processors if not given. */
  readonly jobs?: number;
}

export interface CompileProgress {
  readonly done: number;
  readonly total: number;
}

export type PrepareResult = { readonly kind: "ready" } | { readonly kind: "failed"; readonly message: string };

export function openLibc(options: LibcOptions): Libc {
  return new Libc(options);
}

/** What the runtime's folder says, read once: a campaign opens the library for every program. */
interface LibcFolder {
  readonly index: LibcIndex;
  readonly indexText: string;
  readonly glibcName: (symbol: string) => string;
  readonly headers: string;
}
const FOLDERS = new Map<string, LibcFolder>();

function libcFolder(runtime: string): LibcFolder {
  const known = FOLDERS.get(runtime);
  if (known !== undefined) return known;
  const read = {
    index: readIndex(runtime),
    indexText: readFileSync(join(runtime, INDEX_FILE), "latin1"),
    glibcName: glibcNames(runtime),
    headers: headersOf(runtime),
  };
  FOLDERS.set(runtime, read);
  return read;
}

export class Libc {
  readonly index: LibcIndex;
  /** For what programs made with glibc's headers ask for: the name to look up. */
  readonly glibcName: (symbol: string) => string;
  private readonly compiler: LibcCompiler;
  /** Decides which source a symbol's definition in a pack comes from. */
  private readonly indexText: string;
  private readonly texts = new Map<SourceName, () => string | null>();
  private readonly modules = new Map<SourceName, Module>();

  constructor(readonly options: LibcOptions) {
    const { runtime } = libcFolders(options.toolchain);
    const { index, indexText, glibcName, headers } = libcFolder(runtime);
    this.index = index;
    this.indexText = indexText;
    this.glibcName = glibcName;
    this.compiler = {
      toolchain: options.toolchain,
      cache: options.cache,
      env: options.env,
      identity: cacheKey([compilerIdentity(options.toolchain), headers]),
    };
  }

  /**
   * Makes ready what the symbols (a program's undefined ones, and the names that generated code calls) need. Progress is
   * told while sources are compiled, never when all of them were cached.
   */
  async prepare(symbols: Iterable<string>, onProgress?: (progress: CompileProgress) => void): Promise<PrepareResult> {
    const { cache, jobs } = this.options;
    const sources = this.index.closure(symbols);
    const key = cacheKey([this.compiler.identity, this.indexText, this.runtimeSources(sources), ...sources]);
    const stored = cache.get("libc-pack", key);
    const pack = stored === null ? null : openPack(stored);
    if (pack !== null) {
      for (const source of sources) this.texts.set(source, () => pack.text(source));
      return { kind: "ready" };
    }
    try {
      const texts = await compileAll(this.compiler, sources, jobs ?? availableParallelism(), (done, total) =>
        onProgress?.({ done, total }),
      );
      for (const [source, text] of texts) texts.set(source, this.own(source, text));
      for (const [source, text] of texts) this.texts.set(source, () => text);
      cache.put("libc-pack", key, formatPack(texts));
      return { kind: "ready" };
    } catch (error) {
      if (error instanceof LibcError) return { kind: "failed", message: error.message };
      throw error;
    }
  }

  /** The module that defines the symbol, or null. Compiles it now if it was not prepared; LibcError if that fails. */
  module(symbol: string): Module | null {
    const source = this.index.owner(symbol);
    if (source === null) return null;
    let module = this.modules.get(source);
    if (module === undefined) {
      const text = this.texts.get(source)?.() ?? this.own(source, compileOne(this.compiler, source));
      module = parseModule(text, { name: source, origin: originOf(source) });
      this.modules.set(source, module);
    }
    return module;
  }

  private own(source: SourceName, text: string): string {
    return groupOf(source) === "zig" ? keepOwnAliases(text, (symbol) => this.index.owner(symbol) === source) : text;
  }

  /** The content of those sources that may change without the toolchain's version changing: our own. */
  private runtimeSources(sources: readonly SourceName[]): string {
    const { runtime } = libcFolders(this.options.toolchain);
    const own = sources.filter((source) => ["glibc", "libc", "symbolic", "trusted"].includes(groupOf(source)));
    return own.map((source) => readFileSync(join(runtime, source), "latin1")).join("\0");
  }
}

/** The headers that our sources and, through runtime/arch, musl's include, and the roots of the Zig part. */
function headersOf(runtime: string): string {
  const contents: string[] = [];
  for (const folder of ["arch", "include/klee", "include/tangent", "glibc", "libc", "symbolic", "trusted", "zig"]) {
    for (const name of readdirSync(join(runtime, folder)).sort()) {
      if (!name.endsWith(".h") && !name.endsWith(".zig")) continue;
      contents.push(`${folder}/${name}`, readFileSync(join(runtime, folder, name), "latin1"));
    }
  }
  return contents.join("\0");
}
