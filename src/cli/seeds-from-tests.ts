// `--seed tests` of `tangent explore`: the tests of this program that the project has recorded.

import { BlobStore } from "../project/blob-store.js";
import { latestSeeds } from "../project/earlier-findings.js";
import { findProject } from "../project/project-folder.js";
import { SeedStore } from "../project/seed-store.js";
import { invocationOf } from "../project/seed-test.js";
import type { GivenSeed } from "../report/seeds.js";
import { type NamedInvocation, testsAsSeeds } from "../report/tests-as-seeds.js";
import { visible } from "../support/visible-text.js";
import { isNamed } from "./program-option.js";

/** In the place of a file. A file of this name is ./tests. */
export const TESTS_WORD = "tests";

export type TestSeeds =
  | { readonly kind: "seeds"; readonly seeds: readonly GivenSeed[]; readonly note: string }
  | { readonly kind: "wrong"; readonly problem: string };

export function seedsFromTests(program: string, directory: string): TestSeeds {
  const all = latestSeeds(new SeedStore(findProject(directory)).list());
  if (all.length === 0) {
    return { kind: "wrong", problem: "--seed tests: no tests are recorded here; see `tangent help record`" };
  }
  const own = all.filter(({ program: path }) => isNamed(path, program));
  if (own.length === 0) {
    const problem = `--seed tests: none of the ${all.length} recorded tests runs ${visible(program)}; see \`tangent seeds\``;
    return { kind: "wrong", problem };
  }
  const blobs = new BlobStore(findProject(directory));
  const tests: NamedInvocation[] = own.flatMap((seed) => {
    const made = invocationOf(seed, blobs);
    return made.kind === "broken" ? [] : [{ id: seed.id, invocation: made.invocation }];
  });
  const { seeds, left } = testsAsSeeds(tests);
  const lost = left + own.length - tests.length;
  const without = lost === 0 ? "" : `; ${lost} are left out, being too large or incomplete`;
  const note = `${seeds.length} recorded tests are seeds; their inputs have one size in all runs, shorter ones end in zeros${without}`;
  return { kind: "seeds", seeds, note };
}
