// What bin/tangent needs to do without Node in host mode: its helper, compiled once by the user's own compiler, and a profile of that
// compiler, which tells the helper how our clang is called beside it. Without them every call comes to us, which is slower and no worse.
// Invariant: a file that exists is complete; each is made under another name and renamed.

import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runChild } from "../support/child-process.js";
import { cacheDirectory, makeFolder } from "./cache.js";
import type { HostCompiler } from "./host-compiler.js";
import { leadingWords, trailingWords } from "./host-ir.js";
import type { Toolchain } from "./toolchain.js";

/** bin/tangent has the same number; to be raised whenever the helper or the profiles change. */
export const HOST_LAYOUT = 2;

const HELPER = fileURLToPath(new URL("../../../runtime/native/host-cc.c", import.meta.url));

export interface LaunchOptions {
  readonly compiler: HostCompiler;
  readonly toolchain: Toolchain;
  readonly packageRoot: string;
  readonly env: NodeJS.ProcessEnv;
}

export function prepareLaunch(options: LaunchOptions): void {
  const { compiler, packageRoot, env } = options;
  const folder = join(cacheDirectory(env), `host-${HOST_LAYOUT}`, packageRoot.replaceAll("/", "%"));
  try {
    makeFolder(join(folder, "profiles"));
    writeProfile(join(folder, "profiles", profileName(compiler)), options);
    if (!isOutdated(join(folder, "cc"))) return;
    const temporary = join(folder, `cc.${process.pid}.tmp`);
    const [file, ...first] = compiler.words;
    const made = runChild(file, [...first, "-O2", "-w", "-o", temporary, HELPER], { env, stdio: "ignore" });
    if (made.status === 0) renameSync(temporary, join(folder, "cc"));
    else rmSync(temporary, { force: true });
  } catch {
    // A full disk, or a cache that cannot be written.
  }
}

/** As bin/tangent asks: it compares the same times. */
function isOutdated(helper: string): boolean {
  const made = statSync(helper, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return [HELPER, fileURLToPath(new URL("host-ir.js", import.meta.url))].some((path) => statSync(path).mtimeMs >= made);
}

/** As profile_path of the helper. */
function profileName({ words }: HostCompiler): string {
  return words.join(" ").replaceAll("/", "%");
}

function writeProfile(path: string, { compiler, toolchain }: LaunchOptions): void {
  const before = [toolchain.clang.file, ...toolchain.clang.args, ...leadingWords(compiler, toolchain)];
  const lines = [compiler.stamp, toolchain.clang.file, ...before, "", ...trailingWords()];
  if (toolchain.kind !== "zig" || lines.some((line) => line.includes("\n"))) return;
  const text = lines.join("\n");
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  makeFolder(dirname(path));
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}
