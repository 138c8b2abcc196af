// From a finding of the results back to something that can be run: the test it came from, recorded or made by patch testing, with
// the witness's bytes in the place of its own. The results name the seed; what was kept lies in the project's folder and may be
// gone by now, which is told.

import type { InputValue } from "../inputs/input-value.js";
import type { TestInput } from "../inputs/test-input.js";
import type { ProgramImage } from "../jit/image.js";
import { BlobStore } from "../project/blob-store.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { testOf } from "../project/seed-test.js";
import { isLiteralName } from "../support/literal-names.js";
import type { ResultFinding } from "./campaign-result.js";

export type FindingTest =
  | {
      readonly kind: "test";
      readonly seed: Seed;
      readonly test: TestInput;
      readonly witness: readonly InputValue[];
    }
  | { readonly kind: "gone"; readonly message: string };

/** A recorded test, or an input that a technique made. */
export function seedWithId(folder: ProjectFolder, wanted: string): Seed | null {
  for (const name of ["seeds", "made"] as const) {
    const found = new SeedStore(folder, name).find(wanted);
    if (found?.id === wanted) return found;
  }
  return null;
}

export function testOfFinding(folder: ProjectFolder, finding: ResultFinding): FindingTest {
  const seed = seedWithId(folder, finding.seedId);
  if (seed === null) {
    return {
      kind: "gone",
      message: `the test ${finding.seedId} that finding ${finding.id} came from is no longer in .tangent/seeds or .tangent/made; record the tests again`,
    };
  }
  const made = testOf(seed, new BlobStore(folder), folder.root);
  if (made.kind === "broken") return { kind: "gone", message: `the test ${seed.id}: ${made.problem}` };
  const witness = finding.inputs.map(({ name, witness: bytes }) => inputValue(name, bytes));
  return { kind: "test", seed, test: withLiterals(made.test, finding), witness };
}

/**
 * Of a finding whose input moves made: the recorded test in the made one's place, for runs that are compared. Arguments and variables end at
 * their first zero, so a shorter one is the longer one with zeros. Null if the two differ in more: other words, or contents of other sizes.
 */
export function recordedInPlace(folder: ProjectFolder, finding: ResultFinding, made: TestInput): TestInput | null {
  const seed = finding.moved === undefined ? null : seedWithId(folder, finding.moved.from);
  const recorded = seed === null ? null : testOf(seed, new BlobStore(folder), folder.root);
  if (recorded?.kind !== "test" || recorded.test.inputs.words.length !== made.inputs.words.length) return null;
  const { test } = recorded;
  const bytesOf = new Map(test.values.map(({ name, bytes }) => [name, bytes]));
  const values: InputValue[] = [];
  for (const value of made.values) {
    const before = bytesOf.get(value.name) ?? variableOf(test, value.name);
    const isString = /^(arg\d|env:)/.test(value.name);
    const size = value.bytes.length;
    if (before === undefined || (isString ? before.length > size : before.length !== size)) return null;
    const bytes = new Uint8Array(size);
    bytes.set(before);
    values.push({ ...value, bytes });
  }
  return { ...made, values };
}

/** What a variable holds in a test of which it is no input. */
function variableOf({ environment }: TestInput, name: string): Uint8Array | undefined {
  const start = name.startsWith("env:") ? `${name.slice("env:".length)}=` : null;
  const found = start === null ? undefined : environment.find((variable) => variable.startsWith(start));
  return found === undefined || start === null ? undefined : Buffer.from(found.slice(start.length));
}

/** A recorded test says nothing of literals: those that the finding changes are input of it besides. */
function withLiterals(test: TestInput, { inputs }: ResultFinding): TestInput {
  const values = inputs.flatMap(({ name, seed }) => (isLiteralName(name) ? [inputValue(name, seed)] : []));
  if (values.length === 0) return test;
  const literals = values.map(({ name, bytes }) => ({ name, size: bytes.length }));
  return { ...test, inputs: { ...test.inputs, literals }, values: [...test.values, ...values] };
}

/** A literal that the test is to change is not in the program, or holds something else there: what is to be told. Null if all are there. */
export function movedLiteral({ tests }: Pick<ProgramImage, "tests">, { values }: TestInput): string | null {
  const known = new Map(tests?.literals.map(({ name, bytes }) => [name, Buffer.from(bytes)]));
  const moved = values.find(({ name, bytes }) => isLiteralName(name) && known.get(name)?.equals(bytes) !== true);
  if (moved === undefined) return null;
  const place = moved.name.replace(/^literal:/, "");
  return `the literal that it changes is no longer at ${place}; run \`tangent test\` again`;
}

function inputValue(name: string, base64: string): InputValue {
  return { name, occurrence: 0, bytes: new Uint8Array(Buffer.from(base64, "base64")) };
}
