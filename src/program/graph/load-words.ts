// The words that a program knows, without its graph: what moves need where nobody asks for distances. From the cache, or found in its linked
// IR and kept there.

import { cacheDirectory, cacheKey, openCache } from "../../frontend/cache.js";
import type { ProgramImage } from "../../jit/image.js";
import { listOf, oneOf, record, text } from "../../support/shape.js";
import { countedBodies } from "../counted-bodies.js";
import { engineIdentity } from "../identity.js";
import { loadLinkedProgram } from "../load-linked.js";
import type { LoadOptions } from "../warm.js";
import { type ProgramWord, WORD_KINDS } from "./program-graph.js";
import { programWords } from "./words.js";

export type KnownWord = Pick<ProgramWord, "text" | "kind" | "argument">;

const WORDS = "words";
const ARGUMENTS = ["none", "required", "optional", "unknown"] as const;
const KEPT = listOf(record({ text, kind: oneOf(...WORD_KINDS), argument: oneOf(...ARGUMENTS) }));

/** None if they cannot be found: a program without words has fewer moves, nothing worse. */
export async function loadWords(
  program: string,
  image: ProgramImage,
  options: LoadOptions,
): Promise<readonly KnownWord[]> {
  const cache = openCache(cacheDirectory(options.env));
  const parts = [`${engineIdentity()} ${JSON.stringify(options.compile)}`, image.wasm];
  const key = cacheKey([...parts, JSON.stringify([image.functions, image.globals])]);
  const known = parsedWords(cache.get(WORDS, key));
  if (known !== null) return known;
  const linked = await loadLinkedProgram([program], options);
  if (linked.kind === "failed") return [];
  const bodies = countedBodies(linked.program, linked.layout, options.compile, image);
  const words = programWords(bodies, linked.program, linked.layout).map(({ text: word, kind, argument }) => {
    return { text: word, kind, argument };
  });
  cache.put(WORDS, key, JSON.stringify(words));
  return words;
}

export function parsedWords(kept: Buffer | null): readonly KnownWord[] | null {
  try {
    const value: unknown = kept === null ? null : JSON.parse(kept.toString());
    return KEPT(value) ? (value as readonly KnownWord[]) : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}
