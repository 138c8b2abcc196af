// The libraries a native program is linked with: musl and the compiler's runtime. zig has them as sources and builds them when it
// links its first program; we let it do that once, in a cache of its own that is thrown away, and keep the four files that matter.
// Invariant: a folder that exists is complete. A parallel make starts many of us at once: one builds, the others wait.

import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runChild } from "../support/child-process.js";
import { PRIVATE_FOLDER } from "../support/private-modes.js";
import { type Member, readArchive, writeArchive } from "./ar.js";
import { cacheKey } from "./cache.js";
import { parseElf, withSymbolsRenamed } from "./elf.js";
import { compilerEnvironment, TARGET, type Toolchain, targetArguments, zigEnvironment } from "./toolchain.js";

export interface LibraryOptions {
  readonly toolchain: Toolchain;
  readonly cacheDirectory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Told before something that takes long. */
  readonly onNote: (text: string) => void;
}

/** The folder holds crt1.o, libc.a, libcompiler_rt.a and empty.o. */
export type Libraries =
  | { readonly kind: "built"; readonly directory: string }
  | { readonly kind: "failed"; readonly message: string };

export function buildLibraries(options: LibraryOptions): Libraries {
  const { toolchain, cacheDirectory } = options;
  const manifest = readFileSync(join(toolchain.libDirectory, "package.json"));
  const own = OWN_SOURCES.map((source) => readFileSync(source));
  const directory = join(cacheDirectory, "native", cacheKey([toolchain.libDirectory, manifest, ...own]));
  if (existsSync(directory)) return { kind: "built", directory };
  mkdirSync(dirname(directory), { recursive: true, mode: PRIVATE_FOLDER });
  const lock = `${directory}.lock`;
  takeLock(lock);
  const temporary = `${directory}.${process.pid}.tmp`;
  try {
    if (existsSync(directory)) return { kind: "built", directory };
    options.onNote("building the native C library (once; it takes about half a minute)");
    const problem = build(options, temporary);
    if (problem !== null) return { kind: "failed", message: `the native C library cannot be built: ${problem}` };
    renameSync(temporary, directory);
    return { kind: "built", directory };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    rmSync(lock, { force: true });
  }
}

/** Null: all is well. */
function build({ toolchain, env }: LibraryOptions, into: string): string | null {
  const zigCache = join(into, "zig");
  mkdirSync(zigCache, { recursive: true, mode: PRIVATE_FOLDER });
  const source = join(into, "main.c");
  const program = join(into, "program");
  writeFileSync(source, "int main(void) { return 0; }\n");
  const clean = compilerEnvironment(env);
  const link = runChild(toolchain.zig, ["cc", "-target", TARGET, "-O2", "-s", "-v", source, "-o", program], {
    env: zigEnvironment(toolchain, zigCache, clean),
    encoding: "utf8",
    // It names every object of musl.
    maxBuffer: 1 << 28,
  });
  const line = link.stderr?.split("\n").findLast((text) => text.startsWith("ld.lld ") && text.includes(" --entry "));
  if (link.status !== 0 || line === undefined) return link.error?.message ?? link.stderr;
  // Paths may hold blanks, but each file lies in a folder of zig's cache named by 32 digits.
  const built = (name: string) => {
    const end = line.indexOf(`/${name}`);
    return join(zigCache, "o", line.slice(end - 32, end), name);
  };
  const members: Member[] = [];
  for (const name of ["libc.a", "libzigc.a"]) {
    const archive = readArchive(readFileSync(built(name)), built(name));
    if (archive.kind === "bad") return `${name}: ${archive.problem}`;
    members.push(...archive.members.map((member) => ({ ...member, name: basename(member.name) })));
  }
  const own = OWN_SOURCES.map((source) => {
    const from = fileURLToPath(source);
    return [from, join(into, basename(from).replace(/c$/, "o"))] as const;
  });
  for (const [from, to] of [["/dev/null", join(into, "empty.o")], ...own]) {
    const words = ["-O2", "-c", "-x", "c", from, "-o", to, ...targetArguments(toolchain)];
    const compile = runChild(toolchain.zig, ["clang", "--no-default-config", ...words], {
      env: clean,
      encoding: "utf8",
    });
    if (compile.status !== 0) return compile.error?.message ?? compile.stderr;
  }
  members.push(...own.map(([, object]) => ({ name: basename(object), bytes: readFileSync(object) })));
  writeFileSync(join(into, "libc.a"), writeArchive(members.map(withoutRealloc)));
  for (const name of ["crt1.o", "libcompiler_rt.a"]) copyFileSync(built(name), join(into, name));
  for (const path of [zigCache, source, program, ...own.map(([, object]) => object)])
    rmSync(path, { recursive: true, force: true });
  return null;
}

/** What our native C library has beyond musl: a better realloc, and what a program says to the engine. */
const OWN_SOURCES = ["native/realloc.c", "native/klee.c", "native/verifier.c", "symbolic/fuzzer-main.c"].map(
  (name) => new URL(`../../../runtime/${name}`, import.meta.url),
);

/** Gives way to our own: runtime/native/realloc.c says why. */
function withoutRealloc(member: Member): Member {
  if (!member.name.startsWith("libzigc")) return member;
  const parsed = parseElf(member.bytes);
  if (parsed.kind === "bad") return member;
  const names = new Map([
    ["realloc", "__tangent_original_realloc"],
    ["reallocarray", "__tangent_original_reallocarray"],
  ]);
  return { name: member.name, bytes: withSymbolsRenamed(parsed.elf, names) };
}

/** Building takes tens of seconds, so this is never noticed. */
const POLL_MS = 100;

/** The lock is a file with its owner's process id; one whose owner has died is taken over. */
function takeLock(lock: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (isOwnerDead(lock)) rmSync(lock, { force: true });
    else Atomics.wait(pause, 0, 0, POLL_MS);
  }
}

function isOwnerDead(lock: string): boolean {
  try {
    const owner = Number(readFileSync(lock, "utf8"));
    // Empty: its owner has yet to write it.
    if (owner > 0) process.kill(owner, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
