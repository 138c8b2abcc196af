// The folder of one exploration. Everything in it is a format that other tools read:
//
//   test000001.ktest, test000001.ptr.err   a path's input as KLEE writes it, and the error it ends in
//   tests.csv                              how each written test ended
//   inputs/test000001.stdin                the same input as raw bytes, a file per object (for fuzzers); of what the
//                                          program has asked for very often, one file
//   findings/001-heap-buffer-overflow/     report.txt, finding.json, input.ktest, reproduce.sh, stdin, files/
//   unconfirmed/001.ktest                  an input that failed when there was no time to run it again
//   divergences/001.ktest, 001.txt         an input that took another path than predicted, and where
//   test-suite/                            Test-Comp's exchange format
//   coverage.csv, coverage.lcov, statistics.json, summary.txt, info
//
// Writing a file costs about as much as exploring a path, so not every path gets one: those that covered new code or end
// in a new finding always do (with raw bytes and XML), the first MOST_PLAIN_TESTS others as a .ktest, the rest are
// counted. `writeAll` lifts that limit.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Finding } from "../findings/finding.js";
import type { FindingIdentity } from "../findings/identity.js";
import { type InputValue, objectName } from "../inputs/input-value.js";
import type { SymbolicInputs } from "../inputs/symbolic-inputs.js";
import { type ShownTest, surroundingsOf } from "../inputs/test-input.js";
import { sourcesBelow } from "../project/sources.js";
import { CoverageCsv, type ProgressSample } from "./coverage-csv.js";
import { EarlierTests, FINDING_FILE } from "./earlier-tests.js";
import type { FileSink } from "./file-writer.js";
import { findingJson } from "./json.js";
import { kleeSuffix, renderKleeError, renderKleeExternal } from "./klee-error.js";
import { toKlee } from "./klee-objects.js";
import { encodeKTest } from "./ktest.js";
import { FILES_FOLDER, renderReproduce, STDIN_FILE } from "./reproduce.js";
import { renderSuiteMetadata, renderTestCase } from "./test-comp.js";
import { PLAIN_TEXT, renderFinding } from "./text.js";
import { renderWitness } from "./witness.js";

/**
 * Tests that are neither new coverage nor a finding. A new file costs 16 microseconds of processor time at best and, measured on a
 * virtual machine's disk, 340: with 1000 of them a small program's exploration took longer to write than to explore.
 */
export const MOST_PLAIN_TESTS = 200;
/** Rows of tables wait for company; the file is behind by at most that many. */
const ROWS_A_WRITE = 256;
/** Runs that took another path than predicted: the first ones tell what is wrong. */
const MOST_DIVERGENCES = 16;
/** Objects of one name that have raw files of their own: an array filled by a nondet function would be 100,000 files. */
const MOST_OF_A_NAME = 64;

export interface RunFolderOptions {
  /** As the user wrote it, and absolute. */
  readonly program: string;
  readonly programPath: string;
  /** Below these its sources may be shown. */
  readonly sourceRoots?: readonly string[];
  /** Whether the program itself can run natively. */
  readonly native: boolean;
  readonly inputs: SymbolicInputs;
  readonly producer: string;
  readonly writeAll: boolean;
  readonly mostPlainTests: number;
  /** Numbers already used, when a folder is continued. */
  readonly testsBefore: number;
  readonly findingsBefore: number;
  readonly startedAt: Date;
}

/** A completed path, as far as its test goes. */
export interface PathRecord {
  readonly objects: readonly InputValue[];
  readonly coversNew: boolean;
  /** Only if no path before ended in the same one. */
  readonly finding: Finding | null;
  /** `exit 0`, `heap-buffer-overflow`, `limit instructions`, ...: what a replay is compared with. */
  readonly end: string;
  readonly instructions: number;
  readonly elapsedMs: number;
}

export class RunFolder {
  testsWritten: number;
  findingsWritten: number;
  /** Paths that got no test because of the limit. */
  testsSkipped = 0;
  private plainTests = 0;
  private suiteTests = 0;
  private divergencesWritten = 0;
  private unconfirmedWritten = 0;
  private rows: string[] = [];
  /** Functions defined nowhere at which a path has ended: each has one .err. */
  private readonly externals = new Set<string>();
  private readonly csv = new CoverageCsv();
  private readonly program: Uint8Array;
  /** What is there from before a restart. */
  private readonly earlier: EarlierTests | null;

