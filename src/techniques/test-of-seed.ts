// A recorded or made seed as the test that a technique's item runs: its bytes from the project's store, and only what it may see of the disk.

import { seenFrom } from "../inputs/test-input.js";
import { BlobStore } from "../project/blob-store.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { type SeedTest, testOf } from "../project/seed-test.js";
import type { TestLimits } from "./test-limits.js";

export function testOfSeed(
  seed: Seed,
  { root, roots, store = root }: Pick<TestLimits, "roots" | "store"> & { readonly root: string },
): SeedTest {
  const made = testOf(seed, new BlobStore(new ProjectFolder(store)), root);
  return made.kind === "broken" ? made : { kind: "test", test: seenFrom(made.test, roots) };
}
