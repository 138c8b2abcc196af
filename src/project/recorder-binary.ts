// The stand-in as an executable, without its configuration: built from runtime/native/stand-in.c by our own compiler driver
// the first time somebody records, then kept in the cache.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory, cacheKey, openCache } from "../frontend/cache.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

export type RecorderResult =
  | { readonly kind: "built"; readonly bytes: Buffer }
  | { readonly kind: "failed"; readonly message: string };

export function buildRecorder(env: NodeJS.ProcessEnv): RecorderResult {
  const source = join(ROOT, "runtime", "native", "stand-in.c");
  const cache = openCache(cacheDirectory(env));
  const key = cacheKey([readFileSync(source)]);
  const known = cache.get("recorder", key);
  if (known !== null) return { kind: "built", bytes: known };
  const folder = mkdtempSync(join(tmpdir(), "tangent-recorder-"));
  try {
    const program = join(folder, "stand-in");
    const words = [join(ROOT, "bin", "tangent"), "cc", "-O2", "-o", program, source];
    const built = spawnSync("sh", words, { env, encoding: "utf8" });
    if (built.status !== 0) {
      return { kind: "failed", message: `the recorder cannot be built: ${built.error?.message ?? built.stderr}` };
    }
    const bytes = readFileSync(program);
    cache.put("recorder", key, bytes);
    return { kind: "built", bytes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
