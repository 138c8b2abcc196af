// The user's own compiler: which one it is, and what must be known about it so that our clang reads the same headers in the same
// language. It is asked once (`-E -v -dM`), and the answer is kept by the compiler's name, size and time.
// Invariant: the compiler chosen is never ourselves, neither the launcher nor a script that calls it.

import { closeSync, existsSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, resolve } from "node:path";
import { runChild } from "../support/child-process.js";
import { type Cache, cacheKey } from "./cache.js";

/** What the compiler says about itself. */
export interface HostFacts {
  /** What our clang compiles for: x86_64-linux-gnu or x86_64-linux-musl. */
  readonly target: string;
  /** Where <...> is looked for, in order, without the compiler's own folders. */
  readonly includes: readonly string[];
  /** The compiler's own headers: they come last, for those that our clang lacks (quadmath.h). */
  readonly ownIncludes: readonly string[];
  /** The language without any -std: gnu17. */
  readonly standard: string;
  /** Tentative definitions are common symbols (gcc before 10). */
  readonly common: boolean;
}

export interface HostCompiler extends HostFacts {
  /** The command: `ccache gcc`. The first word is a path. */
  readonly words: readonly string[];
  /** Changes whenever the compiler does. */
  readonly stamp: string;
}

export type CompilerChoice =
  | { readonly kind: "embedded" }
  | { readonly kind: "host"; readonly compiler: HostCompiler }
  | { readonly kind: "missing"; readonly message: string };

export interface ChoiceOptions {
  readonly env: NodeJS.ProcessEnv;
  /** By an option; else TANGENT_CC says. */
  readonly named?: string | null;
  /** bin/tangent: not to be taken for a compiler. */
  readonly launcher: string;
  readonly cache: Cache;
  /** Options that say where the system lies (--sysroot): its headers are asked for with them. */
  readonly root?: readonly string[];
}

/** The word that asks for our own clang and musl. */
const EMBEDDED = "embedded";
const CANDIDATES = { c: ["cc", "gcc", "clang"], "c++": ["c++", "g++", "clang++"] } as const;

export function chooseCompiler(options: ChoiceOptions): CompilerChoice {
  const named = (options.named ?? options.env.TANGENT_CC ?? "").trim();
  if (named === EMBEDDED) return { kind: "embedded" };
  if (named !== "") {
    const words = findCommand(named, options);
    if (words.kind === "missing") return words;
    const facts = factsOf(words.words, options);
    if (facts.kind === "unusable") return { kind: "missing", message: `${named} (from TANGENT_CC): ${facts.why}` };
    return { kind: "host", compiler: { words: words.words, stamp: stampOf(words.words[0]), ...facts.facts } };
  }
  for (const path of compilersOnPath(CANDIDATES.c, options)) {
    const facts = factsOf([path], options);
    if (facts.kind === "facts")
      return { kind: "host", compiler: { words: [path], stamp: stampOf(path), ...facts.facts } };
  }
  return { kind: "embedded" };
}

/** The words of a C++ compiler: TANGENT_CXX, else the first on PATH. Null: there is none. */
export function chooseCxx(options: Pick<ChoiceOptions, "env" | "launcher">): readonly string[] | null {
  const named = (options.env.TANGENT_CXX ?? "").trim();
  if (named !== "") {
    const words = findCommand(named, options);
    return words.kind === "missing" ? null : words.words;
  }
  const [path] = compilersOnPath(CANDIDATES["c++"], options);
  return path === undefined ? null : [path];
}

type Command =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "missing"; readonly message: string };

function findCommand(named: string, { env, launcher }: Pick<ChoiceOptions, "env" | "launcher">): Command {
  const [first, ...rest] = named.split(/\s+/);
  const path = first.includes("/") ? resolve(first) : searchPath(first, env);
  if (path === null || !existsSync(path)) {
    return {
      kind: "missing",
      message: `there is no compiler ${first}. Set TANGENT_CC to one, or to ${EMBEDDED} for the one that came with tangent.`,
    };
  }
  if (isOurselves(path, launcher)) {
    return { kind: "missing", message: `${first} is tangent itself; name the compiler that it is to call.` };
  }
  return { kind: "words", words: [path, ...rest] };
}

/** Those on PATH that are not ourselves. */
export function compilersOnPath(
  names: readonly string[],
  { env, launcher }: Pick<ChoiceOptions, "env" | "launcher">,
): string[] {
  return names.flatMap((name) => {
    const path = searchPath(name, env);
    return path === null || isOurselves(path, launcher) ? [] : [path];
  });
}

