// What the bed's bugs are looked for with: how each tool is started on a bug, and what it says it has found. Tangent's techniques begin
// with the recorded tests of the tree; exploration and AFL++ with the same inputs as files.

import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FindingsJournal } from "../../src/project/earlier-findings.js";
import { COMPOSE_PARTS } from "../../src/techniques/compose/compose-work.js";
import { LAUNCHER } from "../suites/build.js";
import { AflCrashes, aflCommand } from "./afl.js";
import { type DeepBug, type Frame, isThere } from "./bug.js";
import { judge, oneInput, type StagedInput, seedsOf, stagedInput } from "./staged-input.js";

export interface Sighting {
  readonly kind: string;
  readonly frames: readonly Frame[];
  /** By the clock, since the tool was started. */
  readonly seconds: number;
  readonly input: StagedInput;
}

export interface Start {
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Cheap, asked again and again while the tool runs. */
  enough(): boolean;
  /** Everything, when it has ended. */
  sightings(): readonly Sighting[];
  /** What it counted, as its results have it; undefined if it writes none. */
  totals?(): unknown;
}

export interface ToolSetup {
  readonly bug: DeepBug;
  readonly seconds: number;
  readonly randomSeed: number;
  /** An empty folder of its own; the log is in it. */
  readonly scratch: string;
  readonly log: string;
}

/** Where campaigns write their findings down as they are made. */
const JOURNALS: readonly FindingsJournal[] = ["findings.journal", "compose-findings.journal"];

const REACH = fileURLToPath(new URL("./reach-line.js", import.meta.url));

/** Of TECHNIQUES 4; `--without` of `tangent compose` names them. */
export const ABLATIONS: readonly string[] = COMPOSE_PARTS;

/** With every second of the recorded tests: `compose-half`. */
const HALF = "-half";

export const TOOLS: readonly string[] = ["amplify", "explore", "reach", "afl", "compose"];

/** `compose`, `compose-without-interpolants`, `compose-without-mutations+unit-seeds`, `compose-half`. */
export function isTool(tool: string): boolean {
  if (TOOLS.includes(tool)) return true;
  const [, name, part] = /^([a-z]+)(?:-without-([a-z+-]+?))?(?:-half)?$/.exec(tool) ?? [];
  const takesTests = name === "amplify" || name === "reach" || name === "compose";
  return takesTests && (part === undefined || name === "compose");
}

export function startOf(tool: string, setup: ToolSetup): Start {
  const isHalf = tool.endsWith(HALF);
  const [name, without] = (isHalf ? tool.slice(0, -HALF.length) : tool).split("-without-");
  if (name === "afl") return afl(setup);
  if (name === "explore") return explore(setup);
  const { bug, seconds, scratch, randomSeed } = setup;
  const tree = freshTests(bug);
  if (isHalf) leaveHalf(join(tree, ".tangent", "seeds"), randomSeed);
  const output = join(scratch, "results.json");
  const time = `${Math.ceil(seconds)}s`;
  if (name === "reach") {
    const node = [process.execPath, "--max-old-space-size=6000"];
    return campaign(setup, [...node, REACH, tree, bug.places[0], `${seconds}`, output], output);
  }
  const words = [name, "--time", time, "--quiet", "--json", output];
  if (name === "compose") {
    for (const part of without?.split("+") ?? []) words.push("--without", part);
    if (randomSeed !== 1) words.push("--random-seed", `${randomSeed}`);
  }
  return campaign(setup, [LAUNCHER, ...words], output);
}

/** Tools leave journals and inputs beside the recorded tests; each begins with the tests alone. */
function freshTests({ directory }: DeepBug): string {
  const tree = join(directory, "src");
  const kept = join(directory, "recorded");
  const tests = join(tree, ".tangent");
  if (!existsSync(kept)) cpSync(tests, kept, { recursive: true, verbatimSymlinks: true });
  rmSync(tests, { recursive: true, force: true });
  cpSync(kept, tests, { recursive: true, verbatimSymlinks: true });
  return tree;
}

/** Which half depends on the random seed. */
export function leaveHalf(folder: string, randomSeed: number): void {
  const names = readdirSync(folder).sort();
  if (names.length < 2) return;
  names.forEach((name, at) => {
    if ((at + randomSeed) % 2 === 0) rmSync(join(folder, name));
  });
}

interface JsonFinding {
  readonly kind: string;
  readonly foundMs: number;
  readonly stack: readonly { readonly file: string | null; readonly line: number; readonly origin: string }[];
  readonly witnessCommand: readonly string[];
  readonly inputs: readonly { readonly name: string; readonly witness: string }[];
}