  constructor(
    private readonly options: RunFolderOptions,
    readonly files: FileSink,
  ) {
    this.program = Buffer.from(options.program);
    this.testsWritten = options.testsBefore;
    this.findingsWritten = options.findingsBefore;
    this.earlier = options.testsBefore + options.findingsBefore > 0 ? new EarlierTests(files.folder) : null;
    if (options.testsBefore === 0) this.rows.push("test,end,covers_new,instructions,seconds");
  }

  /** Whether a path without a finding is to have a test; counts it if not. */
  wants(coversNew: boolean): boolean {
    if (coversNew || this.options.writeAll || this.plainTests < this.options.mostPlainTests) return true;
    this.testsSkipped++;
    return false;
  }

  /** Whether a path that is run again after a restart is to be written: if it would have had a test, and has none. */
  isMissing(objects: readonly InputValue[], coversNew: boolean): boolean {
    if (!coversNew && !this.options.writeAll) return false;
    return this.earlier === null || !this.earlier.hasTest(this.ktestOf(objects));
  }

  /** Whether a finding was written before a restart. */
  isKnown({ id }: FindingIdentity): boolean {
    return this.earlier?.hasFinding(id) ?? false;
  }

  /** Writes the path's test; gives its name (test000001). */
  addPath(path: PathRecord): string {
    const isSpecial = path.coversNew || path.finding !== null;
    if (!isSpecial) this.plainTests++;
    const name = `test${String(++this.testsWritten).padStart(6, "0")}`;
    this.files.write(`${name}.ktest`, this.ktestOf(path.objects));
    if (path.finding !== null) {
      this.files.write(`${name}.${kleeSuffix(path.finding)}.err`, renderKleeError(path.finding));
    }
    const external = renderKleeExternal(path.end);
    if (external !== null && !this.externals.has(external.callee)) {
      this.externals.add(external.callee);
      this.files.write(`${name}.external.err`, external.text);
    }
    if (isSpecial) {
      // These are few, and what a killed process would be missed for.
      for (const { name: of, bytes } of rawInputs(path.objects)) this.files.write(`inputs/${name}.${of}`, bytes);
      this.addToSuite(path);
    }
    const seconds = (path.elapsedMs / 1000).toFixed(3);
    this.rows.push(
      `${name},${path.end.replaceAll(",", ";")},${path.coversNew ? 1 : 0},${path.instructions},${seconds}`,
    );
    if (this.rows.length >= ROWS_A_WRITE) this.writeRows();
    return name;
  }

  /** Writes a finding's own folder; gives its name, relative to the run's. */
  addFinding(finding: Finding, identity: FindingIdentity, objects: readonly InputValue[]): string {
    const number = String(++this.findingsWritten).padStart(3, "0");
    const folder = `findings/${number}-${finding.kind}`;
    const test = this.testOf(objects);
    const around = surroundingsOf(test);
    const { program, programPath, native } = this.options;
    const title = `${finding.kind}: ${finding.message}`;
    const text = { ...PLAIN_TEXT, readSource: sourcesBelow(this.options.sourceRoots ?? []) };
    this.files.write(`${folder}/report.txt`, `${renderFinding(finding, text)}${renderWitness(test)}`);
    this.files.write(`${folder}/input.ktest`, this.ktestOf(objects));
    const script = renderReproduce({ ...test, program }, { title, program: programPath, native, ktest: "input.ktest" });
    this.files.write(`${folder}/reproduce.sh`, script, 0o777);
    if (around.stdin !== null) this.files.write(`${folder}/${STDIN_FILE}`, around.stdin);
    for (const { name, bytes } of around.files) this.files.write(`${folder}/${FILES_FOLDER}/${name}`, bytes);
    // Last: where it is, everything else is.
    this.files.write(
      `${folder}/${FINDING_FILE}`,
      `${JSON.stringify({ ...findingJson(finding, identity), input: inputJson(test) }, null, 2)}\n`,
    );
    return folder;
  }

