// Inputs that were made, and on which the whole program failed: at the line that they were made for, or elsewhere, one for each place.

import type { ItemContext } from "../../campaign/technique.js";
import type { Invocation } from "../../inputs/invocation.js";
import { BlobStore } from "../../project/blob-store.js";
import { seedMadeFrom } from "../../project/made-seed.js";
import { ProjectFolder } from "../../project/project-folder.js";
import type { Seed } from "../../project/seed.js";
import { placeKeyOf } from "../../vm/place-key.js";
import { sourceFrames } from "../../vm/stack-trace.js";
import { failsInTests } from "../failures-of-tests.js";
import type { ConcreteRun } from "../reach/concrete-runner.js";
import type { ComposeSetup, TargetRef } from "./compose-work.js";

export type FaultEnd = Extract<ConcreteRun["end"], { kind: "fault" }>;

/** Failures at other lines that are told. */
const MOST_OTHERS = 4;

export class MadeFailures {
  private readonly others = new Map<string, Seed>();

  constructor(
    private readonly setup: ComposeSetup,
    private readonly context: ItemContext,
  ) {}

  isAt({ file, line }: TargetRef, { trace }: FaultEnd): boolean {
    const own = sourceFrames(this.context.image, trace).find(({ origin }) => origin === "program");
    return own !== undefined && own.file === file && own.line === line;
  }

  addElsewhere(end: FaultEnd, invocation: Invocation, seed: Seed): void {
    const { image } = this.context;
    const frames = sourceFrames(image, end.trace);
    if (invocation.literals !== undefined && failsInTests(image, frames)) return;
    const place = placeKeyOf(frames);
    if (this.others.size < MOST_OTHERS && !this.others.has(place))
      this.others.set(place, this.seedOf(invocation, seed));
  }

  get elsewhere(): readonly Seed[] {
    return [...this.others.values()];
  }

  seedOf(invocation: Invocation, seed: Seed): Seed {
    return seedMadeFrom(invocation, seed, new BlobStore(new ProjectFolder(this.setup.root)));
  }
}
