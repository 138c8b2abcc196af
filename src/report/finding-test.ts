// From a finding of the results back to something that can be run: the test it came from, recorded or made by patch testing, with
// the witness's bytes in the place of its own. The results name the seed; what was kept lies in the project's folder and may be
// gone by now, which is told.

import type { InputValue } from "../inputs/input-value.js";
import type { TestInput } from "../inputs/test-input.js";
import { BlobStore } from "../project/blob-store.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { testOf } from "../project/seed-test.js";
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
    const found = new SeedStore(folder, name).list().find(({ id }) => id === wanted);
    if (found !== undefined) return found;
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
  const witness = finding.inputs.map(({ name, witness: bytes }) => ({
    name,
    occurrence: 0,
    bytes: new Uint8Array(Buffer.from(bytes, "base64")),
  }));
  return { kind: "test", seed, test: made.test, witness };
}
