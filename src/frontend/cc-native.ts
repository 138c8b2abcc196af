// The native side of `tangent cc`: a folder that makes any clang a compiler for static musl programs which keep their IR.
// It holds a sysroot (musl and the compiler's runtime library, which zig builds once), a linker (lld, behind a two-line
// script) and a configuration file with the options every compile gets. So the compiler is always the plain clang driver,
// with its understanding of every option a makefile may use, and bin/tangent can start it without us. The alternative,
// `zig cc`, knows fewer options, refuses others, and takes five times as long to link.
// Invariant: a folder that exists is complete; it is made under another name and renamed.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PRIVATE_FOLDER } from "../support/private-modes.js";
import { writeArchive } from "./ar.js";
import { cacheKey } from "./cache.js";
import { buildLibraries } from "./cc-libraries.js";
import { OWN_HEADERS, TARGET, type Toolchain } from "./toolchain.js";

/** bin/tangent has the same number; to be raised whenever what the folder holds changes. */
export const LAYOUT = 4;

export interface NativeFolder {
  readonly directory: string;
  /** For clang's --config. */
  readonly config: string;
  /** The same without any system header: for -nostdinc. */
  readonly bareConfig: string;
  readonly libraries: string;
}

export type NativeResult =
  | { readonly kind: "ready"; readonly folder: NativeFolder }
  | { readonly kind: "failed"; readonly message: string };

export interface NativeOptions {
  readonly toolchain: Toolchain;
  readonly cacheDirectory: string;
  /** The package's folder: the launcher knows no more than that. */
  readonly packageRoot: string;
  readonly env: NodeJS.ProcessEnv;
  /** Told before something that takes long. */
  readonly onNote: (text: string) => void;
}

/** Where the launcher looks: the package's path with % for each slash. */
function nativeDirectory(cacheDirectory: string, packageRoot: string, toolchain: Toolchain): string {
  const name = toolchain.kind === "zig" ? packageRoot.replaceAll("/", "%") : `clang-${cacheKey([toolchain.identity])}`;
  return join(cacheDirectory, `cc-${LAYOUT}`, name.length <= 250 ? name : cacheKey([name]));
}

export function prepareNative(options: NativeOptions): NativeResult {
  const { toolchain, cacheDirectory, packageRoot } = options;
  const directory = nativeDirectory(cacheDirectory, packageRoot, toolchain);
  const folder = describe(directory);
  // The zig named there may have been another version's.
  if (existsSync(folder.config) && readIdentity(directory) === identityOf(toolchain)) return { kind: "ready", folder };
  try {
    const libraries = buildLibraries(options);
    if (libraries.kind === "failed") return libraries;
    const temporary = `${directory}.${process.pid}.tmp`;
    rmSync(temporary, { recursive: true, force: true });
    writeFolder(temporary, directory, libraries.directory, toolchain);
    replaceFolder(temporary, directory, identityOf(toolchain));
  } catch (error) {
    return {
      kind: "failed",
      message: `the compiler's folder ${directory} cannot be made: ${(error as Error).message}`,
    };
  }
  return { kind: "ready", folder };
}

function describe(directory: string): NativeFolder {
  return {
    directory,
    config: join(directory, "cc.cfg"),
    bareConfig: join(directory, "bare.cfg"),
    libraries: join(directory, "usr", "lib"),
  };
}

function identityOf(toolchain: Toolchain): string {
  return `${toolchain.identity}\n${toolchain.zig}\n${toolchain.libDirectory}\n`;
}

function readIdentity(directory: string): string | null {
  try {
    return readFileSync(join(directory, "identity"), "utf8");
  } catch {
    return null;
  }
}

