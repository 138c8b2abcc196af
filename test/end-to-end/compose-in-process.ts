// Composition of one small program with one recorded run, in this process: the technique plans, its runner does the items, one after the
// other, as a campaign's threads would.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Found, ItemContext } from "../../src/campaign/technique.js";
import { userFrameOf } from "../../src/findings/finding.js";
import type { Invocation } from "../../src/inputs/invocation.js";
import { loadModule } from "../../src/jit/load-module.js";
import { UNIT_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { loadProgram } from "../../src/program/load.js";
import { loadLinkedProgram } from "../../src/program/load-linked.js";
import { BlobStore } from "../../src/project/blob-store.js";
import { seedOfInvocation } from "../../src/project/made-seed.js";
import { ProjectFolder } from "../../src/project/project-folder.js";
import { COMPOSE_RUNNER } from "../../src/techniques/compose/compose-item.js";
import type { ComposeFunction, ComposeTarget, ComposeTotals } from "../../src/techniques/compose/compose-outcome.js";
import {
  type ComposePlan,
  ComposeTechnique,
  DEFAULT_COMPOSE_PLAN,
} from "../../src/techniques/compose/compose-technique.js";
import { UnitTypes } from "../../src/techniques/unit/describe-unit.js";
import type { Composed } from "./compose-fixture.js";
import { type ComposeRun, INPUT_FILE } from "./compose-manifest.js";

export interface InProcessOptions {
  readonly budgetMs: number;
  readonly plan?: Partial<ComposePlan>;
  /** A directory for results of units, and the one that the program runs in; without it nothing is kept. */
  readonly cache?: { readonly directory: string; readonly root: string };
  /** Stops when the marked line was found. */
  readonly stopsAtMark: boolean;
  readonly trace?: (text: string) => void;
  /** Each item is given so long, as by a campaign that is about to end. */
  readonly itemMs?: number;
  /** Items find that they are to stop. */
  readonly isAborted?: boolean;
}

/** What is needed of a ComposeEntry. */
export interface InProcessEntry {
  readonly source: string;
  readonly line: number;
  readonly program: { readonly recorded: ComposeRun };
}

export interface InProcessResult extends Composed {
  readonly targets: readonly ComposeTarget[];
  readonly totals: ComposeTotals;
  readonly found: readonly Found[];
  readonly functions: readonly ComposeFunction[];
  /** Items that are to be done again. */
  readonly unfinished: number;
}

/** Without mutations, which find some of these failures by themselves. */
const QUICK: Partial<ComposePlan> = { unitMs: 600, rounds: 2, mutations: 0, profileMs: 600 };

export async function composeInProcess(entry: InProcessEntry, options: InProcessOptions): Promise<InProcessResult> {
  const root = options.cache?.root ?? mkdtempSync(join(tmpdir(), "tangent-compose-"));
  try {
    return await composeIn(root, entry, options);
  } finally {
    if (options.cache === undefined) rmSync(root, { recursive: true, force: true });
  }
}

async function composeIn(root: string, entry: InProcessEntry, options: InProcessOptions): Promise<InProcessResult> {
  const load = { env: process.env, clang: null, flags: [], compile: UNIT_COMPILE_OPTIONS };
  const loaded = await loadProgram([entry.source], load);
  assert.ok(loaded.kind === "loaded", loaded.kind === "failed" ? loaded.message : "");
  const linked = await loadLinkedProgram([entry.source], load);
  assert.ok(linked.kind === "linked");
  const { image } = loaded;
  const { program } = linked;
  const invocation = invocationOf(root, entry.program.recorded);
  const seed = seedOfInvocation(
    invocation,
    { program: "/prog", programContent: "p" },
    new BlobStore(new ProjectFolder(root)),
  );
  const plan = { ...DEFAULT_COMPOSE_PLAN, ...QUICK, ...options.plan };
  const technique = new ComposeTechnique([seed], [{ content: "p", path: "/prog", name: "prog" }], plan);
  const setup = technique.setup(root, options.cache?.directory ?? null);
  const found: Found[] = [];
  let unfinished = 0;
  const endsMs = performance.now() + options.budgetMs;
  const isMarked = ({ finding }: Found): boolean => userFrameOf(finding)?.line === entry.line;
  const context: Omit<ItemContext, "timeMs"> = {
    image,
    module: loadModule(image),
    extra: { linked: { program, types: new UnitTypes(program), words: [] } },
    abort: { aborted: options.isAborted ?? false },
    tell: (event) => {
      if (event.kind === "finding") found.push(event.found);
    },
  };
  loop: for (let round = technique.nextRound(); round !== null; round = technique.nextRound()) {
    for (const item of round) {
      const timeMs = endsMs - performance.now();
      if (timeMs <= 0 || (options.stopsAtMark && found.some(isMarked))) break loop;
      const startedMs = performance.now();
      const outcome = COMPOSE_RUNNER.run(item.work, setup, {
        ...context,
        timeMs: Math.min(timeMs, options.itemMs ?? timeMs),
      });
      options.trace?.(
        `${item.work.kind} ${item.label} ${(performance.now() - startedMs).toFixed(0)} ms ${told(outcome)}`,
      );
      if (outcome.kind === "skipped" || !outcome.report.isComplete) unfinished++;
      if (outcome.kind === "report") technique.absorb(item, outcome.report);
    }
  }
  const targets = technique.targets();
  return {
    findings: found.map(({ finding }) => {
      const frame = userFrameOf(finding) ?? finding.stack[0];
      return { file: frame?.file ?? "?", line: frame?.line ?? 0, kind: finding.kind };
    }),
    notLifted: targets.flatMap(({ line, state }) =>
      state.kind === "lifted" ? [] : [{ line, explained: state.kind === "not-lifted" && state.callers.length > 0 }],
    ),
    targets,
    totals: technique.totals(),
    found,
    functions: technique.functions(),
    unfinished,
  };
}

function told(outcome: ReturnType<typeof COMPOSE_RUNNER.run>): string {
  if (outcome.kind === "skipped") return outcome.why;
  const { result } = outcome.report;
  if (result.kind === "profile") return `${result.contexts.length} contexts`;
  if (result.kind === "carry") return result.carried === null ? "carried to no test" : "carried";
  if (result.kind === "approach") return `${result.found.length} found, nearest ${result.nearest.join(", ")}`;
  const unmet = result.unmet.map(({ state }) => JSON.stringify(state)).join("\n    ");
  if (result.kind === "whole") return `${result.validated.length} validated\n    ${unmet}`;
  const failures = result.failures.map(({ target, parts, chain, tried, failed }) => {
    const names = chain.map(({ name }) => name).join(" > ");
    return `\n    ${tried}/${failed} ${names}: ${target.kind}:${target.line} if ${parts.map(({ text }) => text).join(" && ")}`;
  });
  return `${result.problem ?? ""} ${failures.join("")}\n    ${unmet} ${result.accounts.paths} paths`;
}

function invocationOf(root: string, { args = [], stdin = "", file }: ComposeRun): Invocation {
  const path = join(root, INPUT_FILE);
  if (file !== undefined) writeFileSync(path, file, "latin1");
  return {
    program: "prog",
    arguments: args.map((text) => Buffer.from(text, "latin1")),
    environment: [],
    workingDirectory: root,
    umask: 0o022,
    stdin: { kind: "bytes", bytes: Buffer.from(stdin, "latin1"), regularFile: false },
    tree: file === undefined ? [] : [{ kind: "file", path, bytes: Buffer.from(file, "latin1"), mode: 0o644 }],
  };
}