interface JsonResults {
  readonly findings: readonly JsonFinding[];
  readonly totals?: unknown;
}

interface ExploreFinding extends Omit<JsonFinding, "inputs"> {
  readonly seconds: number;
  /** Hexadecimal, by name: `stdin`, `file:A`. */
  readonly input: Readonly<Record<string, string>>;
}

function campaign(setup: ToolSetup, command: readonly string[], output: string): Start {
  const { bug, log } = setup;
  const tree = join(bug.directory, "src");
  const sightingsOf = (findings: readonly JsonFinding[]): Sighting[] =>
    findings.map(({ kind, foundMs, stack, witnessCommand, inputs }) => {
      const files = inputs.map(({ name, witness }) => ({ name, bytes: Buffer.from(witness, "base64") }));
      const input = stagedInput(seedsOf(bug), witnessCommand.slice(1), files);
      return { kind, frames: own(stack), seconds: foundMs / 1000, input };
    });
  const soFar = (): Sighting[] =>
    JOURNALS.flatMap((name) => sightingsOf(wholeLines<JsonFinding>(textOf(join(tree, ".tangent", name)))));
  const results = (): JsonResults | null => {
    const text = textOf(output);
    return text === "" ? null : (JSON.parse(text) as JsonResults);
  };
  const printed = (): boolean => printedStacks(textOf(log)).some((frames) => isThere(bug, frames));
  return {
    command,
    folder: tree,
    env: process.env,
    enough: bug.isShared === true ? isThisOne(setup, soFar) : printed,
    totals: () => results()?.totals,
    sightings: () => {
      // Of a finding that was made again, the results have another input than the journal, perhaps that of the other bug.
      return [...sightingsOf(results()?.findings ?? []), ...soFar()];
    },
  };
}

/** Where another bug shows at the same line, only a run of the mended program tells which it is; each sighting is judged once. */
export function isThisOne(
  { bug, scratch }: ToolSetup,
  look: () => readonly Sighting[],
  judgeIt = judge,
): () => boolean {
  let judged = 0;
  let isSeen = false;
  return () => {
    if (isSeen) return true;
    const all = look().filter(({ frames }) => isThere(bug, frames));
    if (bug.isShared !== true) isSeen = all.length > 0;
    else isSeen = all.slice(judged).some(({ input }) => !judgeIt(bug, input, scratch).alsoMended);
    judged = all.length;
    return isSeen;
  };
}

/** The last line may still be on its way. */
function wholeLines<T>(text: string): T[] {
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}

function explore(setup: ToolSetup): Start {
  const { bug, seconds, randomSeed, scratch, log } = setup;
  const folder = join(scratch, "run");
  cpSync(join(bug.directory, "src", bug.run), folder, { recursive: true });
  const words = ["--seed", join(bug.directory, "src", bug.corpus), "--max-time", `${Math.ceil(seconds)}s`];
  words.push("--random-seed", `${randomSeed}`, "-o", join(scratch, "out"), "--json", "--quiet");
  const sightings = (): Sighting[] =>
    textOf(log)
      .split("\n")
      .filter((line) => line.startsWith('{"event":"finding"') && line.endsWith("}"))
      .map((line) => JSON.parse(line) as ExploreFinding)
      .map(({ kind, seconds: at, stack, input }) => ({
        kind,
        frames: own(stack),
        seconds: at,
        input: oneInput(bug, Buffer.from(Object.values(input)[0] ?? "", "hex")),
      }));
  return {
    command: [LAUNCHER, "explore", ...words, "--", join(bug.directory, "src", bug.program), ...bug.arguments],
    folder,
    env: process.env,
    enough: isThisOne(setup, sightings),
    sightings,
  };
}

function afl(setup: ToolSetup): Start {
  const crashes = new AflCrashes(setup.bug, setup.scratch);
  return {
    ...aflCommand(setup),
    enough: isThisOne(setup, () => crashes.look()),
    sightings: () => crashes.look(),
  };
}

function own(stack: JsonFinding["stack"]): Frame[] {
  return stack.filter(({ origin }) => origin === "program");
}

/** Stacks as commands print them, without libc's frames: `    #0 strlen tangent/libc/scan.c:8`, `    #1 unquote text.c:15:5`. */
export function printedStacks(text: string): Frame[][] {
  const stacks: Frame[][] = [];
  for (const [, number, file, line] of text.matchAll(/^ *#(\d+) +\S+ (\S+?):(\d+)(?::\d+)?$/gm)) {
    if (number === "0") stacks.push([]);
    if (!file.startsWith("tangent/")) stacks.at(-1)?.push({ file, line: Number(line) });
  }
  return stacks;
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
