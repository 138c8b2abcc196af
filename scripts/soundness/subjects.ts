// Which programs are examined, and how: random ones from csmith with their variables symbolic, our own random ones that are all
// arithmetic of integers or of floating point, the language programs of the corpus with their variables, arguments and standard input symbolic, the programs
// made for exploration with the options they state, and the benchmarks, which give most of the paths.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArguments } from "../../src/cli/command.js";
import { EXPLORE_OPTIONS, type ExploreOptions, planOf } from "../../src/cli/explore-options.js";
import { NO_INPUTS, type SymbolicInputs } from "../../src/inputs/symbolic-inputs.js";
import { Random } from "../../src/support/random.js";
import { parseExpectations } from "../corpus-expectations.js";
import { parseExploreExpectations } from "../explore-expectations.js";
import { arithmeticProgram } from "./arithmetic-program.js";
import { floatProgram } from "./float-program.js";
import { buildNatively, nativeIntrinsics, runNatively } from "./native-program.js";
import type { Group, Subject } from "./subject.js";

const ROOT = resolve(import.meta.dirname, "../../..");
const CSMITH_HEADERS = "/usr/include/csmith";
const CSMITH_MS = 120_000;
/** By group: time of exploration for one second asked for, and queries for z3 for each one asked for. */
const WEIGHTS: Readonly<Record<Group, { readonly time: number; readonly queries: number }>> = {
  csmith: { time: 1, queries: 1 },
  arithmetic: { time: 4, queries: 10 },
  floats: { time: 4, queries: 2 },
  language: { time: 1 / 3, queries: 1 },
  explore: { time: 1 / 3, queries: 1 },
  bench: { time: 5, queries: 10 },
};

export interface Amounts {
  readonly exploreMs: number;
  readonly explorePaths: number;
  readonly queries: number;
  readonly z3Ms: number;
  readonly randomInputs: number;
  /** Whether inputs are run natively as well; building takes a second. */
  readonly native: boolean;
}

/** A program that can be made ready when its turn comes; null: it is none after all (csmith's does not end). */
export interface Candidate {
  readonly group: Group;
  readonly name: string;
  make(): Subject | null;
}

export class Subjects {
  constructor(
    private readonly work: string,
    private readonly amounts: Amounts,
  ) {
    mkdirSync(work, { recursive: true });
  }

  csmith(seed: number): Candidate {
    const name = `seed-${seed}`;
    return {
      group: "csmith",
      name,
      make: () => {
        const base = this.base("csmith", name);
        const generated = spawnSync("csmith", ["--seed", String(seed), "--output", `${base}.c`], {
          // It leaves its platform.info where it runs.
          cwd: dirname(base),
          timeout: CSMITH_MS,
        });
        if (generated.status !== 0) throw new Error("csmith cannot be run; it is in the Debian package csmith");
        const flags = ["-w", "-I", CSMITH_HEADERS];
        const trouble = buildNatively([`${base}.c`], flags, base);
        if (trouble !== null) throw new Error(`${base}.c: ${trouble}`);
        const expected = runNatively(base, NO_INPUTS, [], `${base}-native`);
        rmSync(base);
        if (expected === null || expected.code !== 0) return null;
        return { ...this.plain("csmith", name, `${base}.c`, seed), flags, globals: true, expected };
      },
    };
  }

  arithmetic(seed: number): Candidate {
    return this.made("arithmetic", seed, arithmeticProgram(new Random(seed)));
  }

  floats(seed: number): Candidate {
    return this.made("floats", seed, floatProgram(new Random(seed)));
  }

  private made(group: "arithmetic" | "floats", seed: number, source: string): Candidate {
    const name = `${group}-${seed}`;
    return {
      group,
      name,
      make: () => {
        const path = `${this.base(group, name)}.c`;
        writeFileSync(path, source);
        const flags = ["-fwrapv", "-w"];
        const executable = this.built(group, name, path, source, flags);
        const { randomInputs } = this.amounts;
        return { ...this.plain(group, name, path, seed), flags, randomInputs, executable };
      },
    };
  }

