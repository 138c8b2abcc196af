// What an exploration found, as invocations that can be kept as seeds (`tangent seeds --add DIR`): of the tests in its folder those that
// covered something new or end in an error. Each is a whole command: arguments, standard input, files, environment. What a program makes
// symbolic itself (klee_make_symbolic) is no input that a command could give, so such tests are left out and counted.

import { basename, join } from "node:path";
import type { Invocation } from "../inputs/invocation.js";
import { ownObjects, surroundingsOf } from "../inputs/test-input.js";
import { readRegularFile } from "../support/regular-file.js";
import { type GivenSeed, readSeeds } from "./seeds.js";

/** Where the program was explored. */
export interface ExploredPlace {
  readonly program: string;
  readonly workingDirectory: string;
  readonly environment: readonly string[];
}

export interface ExploredTests {
  readonly invocations: readonly Invocation[];
  /** With objects of the program's own. */
  readonly left: number;
  readonly problems: readonly string[];
}

const UMASK = 0o022;
const FILE_MODE = 0o644;

export function exploredTests(folder: string, place: ExploredPlace): ExploredTests {
  const { seeds, problems } = readSeeds([folder]);
  const chosen = newOnes(folder);
  const invocations: Invocation[] = [];
  let left = 0;
  for (const { path, content } of seeds) {
    if (content.kind !== "ktest" || !chosen.has(basename(path, ".ktest"))) continue;
    const test = { inputs: content.inputs, values: content.objects };
    if (ownObjects(test).length > 0) left++;
    else invocations.push(invocationOf(test, place));
  }
  return { invocations, left, problems };
}

function invocationOf(
  test: Pick<Extract<GivenSeed["content"], { readonly kind: "ktest" }>, "inputs"> &
    Parameters<typeof surroundingsOf>[0],
  { program, workingDirectory, environment }: ExploredPlace,
): Invocation {
  const around = surroundingsOf(test);
  const varied = around.environment.map(({ name }) => name);
  const latin1 = (text: string): string => Buffer.from(text).toString("latin1");
  const kept = environment.filter((variable) => !varied.includes(variable.slice(0, variable.indexOf("="))));
  return {
    program: latin1(program),
    arguments: around.words.map(({ bytes }) => bytes),
    environment: [
      ...kept.map(latin1),
      ...around.environment.map(({ name, value }) => `${name}=${Buffer.from(value).toString("latin1")}`),
    ],
    ...(varied.length === 0 ? {} : { varied }),
    workingDirectory: latin1(workingDirectory),
    umask: UMASK,
    stdin: { kind: "bytes", bytes: around.stdin ?? new Uint8Array(0), regularFile: false },
    tree: around.files.map(({ name, bytes }) => {
      return { kind: "file" as const, path: latin1(join(workingDirectory, name)), bytes, mode: FILE_MODE };
    }),
  };
}

/** Names of tests that covered something new or end otherwise than by themselves, as the folder's table says. */
function newOnes(folder: string): ReadonlySet<string> {
  const names = new Set<string>();
  try {
    for (const line of readRegularFile(join(folder, "tests.csv")).toString().split("\n").slice(1)) {
      const [name, end, isNew] = line.split(",");
      if (isNew === "1" || (end !== undefined && isError(end))) names.add(name);
    }
  } catch {
    // No table: nothing is known to be new.
  }
  return names;
}

function isError(end: string): boolean {
  return end !== "" && !/^(exit|signal|set aside|limit|unsupported|stopped)/.test(end);
}
