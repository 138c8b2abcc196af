// The input of a failure that was not confirmed is kept as a test of its own, so that `tangent replay` finds it.

import type { InputValue } from "../inputs/input-value.js";
import { BlobStore } from "../project/blob-store.js";
import { invocationWith } from "../project/invocation-test.js";
import { seedMadeFrom } from "../project/made-seed.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { invocationOf } from "../project/seed-test.js";
import { isLiteralName } from "../support/literal-names.js";

/** The id it has; null if it cannot be kept. */
export function keepWitness(root: string, seed: Seed, witness: readonly InputValue[]): string | null {
  const folder = new ProjectFolder(root);
  const blobs = new BlobStore(folder);
  const literals = witness.filter(({ name }) => isLiteralName(name)).map(({ name, bytes }) => ({ name, bytes }));
  try {
    const made = invocationOf(seed, blobs);
    if (made.kind !== "invocation") return null;
    const from = literals.length === 0 ? made.invocation : { ...made.invocation, literals };
    const kept = seedMadeFrom(invocationWith(from, witness), seed, blobs);
    new SeedStore(folder, "made").add(kept);
    return kept.id;
  } catch {
    return null;
  }
}
