// A program with faults planted in it (plant-faults.ts), as a file of bitcode that `tangent explore` takes: the modules of the program and
// of its shared libraries, one after the other.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { targetOf } from "../../src/frontend/bitcode-target.js";
import { extractProgram } from "../../src/frontend/capture.js";
import { bitcodeToText, type Command, compilerEnvironment, findToolchain } from "../../src/frontend/toolchain.js";
import { Random } from "../../src/support/random.js";
import { blocksOf, drawFaults, type PlantedFault, plantFaults, SELECTOR } from "./plant-faults.js";

/** Written last, so whatever it names is there. */
const PLANTED = "planted.json";
const MAX_BYTES = 1 << 30;

export interface PlantedProgram {
  readonly program: string;
  readonly faults: readonly PlantedFault[];
  /** How many blocks there were to draw from. */
  readonly blocks: number;
}

/** Blocks whose lines (`file:line`) are among those covered are not drawn. */
export function plantIn(
  program: string,
  folder: string,
  covered: ReadonlySet<string>,
  count: number,
  randomSeed: number,
): PlantedProgram | { readonly problem: string } {
  const found = findToolchain({ env: process.env });
  if (found.kind === "missing") return { problem: found.message };
  const extracted = extractProgram(program, process.env);
  if (extracted.kind === "failed") return { problem: extracted.message };
  mkdirSync(folder, { recursive: true });
  const modules = [...extracted.modules, ...extracted.libraries.flatMap((library) => library.modules)];
  const { file, args } = found.toolchain.clang;
  const texts = modules.map((bytes, index) => {
    const [source, output] = ["bc", "ll"].map((ending) => join(folder, `${index}.${ending}`));
    writeFileSync(source, bytes);
    run(bitcodeToText(found.toolchain, source, output, targetOf(bytes)));
    return readFileSync(output, "latin1");
  });
  const blocks = blocksOf(texts).filter(({ file: name, line }) => !covered.has(`${name}:${line}`));
  const faults = drawFaults(blocks, count, new Random(randomSeed));
  const planted = texts.map((text, index) => {
    const [source, output] = ["planted.ll", "planted.bc"].map((ending) => join(folder, `${index}.${ending}`));
    const own = faults.filter(({ module }) => module === index);
    const changed = plantFaults(text, own);
    if (changed === text) return modules[index];
    writeFileSync(source, changed, "latin1");
    const target = targetOf(modules[index]);
    const plain = ["-c", "-emit-llvm", "-O1", "-Xclang", "-disable-llvm-passes", "-w", "-x", "ir"];
    run({ file, args: [...args, ...(target === null ? [] : [`--target=${target}`]), ...plain, source, "-o", output] });
    return readFileSync(output);
  });
  const made = join(folder, "planted.bc");
  writeFileSync(made, Buffer.concat(planted));
  const result = { program: made, faults, blocks: blocks.length };
  writeFileSync(join(folder, PLANTED), JSON.stringify(result, null, 1));
  return result;
}

/** What was made there before; null if nothing was. */
export function plantedBefore(folder: string): PlantedProgram | null {
  const file = join(folder, PLANTED);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as PlantedProgram) : null;
}

function run({ file, args }: Command): void {
  const environment = compilerEnvironment(process.env);
  const { status, stderr } = spawnSync(file, [...args], { env: environment, encoding: "utf8", maxBuffer: MAX_BYTES });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")}: ${stderr}`);
}

/** Which planted fault a test of a run selects: the variable's value. 0: none. */
export function selectedFault(objects: readonly { readonly name: string; readonly bytes: Uint8Array }[]): number {
  const selector = objects.find(({ name }) => name === SELECTOR);
  return selector === undefined || selector.bytes.length < 4 ? 0 : Buffer.from(selector.bytes).readInt32LE(0);
}
