// Faults planted in a program, as in figure 3 of the pending-constraints paper: a division in a block whose divisor is zero for one
// value of a symbolic variable that is there for nothing else, another value for each block. So a fault is found by whoever gets to
// its block and asks; the path with that value ends there, all others go on, and no fault hides another. The paper has one in every block; here a
// number of them is drawn among the blocks that given lines (those that seeds cover) leave out.
//
// They are planted in the IR's text, not in C: there a block is a label, and nothing has to be known of macros and braces.

import { resolve } from "node:path";
import type { Random } from "../../src/support/random.js";

export const SELECTOR = "tangent_planted";

export interface Block {
  /** Which module's text, and before which of its lines the fault goes. */
  readonly module: number;
  readonly at: number;
  readonly functionName: string;
  readonly file: string;
  readonly line: number;
  /** Metadata of the place in the source, as the text names it. */
  readonly location: string;
  /** Functions on the shortest way from main. */
  readonly depth: number;
}

export interface PlantedFault extends Block {
  /** The value of the selector that makes it fail. */
  readonly value: number;
}

interface Definition {
  readonly module: number;
  readonly name: string;
  /** Of the first line inside, and of the closing brace; the same for a variable. */
  readonly start: number;
  readonly end: number;
  readonly isFunction: boolean;
}

const DEFINED_FUNCTION = /^define .*?@("[^"]+"|[\w.$-]+)\(/;
const DEFINED_VARIABLE = /^@("[^"]+"|[\w.$-]+) = /;
const LABEL = /^("[^"]+"|[\w.$-]+):/;
const PHI = /^\s+%\S+ = phi /;

/** All blocks with a place in the source in functions that main leads to, by calls or by addresses, those nearest to main first. */
export function blocksOf(texts: readonly string[]): Block[] {
  const modules = texts.map((text) => text.split("\n"));
  const definitions = modules.flatMap(definitionsIn);
  const depths = depthsFromMain(modules, definitions);
  const blocks = definitions.flatMap((definition) => {
    const depth = depths.get(definition);
    if (!definition.isFunction || depth === undefined) return [];
    return blocksIn(modules[definition.module], definition, depth);
  });
  return blocks.sort((a, b) => a.depth - b.depth || a.module - b.module || a.at - b.at);
}

function definitionsIn(lines: readonly string[], module: number): Definition[] {
  const found: Definition[] = [];
  for (let at = 0; at < lines.length; at++) {
    const variable = DEFINED_VARIABLE.exec(lines[at]);
    if (variable !== null) found.push({ module, name: variable[1], start: at, end: at, isFunction: false });
    const opened = DEFINED_FUNCTION.exec(lines[at]);
    if (opened === null) continue;
    const start = at + 1;
    while (at < lines.length && lines[at] !== "}") at++;
    found.push({ module, name: opened[1], start, end: at, isFunction: true });
  }
  return found;
}

/** A way through a table of addresses counts no more than a call. */
function depthsFromMain(
  modules: readonly (readonly string[])[],
  definitions: readonly Definition[],
): ReadonlyMap<Definition, number> {
  const byName = new Map<string, Definition[]>();
  for (const definition of definitions) {
    byName.set(definition.name, [...(byName.get(definition.name) ?? []), definition]);
  }
  // A name of the same module comes first: it may be static there.
  const named = (name: string, module: number): Definition | undefined => {
    const all = byName.get(name) ?? [];
    return all.find((definition) => definition.module === module) ?? all[0];
  };
  const main = definitions.find(({ name, isFunction }) => isFunction && name === "main");
  const depths = new Map<Definition, number>(main === undefined ? [] : [[main, 0]]);
  let layer = [...depths.keys()];
  for (let depth = 1; layer.length > 0; depth++) {
    const next: Definition[] = [];
    // Variables join the layer that they are found from; functions are the next one.
    for (let i = 0; i < layer.length; i++) {
      const { module, start, end } = layer[i];
      for (const name of namesIn(modules[module], start, end)) {
        const other = named(name, module);
        if (other === undefined || depths.has(other)) continue;
        depths.set(other, other.isFunction ? depth : depth - 1);
        (other.isFunction ? next : layer).push(other);
      }
    }
    layer = next;
  }
  return depths;
}

