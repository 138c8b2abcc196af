// Makes runtime/libc-index.json: compiles every source of the C library and notes what each defines and needs. To be run
// when a source was added or the toolchain changed: `npm run libc:index`. Reports what is defined twice and what is
// defined nowhere. `-- glibc` compiles only the sources of runtime/glibc, whose names are apart from all others, and
// keeps the rest of the index.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { cacheDirectory, cacheKey, openCache } from "../src/frontend/cache.js";
import { compileAll } from "../src/frontend/libc-compile.js";
import { INDEX_FILE, type IndexFile } from "../src/frontend/libc-index.js";
import { compilerIdentity, libcFolders, type SourceName, WHOLE_COMPILER_RT } from "../src/frontend/libc-sources.js";
import { type ModuleSymbols, symbolsOf } from "../src/frontend/libc-text.js";
import { findToolchain } from "../src/frontend/toolchain.js";
import { intrinsicNeeds } from "../src/ir/passes/math-intrinsics.js";
import { scriptWords } from "./usage.js";

/** musl's sources that have no place here: another one of ours, or the JIT, does their work. */
const EXCLUDED: ReadonlySet<string> = new Set([
  "musl/exit/exit.c",
  "musl/exit/assert.c",
  "musl/env/__libc_start_main.c",
  "musl/env/__init_tls.c",
  "musl/env/__reset_tls.c",
  "musl/env/__stack_chk_fail.c",
  "musl/internal/floatscan.c",
  "musl/math/fma.c",
  "musl/math/fmaf.c",
  "musl/math/fmal.c",
  "musl/math/ilogb.c",
  "musl/math/ilogbf.c",
  "musl/math/ilogbl.c",
  "musl/math/llrint.c",
  "musl/math/llrintf.c",
  "musl/math/llrintl.c",
  "musl/math/lrintl.c",
  "musl/math/nearbyint.c",
  "musl/math/nearbyintf.c",
  "musl/setjmp/longjmp.c",
  "musl/setjmp/setjmp.c",
  "musl/signal/siglongjmp.c",
  "musl/signal/sigsetjmp.c",
  "musl/signal/sigsetjmp_tail.c",
  "musl/sched/sched_yield.c",
  "musl/thread/__set_thread_area.c",
  "musl/thread/__timedwait.c",
  "musl/thread/__tls_get_addr.c",
  "musl/thread/__unmapself.c",
  "musl/thread/__wait.c",
  "musl/thread/pthread_barrier_destroy.c",
  "musl/thread/pthread_barrier_wait.c",
  "musl/thread/pthread_cancel.c",
  "musl/thread/pthread_cond_broadcast.c",
  "musl/thread/pthread_cond_destroy.c",
  "musl/thread/pthread_cond_signal.c",
  "musl/thread/pthread_cond_timedwait.c",
  "musl/thread/pthread_create.c",
  "musl/thread/pthread_detach.c",
  "musl/thread/pthread_getname_np.c",
  "musl/thread/pthread_join.c",
  "musl/thread/pthread_kill.c",
  "musl/thread/pthread_setname_np.c",
  "musl/thread/pthread_spin_lock.c",
  "musl/thread/thrd_yield.c",
]);
/** In the order in which they are asked for a symbol. */
const ZIG_SOURCES: readonly SourceName[] = ["zig/math.zig", "zig/complex.zig", WHOLE_COMPILER_RT];