  language(): Candidate[] {
    return this.sources("test/programs/language").map(({ name, path, source }) => ({
      group: "language",
      name,
      make: () => {
        const { args, stdin, options, stdout, exit, signal } = parseExpectations(source);
        const at = options.indexOf("--ubsan");
        const flags = at < 0 ? [] : [`-fsanitize=undefined`, "-fsanitize-trap=undefined"];
        const inputs: SymbolicInputs = {
          ...NO_INPUTS,
          words: args.map((word) => ({ kind: "symbolic", length: Buffer.byteLength(word, "latin1") })),
          stdin: stdin === "" ? null : stdin.length,
        };
        const values = args.map((word, n) => ({ name: `arg${n}`, occurrence: 0, bytes: Buffer.from(word, "latin1") }));
        const input = stdin === "" ? [] : [{ name: "stdin", occurrence: 0, bytes: Buffer.from(stdin, "latin1") }];
        const expected = { stdout: stdout ?? "", code: signal === null ? exit : 128 + signal };
        return {
          ...this.plain("language", name, path, 1),
          ...{ flags, inputs, globals: true, expected },
          seed: [...values, ...input],
        };
      },
    }));
  }

  explore(): Candidate[] {
    const folders = ["test/programs/explore", "test/programs/floats"];
    return folders
      .flatMap((folder) => this.sources(folder))
      .map(({ name, path, source }) => ({
        group: "explore",
        name,
        make: () => {
          const subject = this.plain("explore", name, path, 1);
          const { runs, files, native } = parseExploreExpectations(source);
          mkdirSync(subject.workingDirectory, { recursive: true });
          for (const file of files) writeFileSync(join(subject.workingDirectory, file.name), file.bytes, "latin1");
          const words = runs[0].options.map((word) =>
            files.some((file) => file.name === word) ? join(subject.workingDirectory, word) : word,
          );
          const { inputs, seed, flags } = this.planned(name, words, runs[0].args, subject.workingDirectory);
          const { randomInputs } = this.amounts;
          const executable = native === null ? this.built("explore", name, path, source, flags) : null;
          return { ...subject, inputs, seed, flags, randomInputs, executable };
        },
      }));
  }

  bench(): Candidate[] {
    return this.sources("bench/explore").map(({ name, path, source }) => ({
      group: "bench",
      name,
      make: () => {
        const inputs = { ...NO_INPUTS, stdin: source.includes("klee_") ? null : 16 };
        const executable = this.built("bench", name, path, source, []);
        return { ...this.plain("bench", name, path, 1), inputs, executable };
      },
    }));
  }

  /** Null if it cannot be built natively, or nobody wants it. */
  private built(
    group: Group,
    name: string,
    path: string,
    source: string,
    flags: readonly string[],
  ): Subject["executable"] {
    if (!this.amounts.native) return null;
    const executable = this.base(group, name);
    return buildNatively([path, ...nativeIntrinsics(source)], flags, executable) === null ? executable : null;
  }

  private base(group: Group, name: string): string {
    mkdirSync(join(this.work, group), { recursive: true });
    return join(this.work, group, name);
  }

  private plain(group: Group, name: string, source: string, randomSeed: number): Subject {
    const { time, queries } = WEIGHTS[group];
    return {
      group,
      name,
      source,
      flags: [],
      workingDirectory: join(this.work, group, `${name}-files`),
      inputs: NO_INPUTS,
      globals: false,
      seed: [],
      expected: null,
      executable: null,
      randomInputs: 0,
      exploreMs: this.amounts.exploreMs * time,
      explorePaths: this.amounts.explorePaths,
      queries: this.amounts.queries * queries,
      z3Ms: this.amounts.z3Ms,
      randomSeed,
    };
  }

  private planned(
    name: string,
    words: readonly string[],
    args: readonly string[],
    workingDirectory: string,
  ): Pick<Subject, "inputs" | "seed" | "flags"> {
    const parsed = parseArguments(EXPLORE_OPTIONS, {}, words);
    if (parsed.kind !== "parsed") throw new Error(`${name}: its options are not understood: ${JSON.stringify(parsed)}`);
    const options = parsed.options as ExploreOptions;
    const around = { program: name, workingDirectory, environment: [], words: args.map((arg) => Buffer.from(arg)) };
    // What is asked of solvers does not matter here.
    const planned = planOf({ ...options, solver: undefined, logQueries: undefined, crossCheck: false }, around);
    if (planned.kind !== "planned") throw new Error(`${name}: ${JSON.stringify(planned)}`);
    const { inputs, seeds } = planned.plan;
    return { inputs, seed: seeds[0] ?? [], flags: options.flag };
  }

  private sources(folder: string): { readonly name: string; readonly path: string; readonly source: string }[] {
    return readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith(".c"))
      .sort()
      .map((file) => {
        const path = join(ROOT, folder, file);
        return { name: file.replace(/\.c$/, ""), path, source: readFileSync(path, "latin1") };
      });
  }
}