function replaceFolder(from: string, to: string, identity: string): void {
  try {
    renameSync(from, to);
    return;
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
  if (readIdentity(to) === identity) {
    // Another process was quicker, and may use it already.
    rmSync(from, { recursive: true, force: true });
    return;
  }
  const outdated = `${to}.${process.pid}.old`;
  renameSync(to, outdated);
  renameSync(from, to);
  rmSync(outdated, { recursive: true, force: true });
}

/** Libraries that are part of musl's libc.a but that link lines name. */
const EMPTY_LIBRARIES = ["m", "pthread", "rt", "dl", "util", "crypt", "resolv", "xnet"];
/** Start files that clang names; musl's crt1.o does all the work. */
const EMPTY_OBJECTS = ["crti.o", "crtn.o", "crtbegin.o", "crtend.o", "crtbeginT.o", "crtbeginS.o", "crtendS.o"];

function writeFolder(into: string, final: string, libraries: string, toolchain: Toolchain): void {
  const library = join(into, "usr", "lib");
  const resource = join(into, "resource");
  const script = join(into, "bin");
  const runtimes = [
    join(resource, "lib", "x86_64-unknown-linux-musl", "libclang_rt.builtins.a"),
    join(resource, "lib", "linux", "libclang_rt.builtins-x86_64.a"),
    join(library, "libgcc.a"),
    join(library, "libgcc_eh.a"),
    join(library, "libgcc_s.a"),
  ];
  for (const path of [library, script, ...runtimes.map((file) => join(file, ".."))])
    mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  for (const file of ["crt1.o", "libc.a"]) symlinkSync(join(libraries, file), join(library, file));
  for (const name of ["Scrt1.o", "rcrt1.o", "gcrt1.o"]) symlinkSync(join(libraries, "crt1.o"), join(library, name));
  for (const file of runtimes) symlinkSync(join(libraries, "libcompiler_rt.a"), file);
  for (const name of EMPTY_LIBRARIES) writeFileSync(join(library, `lib${name}.a`), writeArchive([]));
  for (const name of EMPTY_OBJECTS) symlinkSync(join(libraries, "empty.o"), join(library, name));
  symlinkSync(toolchain.resourceHeaders, join(resource, "include"));
  symlinkSync(toolchain.zig, join(into, "zig"));
  // Whatever is asked for, programs are static and not relocatable: there is no musl loader on the machine.
  const link = `#!/bin/sh\nexec ${shellQuoted(toolchain.zig)} ld.lld "$@" --no-pie --no-dynamic-linker --no-export-dynamic\n`;
  for (const name of ["ld", "ld.lld"]) writeFileSync(join(script, name), link, { mode: 0o755 });
  const bare = configuration(final);
  writeFileSync(join(into, "bare.cfg"), bare);
  writeFileSync(join(into, "cc.cfg"), bare + headers(toolchain));
  writeFileSync(join(into, "identity"), identityOf(toolchain));
}

/** Errors of clang's since its version 15 that are warnings of gcc's up to version 13. */
const GCC_WARNS = [
  "implicit-int",
  "implicit-function-declaration",
  "int-conversion",
  "incompatible-function-pointer-types",
  "return-mismatch",
];

function configuration(directory: string): string {
  return [
    `--target=${TARGET}`,
    `--sysroot=${configQuoted(directory)}`,
    `-resource-dir=${configQuoted(join(directory, "resource"))}`,
    // No GCC of the host's is to be found.
    `--gcc-toolchain=${configQuoted(join(directory, "none"))}`,
    `-B${configQuoted(join(directory, "bin"))}`,
    "-nostdlibinc",
    "-fno-pie",
    "-no-pie",
    "-rtlib=compiler-rt",
    "-unwindlib=none",
    // The version that gdb and valgrind of any age read.
    "-gdwarf-4",
    // The bitcode as the front end made it, before any pass, beside the machine code.
    "-Xclang -fembed-bitcode=bitcode",
    // Old C is C: what gcc takes with a warning stays a warning, unless the command line says otherwise.
    ...GCC_WARNS.map((name) => `-Wno-error=${name}`),
    "",
  ].join("\n");
}

/** -internal-isystem comes after every -isystem of the user's, whatever their order. */
function headers(toolchain: Toolchain): string {
  const libc = join(toolchain.libDirectory, "libc", "include");
  const system = ["x86_64-linux-musl", "generic-musl", "x86-linux-any", "any-linux-any"].map((name) =>
    join(libc, name),
  );
  return [OWN_HEADERS, ...system]
    .map((folder) => `-Xclang -internal-isystem -Xclang ${configQuoted(folder)}\n`)
    .join("");
}

function configQuoted(path: string): string {
  return path.replace(/[\\\s"'#]/g, "\\$&");
}

function shellQuoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
