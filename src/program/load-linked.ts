// A program's linked IR, for analyses of the whole program: what translation throws away when it has made an image. Texts come
// from the cache, so this costs parsing and linking.

import { cacheDirectory, openCache } from "../frontend/cache.js";
import { loadInputs } from "../frontend/capture-text.js";
import { openLibc } from "../frontend/libc.js";
import { findToolchain } from "../frontend/toolchain.js";
import { IrError } from "../ir/module.js";
import { type LinkedModules, linkModules } from "./link-modules.js";
import type { LoadOptions } from "./warm.js";

export async function loadLinkedProgram(
  inputs: readonly string[],
  options: LoadOptions,
): Promise<LinkedModules | { readonly kind: "failed"; readonly message: string }> {
  const found = findToolchain({ env: options.env, clang: options.clang });
  if (found.kind === "missing") return { kind: "failed", message: found.message };
  const { toolchain } = found;
  const cache = openCache(cacheDirectory(options.env));
  const captured = await loadInputs(inputs, { toolchain, cache, env: options.env, flags: options.flags });
  if (captured.kind === "failed") return captured;
  try {
    return await linkModules(captured.modules, openLibc({ toolchain, cache, env: options.env }), options, captured);
  } catch (error) {
    if (error instanceof IrError) return { kind: "failed", message: `malformed IR: ${error.message}` };
    throw error;
  }
}
