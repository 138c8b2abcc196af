// The words that a program knows, found in its code and constants: options, entries of tables, texts it compares with. Moves put
// them into inputs; what each leads to says which to try first.

import type { DataLayout } from "../../ir/data-layout.js";
import type { LinkedProgram } from "../../ir/link.js";
import type { CountedBody } from "../counted-bodies.js";
import { ComparedWords } from "./compared-words.js";
import { ConstantData } from "./constant-data.js";
import { OptionWords } from "./option-words.js";
import type { ProgramWord } from "./program-graph.js";
import { tableWords } from "./table-words.js";
import { ValueFlow } from "./value-flow.js";

const MOST_WORDS = 4096;
const LONGEST = 64;
const PRINTABLE = /^[ -~]+$/;

/** Those that say most first: options, names of variables, words with a function beside them, compared texts, the rest. */
export function programWords(
  bodies: readonly CountedBody[],
  program: LinkedProgram,
  layout: DataLayout,
): ProgramWord[] {
  const own = bodies.filter(({ fn }) => fn.module.origin === "program");
  const variables = program.variables.filter(({ module }) => module.origin === "program");
  const entries = new Map(own.flatMap(({ fn, firstBlock }) => (firstBlock < 0 ? [] : [[fn, firstBlock] as const])));
  const data = new ConstantData(layout);
  const flow = new ValueFlow(own);
  const options = new OptionWords(own, data, flow);
  options.find(variables);
  const tables = variables.filter((variable) => !options.tables.has(variable));
  const { handled, others } = tableWords(tables, data, (fn) => entries.get(fn) ?? null);
  const compared = new ComparedWords(data, flow);
  compared.find(own);
  return merged([
    options.words,
    compared.variables,
    handled,
    compared.texts,
    compared.rows,
    others,
    compared.characters,
  ]);
}

function merged(lists: readonly (readonly ProgramWord[])[]): ProgramWord[] {
  const words = new Map<string, ProgramWord>();
  for (const word of lists.flat()) {
    if (word.text.length > LONGEST || !PRINTABLE.test(word.text)) continue;
    const key = `${word.kind} ${word.text}`;
    const known = words.get(key);
    if (known === undefined && words.size >= MOST_WORDS) continue;
    words.set(key, known === undefined ? word : both(known, word));
  }
  return [...words.values()];
}

function both(a: ProgramWord, b: ProgramWord): ProgramWord {
  const leadsTo = [...new Set([...a.leadsTo, ...b.leadsTo])].sort((x, y) => x - y);
  const argument = a.argument === b.argument ? a.argument : "unknown";
  return { ...a, argument, leadsTo };
}
