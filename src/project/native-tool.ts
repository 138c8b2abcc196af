// Our own small native programs (runtime/native): the stand-in that records, without its configuration, and the launcher
// that starts a program with the bytes of a test. Built by our own compiler driver the first time somebody needs them,
// then kept in the cache.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory, cacheKey, openCache } from "../frontend/cache.js";
import { runChild } from "../support/child-process.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

export type NativeTool = "stand-in" | "launcher";
/** In runtime/native; the headers count for the cache only. */
const SOURCES: Readonly<
  Record<NativeTool, { readonly compiled: readonly string[]; readonly headers: readonly string[] }>
> = {
  "stand-in": {
    compiled: ["stand-in.c", "looks.c", "record.c", "streams.c"],
    headers: ["looks.h", "record.h", "streams.h"],
  },
  launcher: { compiled: ["launcher.c"], headers: [] },
};

export type NativeToolResult =
  | { readonly kind: "built"; readonly bytes: Buffer }
  | { readonly kind: "failed"; readonly message: string };

/** `begins` is called if it has to be compiled, which can take a minute with a cache that is new: all of libc comes first. */
export function buildNativeTool(
  tool: NativeTool,
  env: NodeJS.ProcessEnv,
  begins: () => void = () => {},
): NativeToolResult {
  const paths = (names: readonly string[]): string[] => names.map((name) => join(ROOT, "runtime", "native", name));
  const sources = paths(SOURCES[tool].compiled);
  const cache = openCache(cacheDirectory(env));
  const key = cacheKey([...sources, ...paths(SOURCES[tool].headers)].map((path) => readFileSync(path)));
  const known = cache.get("recorder", key);
  if (known !== null) return { kind: "built", bytes: known };
  begins();
  const folder = mkdtempSync(join(tmpdir(), "tangent-tool-"));
  try {
    const program = join(folder, tool);
    const words = [join(ROOT, "bin", "tangent"), "cc", "-O2", "-o", program, ...sources];
    // Static, whatever the user's compiler: what a test says to the loader (LD_PRELOAD, LD_LIBRARY_PATH) is not meant for ours.
    const built = runChild("sh", words, { env: { ...env, TANGENT_CC: "embedded" }, encoding: "utf8" });
    if (built.status !== 0) {
      return { kind: "failed", message: `the ${tool} cannot be built: ${built.error?.message ?? built.stderr}` };
    }
    const bytes = readFileSync(program);
    cache.put("recorder", key, bytes);
    return { kind: "built", bytes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
