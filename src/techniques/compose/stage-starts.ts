// The ways to start a function as a unit, with their shares of the time: in the contexts that calls of tests show, and by its types.

import type { ItemContext } from "../../campaign/technique.js";
import type { IrFunction } from "../../ir/module.js";
import { DEFAULT_DESCRIBE_OPTIONS, describeUnit } from "../unit/describe-unit.js";
import { unitRunner } from "../unit/unit-run.js";
import type { ComposeSetup, ComposeWork } from "./compose-work.js";
import type { LinkedTypes } from "./linked-types.js";
import type { StageStart } from "./unit-stage.js";

type UnitWork = Extract<ComposeWork, { readonly kind: "unit" }>;

export interface StageStarts {
  readonly stages: readonly { readonly start: StageStart; readonly share: number }[];
  /** Why there are none. */
  readonly problem: string | null;
}

const GLOBAL_BYTES = 256;

export function stageStarts(
  fn: IrFunction,
  _work: UnitWork,
  _setup: ComposeSetup,
  { image, module }: ItemContext,
  { program, types }: LinkedTypes,
): StageStarts {
  const described = describeUnit(program, image, fn, { ...DEFAULT_DESCRIBE_OPTIONS, globalBytes: GLOBAL_BYTES }, types);
  if (described.kind === "failed") return { stages: [], problem: described.message };
  const { unit } = described;
  const start: StageStart = { unit, make: (options) => unitRunner(image, unit, { ...options, module }) };
  return { stages: [{ start, share: 1 }], problem: null };
}