function* namesIn(lines: readonly string[], start: number, end: number): Generator<string> {
  for (let at = start; at <= end; at++) {
    for (const [, name] of lines[at].matchAll(/@("[^"]+"|[\w.$-]+)/g)) yield name;
  }
}

function blocksIn(lines: readonly string[], { module, name, start, end }: Definition, depth: number): Block[] {
  const blocks: Block[] = [];
  for (let at = start; at < end; at++) {
    if (!LABEL.test(lines[at])) continue;
    let first = at + 1;
    while (PHI.test(lines[first])) first++;
    const located = locationFrom(lines, first, end);
    const place = located === null ? null : placeOf(lines, located);
    if (located === null || place === null) continue;
    blocks.push({ module, at: first, functionName: name, ...place, location: located, depth });
  }
  return blocks;
}

/** That of the block's first instruction with one. */
function locationFrom(lines: readonly string[], first: number, end: number): string | null {
  for (let at = first; at < end && lines[at] !== "" && !LABEL.test(lines[at]); at++) {
    const match = /, !dbg (!\d+)/.exec(lines[at]);
    if (match !== null) return match[1];
  }
  return null;
}

const metadataOf = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

function metadata(lines: readonly string[]): ReadonlyMap<string, string> {
  let known = metadataOf.get(lines);
  if (known === undefined) {
    known = new Map(
      lines.flatMap((line) => {
        const node = /^(!\d+) = (.*)$/.exec(line);
        return node === null ? [] : [[node[1], node[2]] as const];
      }),
    );
    metadataOf.set(lines, known);
  }
  return known;
}

function placeOf(lines: readonly string[], location: string): { readonly file: string; readonly line: number } | null {
  const nodes = metadata(lines);
  const found = /^(?:distinct )?!DILocation\(line: (\d+),.*scope: (!\d+)/.exec(nodes.get(location) ?? "");
  if (found === null || found[1] === "0") return null;
  const file = /file: (!\d+)/.exec(nodes.get(found[2]) ?? "");
  const named = /filename: "([^"]*)", directory: "([^"]*)"/.exec(nodes.get(file?.[1] ?? "") ?? "");
  if (named === null) return null;
  return { file: resolve(named[2], named[1]), line: Number(found[1]) };
}

/** One of each of `count` parts of equal size, so that they are spread over the depth. Fewer if there are fewer blocks. */
export function drawFaults(blocks: readonly Block[], count: number, random: Random): PlantedFault[] {
  const parts = Math.min(count, blocks.length);
  return Array.from({ length: parts }, (_, part) => {
    const [from, to] = [part, part + 1].map((edge) => Math.floor((edge * blocks.length) / parts));
    return { ...blocks[from + (random.next() % (to - from))], value: part + 1 };
  });
}

/** The text of a module with its faults, and, where main is, the variable that selects one. */
export function plantFaults(text: string, faults: readonly PlantedFault[]): string {
  const lines = text.split("\n");
  const inserted = new Map<number, string[]>();
  for (const { at, value, location } of faults) {
    const name = `%${SELECTOR}.${value}`;
    inserted.set(at, [
      `  ${name}.read = load i32, ptr @${SELECTOR}, align 4, !dbg ${location}`,
      `  ${name}.difference = sub i32 ${name}.read, ${value}, !dbg ${location}`,
      `  ${name}.quotient = sdiv i32 1, ${name}.difference, !dbg ${location}`,
    ]);
  }
  const main = lines.findIndex((line) => DEFINED_FUNCTION.exec(line)?.[1] === "main");
  if (main < 0 && faults.length === 0) return text;
  const globals: string[] = [];
  if (main >= 0) {
    const call = `  call void @klee_make_symbolic(ptr @${SELECTOR}, i64 4, ptr @${SELECTOR}.name)`;
    inserted.set(main + 1, [call, ...(inserted.get(main + 1) ?? [])]);
    globals.push(
      `@${SELECTOR} = global i32 0, align 4`,
      `@${SELECTOR}.name = private constant [${SELECTOR.length + 1} x i8] c"${SELECTOR}\\00"`,
      "declare void @klee_make_symbolic(ptr, i64, ptr)",
    );
  } else globals.push(`@${SELECTOR} = external global i32, align 4`);
  return [...lines.flatMap((line, at) => [...(inserted.get(at) ?? []), line]), ...globals, ""].join("\n");
}
