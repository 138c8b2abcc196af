// Tests as an item of patch testing or of composition is given them, made ready to run: contents from the project's store, the disk as programs may see it.

import type { ItemContext } from "../../campaign/technique.js";
import type { Invocation } from "../../inputs/invocation.js";
import { seenFrom, type TestInput } from "../../inputs/test-input.js";
import { BlobStore } from "../../project/blob-store.js";
import { DEFAULT_INVOCATION_LIMITS, testOfInvocation } from "../../project/invocation-test.js";
import { ProjectFolder } from "../../project/project-folder.js";
import type { Seed } from "../../project/seed.js";
import { invocationOf } from "../../project/seed-test.js";
import type { Machine } from "../../vm/machine.js";
import type { TestLimits } from "../test-limits.js";
import { type ConcreteLimits, type ConcreteRun, ConcreteRunner } from "./concrete-runner.js";

export class GivenTests {
  readonly runner: ConcreteRunner;
  private readonly blobs: BlobStore;
  /** Without links, for as long as an item lasts. */
  private readonly directories = new Map<string, string>();

  constructor(
    /** `root`: the project's directory. */
    private readonly setup: TestLimits & { readonly root: string },
    { image, module }: Pick<ItemContext, "image" | "module">,
    /** See ConcreteRunner. */
    ready: ((machine: Machine) => void) | null = null,
  ) {
    this.blobs = new BlobStore(new ProjectFolder(setup.store ?? setup.root));
    this.runner = new ConcreteRunner(image, module, setup.randomSeed, ready);
  }

  invocationOf(seed: Seed): ReturnType<typeof invocationOf> {
    return invocationOf(seed, this.blobs);
  }

  testFor(invocation: Invocation): TestInput {
    const { root, roots } = this.setup;
    return seenFrom(testOfInvocation(invocation, root, DEFAULT_INVOCATION_LIMITS, this.directories), roots);
  }

  run(invocation: Invocation, milliseconds: number, instructions?: number): ConcreteRun {
    return this.runner.run(this.testFor(invocation), this.limits(milliseconds, instructions));
  }

  /** As `run`; its coverage is good until the next run. */
  lend(invocation: Invocation, milliseconds: number, instructions?: number): ConcreteRun {
    return this.runner.lend(this.testFor(invocation), this.limits(milliseconds, instructions));
  }

  /** There will be no more runs. */
  release(): void {
    this.runner.release();
  }

  private limits(milliseconds: number, instructions = this.setup.instructionsPerPath): ConcreteLimits {
    return { instructions, milliseconds, heapBytes: this.setup.heapBytes };
  }
}
