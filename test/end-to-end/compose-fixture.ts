// What composition must make of the programs of compose-manifest.ts, whoever runs it: of a program that can fail, a
// finding at the marked line, with its kind; of its twin nothing, and if the line failed in a unit, then a reason why no
// caller lets it. `describeComposition` registers these tests for a function that runs the technique on one program.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describe, it } from "node:test";
import type { Invocation } from "../../src/inputs/invocation.js";
import { COMPOSE_PROGRAMS, type ComposeProgram, type ComposeRun, INPUT_FILE } from "./compose-manifest.js";

const PROGRAMS = resolve(import.meta.dirname, "../../../test/programs/compose");

/** A program or a twin, as a file. */
export interface ComposeEntry {
  readonly program: ComposeProgram;
  readonly isTwin: boolean;
  /** Absolute. */
  readonly source: string;
  /** The marked line, 1-based. */
  readonly line: number;
}

export interface Composed {
  readonly findings: readonly { readonly file: string; readonly line: number; readonly kind: string }[];
  /** Lines that failed in units and were not lifted to `main`. */
  readonly notLifted: readonly { readonly line: number; readonly explained: boolean }[];
}

export type ComposeRunner = (entry: ComposeEntry) => Promise<Composed>;

export function composeEntry(program: ComposeProgram, isTwin: boolean): ComposeEntry {
  const source = join(PROGRAMS, `${program.name}${isTwin ? "-twin" : ""}.c`);
  const mark = isTwin ? "// WOULD FAIL" : "// FAILS";
  const lines = readFileSync(source, "latin1").split("\n");
  const marked = lines.flatMap((line, index) => (line.endsWith(mark) ? [index + 1] : []));
  assert.equal(marked.length, 1, `${source}: one line must end with ${mark}`);
  return { program, isTwin, source, line: marked[0] };
}

/** A run as it would have been recorded in `directory`. Nothing need be there: its file comes with it. */
export function composeInvocation({ args = [], stdin, file }: ComposeRun, directory: string): Invocation {
  const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
  return {
    program: "./program",
    arguments: args.map(bytesOf),
    environment: ["PATH=/usr/bin:/bin"],
    workingDirectory: directory,
    umask: 0o022,
    stdin: stdin === undefined ? { kind: "empty" } : { kind: "bytes", bytes: bytesOf(stdin), regularFile: false },
    tree:
      file === undefined
        ? []
        : [{ kind: "file", path: join(directory, INPUT_FILE), bytes: bytesOf(file), mode: 0o644 }],
  };
}

/** Throws unless the result is what the program deserves. */
export function assertComposed({ program, isTwin, source, line }: ComposeEntry, composed: Composed): void {
  const told = `${basename(source)}:${line} ${program.kind}\n${JSON.stringify(composed)}`;
  const { findings, notLifted } = composed;
  if (isTwin) {
    assert.deepEqual(findings, [], `a twin cannot fail: ${told}`);
    const silent = notLifted.filter((place) => place.line === line && !place.explained);
    assert.deepEqual(silent, [], `nobody says why it was not lifted: ${told}`);
    return;
  }
  const isMarked = (place: Composed["findings"][number]): boolean =>
    basename(place.file) === basename(source) && place.line === line && place.kind === program.kind;
  assert.ok(findings.some(isMarked), `not found: ${told}`);
  assert.deepEqual(
    findings.filter((place) => !isMarked(place)),
    [],
    `found where nothing is: ${told}`,
  );
}

/** Registers a test for each program and each twin of these names (a twin's is NAME-twin). */
export function describeComposition(compose: ComposeRunner, names: ReadonlySet<string>): void {
  for (const isTwin of [false, true]) {
    describe(isTwin ? "a twin that cannot fail" : "a failure deep in a program", () => {
      for (const program of COMPOSE_PROGRAMS) {
        const name = isTwin ? `${program.name}-twin` : program.name;
        if (!names.has(name)) continue;
        const what = isTwin ? "nothing is told" : `lifted over ${program.chain.length - 1} calls to main`;
        it(`${name}: ${what}`, async () => {
          const entry = composeEntry(program, isTwin);
          assertComposed(entry, await compose(entry));
        });
      }
    });
  }
}
