// What the C library is made of and how each source becomes IR. Six groups, the first that defines a symbol wins:
// "libc", "symbolic" (what a program says to the engine) and "trusted" are ours (runtime/), "musl" is the toolchain's
// own, "zig" is what that toolchain has in Zig only and we do not want to write again (mathematics to the last bit).
// "glibc", ours too, is what programs made with glibc's headers get instead; its names begin with glibc_
// (glibc-names.ts). Only "trusted" is translated without checks.
// Unlike programs, the library is optimised by clang: nobody asks which of its source lines a branch came from, and the
// smaller text is read faster at every start. Vectors and unrolling are off: they only make more code here.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Origin } from "../ir/module.js";
import { type Command, type Toolchain, targetArguments } from "./toolchain.js";

export type SourceGroup = "glibc" | "libc" | "symbolic" | "trusted" | "musl" | "zig";

/** Names a source in the index, in messages and in debug information: "musl/stdio/printf.c". */
export type SourceName = `${SourceGroup}/${string}`;

/** From dist/src/frontend as from src/frontend. */
const RUNTIME = fileURLToPath(new URL("../../../runtime", import.meta.url));

export interface LibcFolders {
  readonly runtime: string;
  readonly musl: string;
  readonly zigLibrary: string;
}

export function libcFolders(toolchain: Toolchain): LibcFolders {
  return {
    runtime: RUNTIME,
    musl: join(toolchain.libDirectory, "libc", "musl"),
    zigLibrary: toolchain.libDirectory,
  };
}

export function groupOf(source: SourceName): SourceGroup {
  return source.slice(0, source.indexOf("/")) as SourceGroup;
}

export function originOf(source: SourceName): Origin {
  switch (groupOf(source)) {
    case "trusted":
      return "trusted";
    case "glibc":
    case "libc":
    case "symbolic":
      return "runtime";
    case "musl":
    case "zig":
      return "libc";
  }
}

export function sourcePath(folders: LibcFolders, source: SourceName): string {
  const group = groupOf(source);
  const rest = source.slice(group.length + 1);
  if (group === "musl") return join(folders.musl, "src", rest);
  if (source === WHOLE_COMPILER_RT) return join(folders.zigLibrary, rest);
  return join(folders.runtime, group, rest);
}

/** Everything of zig's compiler library, for what the small roots in runtime/zig leave out (quadruple precision ...). */
export const WHOLE_COMPILER_RT: SourceName = "zig/compiler_rt.zig";

const OPTIMISATION = ["-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"];
const LANGUAGE = [
  "-ffreestanding",
  "-fno-builtin",
  "-ffp-contract=off",
  "-fno-math-errno",
  "-fno-strict-aliasing",
  "-fno-stack-protector",
  "-fno-pic",
  "-D_XOPEN_SOURCE=700",
  "-w",
  "-gline-tables-only",
  "-gno-column-info",
];
const GROUP_FLAGS = {
  // A function that keeps much on its stack must not become part of its callers: every frame's states are written anew.
  musl: ["-std=c99", "-Os", "-fno-inline-functions", ...OPTIMISATION, ...LANGUAGE],
  glibc: ["-std=c11", "-O2", ...OPTIMISATION, ...LANGUAGE],
  libc: ["-std=c11", "-O2", ...OPTIMISATION, ...LANGUAGE],
  symbolic: ["-std=c11", "-O2", ...OPTIMISATION, ...LANGUAGE],
  trusted: ["-std=c11", "-O2", ...OPTIMISATION, ...LANGUAGE],
} as const;

/** Compiles one source to IR text at `output`; its working folder must be `zigFolder` for the group "zig". */
export function compileSource(toolchain: Toolchain, source: SourceName, output: string): Command {
  const folders = libcFolders(toolchain);
  const path = sourcePath(folders, source);
  const group = groupOf(source);
  if (group === "zig") return compileZig(toolchain, source, path, output);
  const own = group === "musl" ? [] : ["-I", join(folders.runtime, "include")];
  const includes = [
    join(folders.runtime, "arch"),
    join(folders.musl, "arch", "x86_64"),
    join(folders.musl, "arch", "generic"),
    join(folders.musl, "src", "include"),
    join(folders.musl, "src", "internal"),
    join(folders.musl, "include"),
  ].flatMap((folder) => ["-I", folder]);
  const { file, args } = toolchain.clang;
  return {
    file,
    args: [
      ...args,
      "-S",
      "-emit-llvm",
      ...GROUP_FLAGS[group],
      // Names in debug information must not depend on where the toolchain is installed: the result is cached.
      `-ffile-prefix-map=${join(folders.musl, "src")}=musl`,
      `-ffile-prefix-map=${folders.runtime}=tangent`,
      `-ffile-prefix-map=${folders.zigLibrary}=zig`,
      "-fdebug-compilation-dir=/",
      ...own,
      ...includes,
      ...targetArguments(toolchain),
      path,
      "-o",
      output,
    ],
  };
}

/** The roots in runtime/zig import the library's files relative to themselves: they lie together in one folder. */
function compileZig(toolchain: Toolchain, source: SourceName, path: string, output: string): Command {
  const root = source === WHOLE_COMPILER_RT ? path : source.slice("zig/".length);
  return {
    file: toolchain.zig,
    args: [
      "build-obj",
      root,
      "-target",
      "x86_64-linux-musl",
      "-mcpu=baseline",
      "-O",
      "ReleaseSmall",
      "-fstrip",
      "-fsingle-threaded",
      "-fno-emit-bin",
      `-femit-llvm-ir=${output}`,
    ],
  };
}

/** Bumped when the way of compiling or storing changes in a manner the flags do not show. */
const FORM = "2";

/** Everything but the sources that the IR depends on. */
export function compilerIdentity(toolchain: Toolchain): string {
  return JSON.stringify([FORM, toolchain.identity, muslVersion(toolchain), GROUP_FLAGS]);
}

function muslVersion(toolchain: Toolchain): string {
  const parsed = JSON.parse(readFileSync(join(toolchain.libDirectory, "package.json"), "utf8")) as { version?: string };
  return parsed.version ?? "unknown";
}
