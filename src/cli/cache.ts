// `tangent cache`: how much the cache holds, and a way to empty it.

import { cacheDirectory } from "../frontend/cache.js";
import { cacheLimit, cacheUse, clearCache } from "../frontend/cache-trim.js";
import { visible } from "../support/visible-text.js";
import { defineCommand } from "./command.js";

const MEGABYTE = 1e6;
/** What the user may know of; what else there is goes by its own name. */
const KINDS: { readonly [kind: string]: string } = {
  images: "translated programs",
  "image-names": "where programs' translations are",
  captured: "programs' code as it was captured",
  libc: "the C library, compiled",
  graphs: "programs' graphs",
  code: "tangent's own code, compiled",
  "libc-pack": "the C library, as programs need it",
  "unit-summaries": "what composition learned of functions",
  words: "words that programs know",
  recorder: "the recorder of tests, compiled",
  "image-warnings": "what was said when programs were translated",
  "host-facts-1": "what the system's compiler and C library are like",
  "graphs-too-long": "programs whose graphs took too long",
};

export const command = defineCommand({
  name: "cache",
  summary: "Show what the cache holds, or empty it",
  description: `Translated programs, what they were made of, and tangent's own compiled code are kept, so that the next start takes no time. Above a limit
($TANGENT_CACHE_SIZE in gigabytes, 2 if nothing is said) what was not used for longest is removed.`,
  options: {
    clear: { kind: "flag", help: "remove everything in it; the next commands translate programs anew" },
  },
  operands: {},
  run(options, _operands, context) {
    const directory = cacheDirectory(context.env);
    const shown = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;
    if (options.clear) {
      const removed = clearCache(directory);
      context.out(`${shown(removed)} removed from ${visible(directory)}\n`);
      return 0;
    }
    const kinds = [...cacheUse(directory)].sort(([, a], [, b]) => b.bytes - a.bytes);
    const total = kinds.reduce((sum, [, { bytes }]) => sum + bytes, 0);
    context.out(`${visible(directory)}: ${shown(total)} of at most ${shown(cacheLimit(context.env))}\n`);
    for (const [kind, { entries, bytes }] of kinds) {
      context.out(`${shown(bytes).padStart(12)}  ${String(entries).padStart(6)}  ${KINDS[kind] ?? visible(kind)}\n`);
    }
    return 0;
  },
});
