// C programs for the tests of units, given as text: compiled, translated for units, and explored from any of their functions.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argumentName, fileObjectName, STDIN_NAME } from "../inputs/symbolic-inputs.js";
import type { TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import { UNIT_COMPILE_OPTIONS } from "../jit/options.js";
import { loadProgram } from "../program/load.js";
import { assembleSolver } from "../solver/chain.js";
import { Random } from "../support/random.js";
import { Engine } from "./engine.js";
import type { EngineEvent } from "./events.js";
import type { EngineOptions } from "./options.js";
import type { EngineStatistics } from "./statistics.js";
import type { UnitDescription } from "./unit-description.js";
import { makeUnit, summaryOf, type UnitExecutor, type UnitOptions } from "./unit-executor.js";
import type { RunSummary } from "./unit-summary.js";

export async function compileUnit(source: string, compile = UNIT_COMPILE_OPTIONS): Promise<ProgramImage> {
  const folder = mkdtempSync(join(tmpdir(), "tangent-unit-"));
  try {
    const file = join(folder, "unit.c");
    writeFileSync(file, source);
    const loaded = await loadProgram([file], {
      env: process.env,
      clang: null,
      flags: [],
      compile,
    });
    if (loaded.kind === "failed") throw new Error(loaded.message);
    return loaded.image;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A unit without anything but its function and parameters, unless more is said. */
export function unit(name: string, more: Partial<UnitDescription> = {}): UnitDescription {
  return { function: name, parameters: [], globals: [], stubs: [], ...more };
}

export function executorOf(image: ProgramImage, description: UnitDescription, options: UnitOptions = {}): UnitExecutor {
  const made = makeUnit(image, description, options);
  if (made.kind === "failed") throw new Error(made.message);
  return made.executor;
}

export interface ExploredUnit {
  readonly executor: UnitExecutor;
  readonly engine: Engine;
  readonly events: readonly EngineEvent[];
  readonly statistics: EngineStatistics;
  /** Of complete paths, with how each ended: an exit code or a kind of finding. */
  readonly summaries: readonly { readonly summary: RunSummary; readonly end: string }[];
  /** Findings that were confirmed, sorted: kind, and the bytes of the objects of its input. */
  readonly findings: readonly { readonly kind: string; readonly input: Readonly<Record<string, readonly number[]>> }[];
  readonly isComplete: boolean;
}

export function exploreUnit(
  image: ProgramImage,
  description: UnitDescription,
  options: UnitOptions & { readonly engine?: Partial<EngineOptions> } = {},
): ExploredUnit {
  const { engine: engineOptions, ...unitOptions } = options;
  const executor = executorOf(image, description, { summaries: true, ...unitOptions });
  const solver = assembleSolver(executor.arena, {});
  const engine = new Engine(executor, { random: new Random(7), searcher: "dfs", ...engineOptions, solver });
  const events: EngineEvent[] = [];
  const summaries: { summary: RunSummary; end: string }[] = [];
  const findings: { kind: string; input: Record<string, readonly number[]> }[] = [];
  const exploration = engine.explore();
  for (;;) {
    const next = exploration.next();
    if (next.done === true) {
      const last = events.at(-1);
      const isComplete = last?.kind === "done" && last.complete;
      return { executor, engine, events, statistics: next.value, summaries, findings, isComplete };
    }
    const event = next.value;
    events.push(event);
    if (event.kind === "run-finished" && event.isPath) {
      const { end } = event.outcome;
      const summary = summaryOf(event.outcome);
      const text = end.kind === "exit" ? String(end.code) : end.kind === "finding" ? end.finding.kind : end.kind;
      if (summary !== null) summaries.push({ summary, end: text });
    }
    if (event.kind === "finding-confirmed") {
      const input: Record<string, readonly number[]> = {};
      for (const { name, size, firstVariable } of event.outcome.objects) {
        const object = executor.space.objectOf(firstVariable);
        if (object !== null && object.size === size) input[name] = [...executor.space.bytesOf(object, event.input)];
      }
      findings.push({ kind: event.finding.kind, input });
    }
  }
}

/** The little-endian number in some bytes. */
export function numberIn(bytes: readonly number[] | undefined): number {
  let value = 0;
  for (let k = (bytes?.length ?? 0) - 1; k >= 0; k--) value = value * 256 + (bytes?.[k] ?? 0);
  return value;
}

/** A test whose words, standard input and files are all input. */
export function testWith(given: {
  readonly words?: readonly string[];
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string>>;
}): TestInput {
  const { words = [], stdin = null, files = {} } = given;
  const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
  const named = Object.entries(files);
  return {
    program: "program",
    workingDirectory: "/",
    environment: [],
    inputs: {
      words: words.map(({ length }) => ({ kind: "symbolic", length })),
      stdin: stdin === null ? null : stdin.length,
      files: named.map(([name, content]) => ({ name, size: content.length })),
      environment: [],
    },
    values: [
      ...words.map((word, n) => ({ name: argumentName(n), occurrence: 0, bytes: bytes(word) })),
      ...(stdin === null ? [] : [{ name: STDIN_NAME, occurrence: 0, bytes: bytes(stdin) }]),
      ...named.map(([name, content]) => ({ name: fileObjectName(name), occurrence: 0, bytes: bytes(content) })),
    ],
    given: {},
  };
}
