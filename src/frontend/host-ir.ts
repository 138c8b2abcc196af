// The second compile of a source in host mode: what our clang is told so that it makes IR of exactly what the user's compiler saw.
// Of the user's options go through those that concern meaning; warnings, dependency files, linking, optimisation, instrumentation
// and gcc's own switches do not. What comes last wins over what the user said: fortification off, no inline bodies of glibc's.
// bin/tangent's helper (runtime/native/host-cc.c) makes the same of the plain command lines that it takes upon itself.
// Invariant: nothing is written but the IR.

import { join } from "node:path";
import type { ArgumentPart, CommandLine } from "./arguments.js";
import { ruleFor } from "./arguments-rules.js";
import type { HostCompiler } from "./host-compiler.js";
import { OWN_HEADERS, type Toolchain } from "./toolchain.js";
import { trapFlags } from "./ubsan.js";

export type IrWords =
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** No IR can be made with these options. */
  | { readonly kind: "none"; readonly reason: string };

export interface IrWishes {
  /** UBSan's checks; empty: none. */
  readonly checks: string;
  /** Options that make the sanitizers' macros (sanitizer-macros.ts); empty: none. */
  readonly macros: readonly string[];
}

/** Headers of ours that stand before those of the user's compiler. */
const BEFORE_HOST_HEADERS = join(OWN_HEADERS, "host");

/** What stands before the user's options. */
export function leadingWords(host: HostCompiler, toolchain: Toolchain): string[] {
  const system = (folder: string) => ["-Xclang", "-internal-isystem", "-Xclang", folder];
  return [
    `--target=${host.target}`,
    "-nostdinc",
    ...[toolchain.resourceHeaders, BEFORE_HOST_HEADERS, ...host.includes, ...host.ownIncludes].flatMap(system),
    `-std=${host.standard}`,
    host.common ? "-fcommon" : "-fno-common",
    ...["-D__NO_INLINE__", "-D__NO_CTYPE"],
  ];
}

/** What stands behind them. */
export function trailingWords(): string[] {
  return [
    ...["-U_FORTIFY_SOURCE", "-O1", "-Xclang", "-disable-llvm-passes", "-g", "-w", "-Qunused-arguments"],
    ...["-fno-stack-protector", "-fno-exceptions", "-fno-lto"],
    // What clang takes for an error and gcc for a warning has a warning's name: with each version there are more of them.
    "-Wno-everything",
    ...["-c", "-emit-llvm"],
  ];
}

/** The words for the IR of one of the line's sources, to standard output. */
export function irWords(
  line: CommandLine,
  source: ArgumentPart,
  host: HostCompiler,
  toolchain: Toolchain,
  wishes: IrWishes,
): IrWords {
  const own: string[] = [];
  for (const part of line.parts) {
    if (part.input !== null) continue;
    const rule = ruleFor(part);
    if (rule?.rule.action.kind === "refuse") {
      return { kind: "none", reason: `${part.words.join(" ")}: the IR is for x86-64 with 64-bit pointers` };
    }
    if (rule?.rule.action.kind === "replace") own.push(...rule.rule.action.words(rule.match));
    else if (rule === null) own.push(...meaningOf(part));
  }
  const bare = line.parts.some(({ words }) => words[0] === "-nostdinc");
  const leading = bare ? withoutFolders(leadingWords(host, toolchain)) : leadingWords(host, toolchain);
  const optimised = optimises(line);
  const words = [
    ...leading,
    ...own,
    ...(optimised ? [] : ["-U__OPTIMIZE__"]),
    ...(wishes.checks === "" ? [] : trapFlags(wishes.checks)),
    ...wishes.macros,
    ...trailingWords(),
    ...inputWords(source),
    ...["-o", "-"],
  ];
  return { kind: "words", words };
}

function withoutFolders(words: readonly string[]): string[] {
  return words.filter((_, at) => !words.slice(Math.max(0, at - 3), at + 4).includes("-internal-isystem"));
}

function optimises(line: CommandLine): boolean {
  const level = line.parts.findLast(({ words }) => /^-O/.test(words[0]))?.words[0];
  return level !== undefined && level !== "-O0";
}

/** A language that the name does not tell must be named; a file that looks like an option must not be taken for one. */
function inputWords({ input }: ArgumentPart): string[] {
  const path = input?.path ?? "";
  const safe = /^[-@]/.test(path) && path !== "-" ? `./${path}` : path;
  if (path.endsWith(".c")) return [safe];
  return ["-x", path.endsWith(".i") ? "cpp-output" : "c", safe];
}

/** Options with a separate value that go through. */
const KEPT = new Set(
  "-I -D -U -include -imacros -isystem -idirafter -iquote -iprefix -iwithprefix -iwithprefixbefore -isysroot --sysroot".split(
    " ",
  ),
);

/** A name that ends in * stands for all that begin so. */
const DROPPED_NAMES =
  "c S E s r v Q H P C CC pipe pie no-pie shared static static-pie rdynamic symbolic nostdlib nostartfiles nodefaultlibs nolibc " +
  "nostdinc save-temps* time pass-exit-codes no-canonical-prefixes static-lib* shared-libgcc O* g* d* M* W* T* l* L* pedantic* " +
  "fopenmp* fopenacc* fgnu-tm fnon-call-exceptions fexceptions fstack-* fcf-protection* fdump* fsave-* fverbose-asm " +
  "fdiagnostics* fno-diagnostics* fmessage-length* fmax-errors* fno-plt ftime-* flto* fuse-ld* masm=* mtune=* " +
  "mno-red-zone mred-zone mharden-sls* mindirect* mfunction-return* momit-leaf* mno-omit-leaf*";
const DROPPED = new RegExp(`^-(?:${DROPPED_NAMES.replaceAll(" ", "|").replaceAll("*", ".*")})$`);

/** What an option means for the IR. */
function meaningOf(part: ArgumentPart): readonly string[] {
  const [word] = part.words;
  if (part.option !== null) return KEPT.has(part.option) ? part.words : [];
  // Options for the preprocessor by itself; those for dependencies are not wanted twice.
  if (word.startsWith("-Wp,"))
    return word
      .split(",")
      .slice(1)
      .filter((text) => /^-[DUI]./.test(text));
  return DROPPED.test(word) ? [] : part.words;
}

/** The options that clang says it does not know; without them it may still make the IR. Empty: the failure has another reason. */
export function unknownOptions(errors: string): string[] {
  const unknown =
    /error: (?:unknown argument:?|unsupported option|unknown target CPU|unsupported argument '[^']*' to option) '([^']+)'/g;
  // These change how structures lie in memory.
  return Array.from(errors.matchAll(unknown), (match) => match[1]).filter((word) => !/sso-struct|bitfields/.test(word));
}

/** The first error of a compile that failed, in one line. */
export function firstError(errors: string): string {
  const lines = errors.split("\n");
  return (lines.find((line) => /\b(fatal )?error: /.test(line)) ?? lines.find((line) => line !== "") ?? "").trim();
}