/** A program of that name on PATH, or null. */
export function searchPath(name: string, env: NodeJS.ProcessEnv): string | null {
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    const path = join(isAbsolute(folder) ? folder : resolve(folder), name);
    try {
      const status = statSync(path);
      if (status.isFile() && (status.mode & 0o111) !== 0) return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** A script this long is somebody's compiler driver, not a wrapper of two lines. */
const WRAPPER_BYTES = 4096;

function isOurselves(path: string, launcher: string): boolean {
  try {
    const real = realpathSync(path);
    if (real === realpathSync(launcher) || /^tangent(-cc|-c\+\+)?$/.test(basename(real))) return true;
    const file = openSync(real, "r");
    try {
      const head = Buffer.alloc(WRAPPER_BYTES);
      const text = head.toString("latin1", 0, readSync(file, head));
      return text.startsWith("#!") && /\btangent(['"]?\s+|-)(cc|c\+\+)/.test(text);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

function stampOf(path: string): string {
  // The launcher's helper makes the same of stat's numbers (runtime/native/host-cc.c).
  const { size, mtimeNs } = statSync(path, { bigint: true });
  return `${size} ${mtimeNs}`;
}

/** Of a word that is a program: `gcc` in `ccache gcc`. */
function stampsOf(word: string, env: NodeJS.ProcessEnv): string[] {
  const path = word.startsWith("/") ? word : word.startsWith("-") ? null : searchPath(word, env);
  return path !== null && existsSync(path) ? [stampOf(path)] : [];
}

type FactsResult =
  | { readonly kind: "facts"; readonly facts: HostFacts }
  | { readonly kind: "unusable"; readonly why: string };

/** Raised when facts are read otherwise. */
const FACTS = "host-facts-1";

function factsOf(command: readonly string[], { env, cache, root = [] }: ChoiceOptions): FactsResult {
  const words = [...command, ...root];
  const key = cacheKey([words.join("\0"), ...words.flatMap((word) => stampsOf(word, env))]);
  const known = cache.get(FACTS, key);
  if (known !== null) return JSON.parse(known.toString()) as FactsResult;
  const child = runChild(words[0], [...words.slice(1), "-x", "c", "-E", "-v", "-dM", "/dev/null"], {
    env: { ...env, LC_ALL: "C", CPATH: "", C_INCLUDE_PATH: "", TANGENT_CC_INSIDE: "1" },
    encoding: "utf8",
    maxBuffer: 1 << 24,
  });
  if (child.error !== undefined || child.status !== 0) {
    return { kind: "unusable", why: child.error?.message ?? `it fails on an empty file:\n${child.stderr}` };
  }
  const result = readFacts(child.stdout, child.stderr);
  cache.put(FACTS, key, JSON.stringify(result));
  return result;
}

/** From what `-dM` printed, and what `-v` did. */
export function readFacts(macros: string, verbose: string): FactsResult {
  const macro = (name: string) => new RegExp(`^#define ${name} (.*)$`, "m").exec(macros)?.[1] ?? null;
  if (macro("__x86_64__") === null || macro("__linux__") === null || macro("__LP64__") === null) {
    return { kind: "unusable", why: "it does not make code for x86-64 Linux" };
  }
  const triple = /^Target: (\S+)$/m.exec(verbose)?.[1] ?? "";
  const list = /^#include <\.\.\.> search starts here:\n([\s\S]*?)^End of search list/m.exec(verbose)?.[1] ?? "";
  const folders = list.split("\n").flatMap((line) => (line.startsWith(" ") ? [resolve(line.trim())] : []));
  const own = folders.filter(isCompilersOwn);
  const clang = macro("__clang__") !== null;
  return {
    kind: "facts",
    facts: {
      target: triple.includes("musl") ? "x86_64-linux-musl" : "x86_64-linux-gnu",
      includes: folders.filter((folder) => !own.includes(folder)),
      ownIncludes: own,
      standard: standardOf(macro("__STDC_VERSION__"), macro("__STRICT_ANSI__") !== null),
      common: !clang && Number(macro("__GNUC__") ?? 0) < 10,
    },
  };
}

/** gcc and clang keep stddef.h and the processor's intrinsics together; include-fixed has what gcc mended. */
function isCompilersOwn(folder: string): boolean {
  return basename(folder) === "include-fixed" || existsSync(join(folder, "xmmintrin.h"));
}

function standardOf(version: string | null, strict: boolean): string {
  const number = Number(/^\d+/.exec(version ?? "")?.[0] ?? 0);
  const year = number > 202000 ? "23" : number > 201200 ? "17" : number > 201100 ? "11" : number > 199900 ? "99" : "89";
  return `${strict ? "c" : "gnu"}${year}`;
}