  /** Keeps an input that took another path than predicted, as long as there are few. */
  addDivergence(objects: readonly InputValue[], lines: readonly string[]): void {
    if (this.divergencesWritten === MOST_DIVERGENCES) return;
    const name = `divergences/${String(++this.divergencesWritten).padStart(3, "0")}`;
    this.files.write(`${name}.ktest`, this.ktestOf(objects));
    this.files.write(`${name}.txt`, `${lines.join("\n")}\n`);
  }

  /** Keeps the input of a failure that there was no time to confirm. */
  addUnconfirmed(objects: readonly InputValue[]): void {
    const { name, bytes } = this.asUnconfirmed(objects);
    this.unconfirmedWritten++;
    this.files.write(name, bytes);
  }

  /** The file that this would write. */
  asUnconfirmed(objects: readonly InputValue[]): { readonly name: string; readonly bytes: Uint8Array } {
    const name = `unconfirmed/${String(this.unconfirmedWritten + 1).padStart(3, "0")}.ktest`;
    return { name, bytes: this.ktestOf(objects) };
  }

  addSample(sample: ProgressSample): void {
    this.csv.add(sample);
  }

  /** Brings the tables and the statistics up to date: now and then, and at the end. */
  update(statistics: unknown): void {
    this.files.append("coverage.csv", this.csv.take());
    this.writeRows();
    this.files.replace("statistics.json", `${JSON.stringify(statistics, null, 2)}\n`);
    this.files.flush();
  }

  testOf(objects: readonly InputValue[]): ShownTest {
    return { program: this.options.program, inputs: this.options.inputs, values: objects };
  }

  private ktestOf(objects: readonly InputValue[]): Uint8Array {
    const { args, objects: named } = toKlee(this.program, this.options.inputs, objects);
    return encodeKTest(args, named);
  }

  private addToSuite({ objects, finding }: PathRecord): void {
    if (this.suiteTests === 0) {
      const { producer, program, programPath, startedAt } = this.options;
      const info = { producer, programFile: program, programHash: hashOf(programPath), createdAt: startedAt };
      this.files.write("test-suite/metadata.xml", renderSuiteMetadata(info));
    }
    this.suiteTests++;
    const coversError = finding?.stack.some(({ functionName }) => functionName === "reach_error") ?? false;
    this.files.write(`test-suite/testcase-${this.testsWritten}.xml`, renderTestCase(objects, coversError));
  }

  private writeRows(): void {
    this.files.append("tests.csv", this.rows.map((row) => `${row}\n`).join(""));
    this.rows = [];
  }
}

/** The raw files of an input: one for each object; where there are very many of a name, one for them all, in order. */
function rawInputs(objects: readonly InputValue[]): { readonly name: string; readonly bytes: Uint8Array }[] {
  const byName = new Map<string, InputValue[]>();
  for (const object of objects) {
    const same = byName.get(object.name);
    if (same === undefined) byName.set(object.name, [object]);
    else same.push(object);
  }
  return [...byName].flatMap(([name, same]) => {
    if (same.length > MOST_OF_A_NAME) {
      return [{ name: `${fileNameOf(name)}.all`, bytes: Buffer.concat(same.map(({ bytes }) => bytes)) }];
    }
    return same.map((object) => ({ name: fileNameOf(objectName(object)), bytes: object.bytes }));
  });
}

/** An input object's name is the program's to choose; a file's name is not. */
function fileNameOf(name: string): string {
  return name
    .replace(/^(file|env):/, "")
    .replace(/[^A-Za-z0-9._-]/g, "_")
    .slice(0, 64);
}

function inputJson(test: ShownTest): unknown {
  const around = surroundingsOf(test);
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
  return {
    program: test.program,
    arguments: around.words.map(({ bytes }) => hex(bytes)),
    stdin: around.stdin === null ? null : hex(around.stdin),
    files: around.files.map(({ name, bytes }) => ({ name, bytes: hex(bytes) })),
    environment: around.environment.map(({ name, value }) => ({ name, value: hex(value) })),
    objects: test.values.map((object) => ({ name: objectName(object), bytes: hex(object.bytes) })),
  };
}

function hashOf(path: string): string {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return "";
  }
}