async function main(): Promise<void> {
  const [only] = scriptWords(import.meta.url);
  const found = findToolchain({ env: process.env });
  if (found.kind === "missing") throw new Error(found.message);
  const { toolchain } = found;
  const { runtime, musl } = libcFolders(toolchain);
  const all = [
    ...list(join(runtime, "trusted"), "trusted"),
    ...list(join(runtime, "libc"), "libc"),
    ...list(join(runtime, "glibc"), "glibc"),
    ...list(join(runtime, "symbolic"), "symbolic"),
    ...readdirSync(join(musl, "src"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((entry) => list(join(musl, "src", entry.name), `musl/${entry.name}`)),
    ...ZIG_SOURCES,
  ].filter((source) => !EXCLUDED.has(source));
  const sources = only === undefined ? all : all.filter((source) => source.startsWith(`${only}/`));

  const compiler = {
    toolchain,
    cache: openCache(join(cacheDirectory(process.env), "index")),
    env: process.env,
    identity: cacheKey([compilerIdentity(toolchain), String(Date.now())]),
  };
  const texts = await compileAll(compiler, sources, availableParallelism(), (done, total) => {
    if (done % 100 === 0 || done === total) console.log(`compiled ${done} of ${total}`);
  });
  const symbols = new Map(sources.map((source) => [source, symbolsOf(texts.get(source)!)]));
  const path = join(runtime, INDEX_FILE);
  const kept: IndexFile = only === undefined ? {} : withoutGroup(JSON.parse(readFileSync(path, "utf8")), only);
  const made = makeFile(sources, symbols, kept);
  writeFileSync(path, format(Object.fromEntries(all.flatMap((name) => (name in made ? [[name, made[name]]] : [])))));
}

function withoutGroup(file: IndexFile, group: string): IndexFile {
  return Object.fromEntries(Object.entries(file).filter(([source]) => !source.startsWith(`${group}/`))) as IndexFile;
}

function list(folder: string, prefix: string): SourceName[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".c"))
    .sort()
    .map((name) => `${prefix}/${name}` as SourceName);
}

/** A strong definition owns its symbol before a weak one; among equals the earlier source does. */
function makeFile(
  sources: readonly SourceName[],
  symbols: ReadonlyMap<SourceName, ModuleSymbols>,
  kept: IndexFile,
): IndexFile {
  const owners = new Map<string, SourceName>();
  for (const [source, [owned]] of Object.entries(kept)) {
    for (const symbol of owned.split(" ")) owners.set(symbol, source as SourceName);
  }
  for (const kind of ["strong", "weak"] as const) {
    for (const source of sources) {
      for (const symbol of symbols.get(source)![kind]) {
        const owner = owners.get(symbol);
        if (owner === undefined) owners.set(symbol, source);
        else if (kind === "strong" && source.startsWith("musl/")) {
          console.log(`${symbol} of ${source} is overruled by ${owner}`);
        }
      }
    }
  }
  const file: Record<SourceName, readonly [string, string]> = { ...kept };
  for (const source of sources) {
    const own = symbols.get(source)!;
    const owned = [...own.strong, ...own.weak].filter((symbol) => owners.get(symbol) === source);
    if (owned.length === 0) continue;
    const needed = new Set([...own.undefined, ...own.intrinsics.flatMap(intrinsicNeeds)]);
    const foreseen = [...needed].filter((symbol) => owners.has(symbol) && !isRare(source, owners.get(symbol)!));
    for (const symbol of needed) {
      if (!owners.has(symbol) && !PROVIDED.test(symbol)) console.log(`${symbol}, needed by ${source}, is not defined`);
    }
    file[source] = [owned.sort().join(" "), foreseen.sort().join(" ")];
  }
  return file;
}

/**
 * Quadruple precision inside the mathematics: a big compile that nearly nobody needs is left to be done when asked. And
 * nearly every program has a main of its own.
 */
function isRare(source: SourceName, owner: SourceName): boolean {
  return owner === FUZZER_MAIN || (source.startsWith("zig/") && owner === WHOLE_COMPILER_RT);
}
const FUZZER_MAIN: SourceName = "symbolic/fuzzer-main.c";

/** By the JIT or the host, or by the program. */
const PROVIDED =
  /^(__tangent_(host|memory|stack_pointer|thread_locals|run|shadow|with_shadow)|LLVMFuzzer|_?longjmp$|_?setjmp$|main$)/;

function format(file: IndexFile): string {
  const lines = Object.entries(file).map(([source, entry]) => `${JSON.stringify(source)}: ${JSON.stringify(entry)}`);
  return `{\n${lines.join(",\n")}\n}\n`;
}

await main();
