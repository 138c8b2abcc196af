// What it costs to go on from an input: short ones that run shortly are better to edit.

import type { Invocation } from "../invocation.js";
import { isFile } from "../moves/tree.js";

/** What a run costs beside its instructions, and an input beside its bytes. */
const EACH_RUN = 100_000;
const EACH_INPUT = 64;

export function mutationCost({ stdin, tree, arguments: words }: Invocation, instructions: number): number {
  let bytes = stdin.kind === "bytes" ? stdin.bytes.length : 0;
  for (const entry of tree) if (isFile(entry)) bytes += entry.bytes.length;
  for (const word of words) bytes += word.length;
  return (instructions + EACH_RUN) * (bytes + EACH_INPUT);
}
