// The ways to start a function as a unit: in the contexts that calls of tests show, with what depends on the program's input free, or with
// everything; and by its types.

import type { ItemContext } from "../../campaign/technique.js";
import type { IrFunction } from "../../ir/module.js";
import { testOfSeed } from "../test-of-seed.js";
import { DEFAULT_DESCRIBE_OPTIONS, type Described, describeUnit } from "../unit/describe-unit.js";
import type { DescribedUnit } from "../unit/unit-inputs.js";
import { unitRunner } from "../unit/unit-run.js";
import type { ComposeSetup, Realism, UnitSeed, UnitWork } from "./compose-work.js";
import { describeContext } from "./describe-context.js";
import { characterOf } from "./found-texts.js";
import { type Freedom, freedomOf } from "./found-values.js";
import { codeFactsOf, groundOf, linkedOf } from "./linked-types.js";
import { type StubbedCallees, StubMaker } from "./stub-values.js";
import type { StageStart } from "./unit-stage.js";

export interface PossibleStage {
  readonly realism: Realism;
  /** Of the time, to that of others. */
  readonly share: number;
  /** Made when its turn comes: a context costs a run of its test. */
  start(): StageStart | { readonly kind: "failed"; readonly message: string };
}

const GLOBAL_BYTES = 256;
const CONTEXT_RUN_MS = 2000;
export function possibleStages(
  fn: IrFunction,
  work: UnitWork,
  setup: ComposeSetup,
  context: ItemContext,
): readonly PossibleStage[] {
  const starter = new Starter(fn, work, setup, context);
  const inContext = (seed: UnitSeed, realism: Exclude<Realism, "types">): PossibleStage => ({
    realism,
    share: 1,
    start: () => starter.inContext(seed, freedomOf(realism)),
  });
  return work.starts.flatMap((realism): PossibleStage[] => {
    if (realism === "types") return [{ realism, share: 1, start: () => starter.byTypes() }];
    const contexts = work.contexts.filter(({ dependent }) => realism === "context" || dependent > 0);
    if (realism !== "texts") return contexts.map((seed) => inContext(seed, realism));
    if (contexts.length === 0 || !starter.takesTexts()) return [];
    // The text is another one anyway: the call that is reached first is as good as any, and each path costs least there.
    const calls = [...contexts].sort((a, b) => a.call - b.call);
    return [{ realism, share: calls.length, start: () => starter.withTexts(calls) }];
  });
}

class Starter {
  private callees: StubbedCallees | null = null;

  constructor(
    private readonly fn: IrFunction,
    private readonly work: UnitWork,
    private readonly setup: ComposeSetup,
    private readonly context: ItemContext,
  ) {}

  /** Whether its parameters say so; what they are at a call is another matter. */
  takesTexts(): boolean {
    const ground = groundOf(this.context);
    const passed = ground.function(this.work.function)?.passed ?? [];
    return passed.some(({ type }) => characterOf(ground.cTypes, type) !== null);
  }

  /** In the first of these calls that is given a text. */
  withTexts(calls: readonly UnitSeed[]): ReturnType<PossibleStage["start"]> {
    let start = this.inContext(calls[0], "texts");
    for (const call of calls.slice(1)) {
      if (!("kind" in start)) break;
      start = this.inContext(call, "texts");
    }
    return start;
  }

  inContext({ seed, function: index, call }: UnitSeed, freedom: Freedom): ReturnType<PossibleStage["start"]> {
    const { setup, context } = this;
    const made = testOfSeed(seed, setup);
    if (made.kind === "broken") return { kind: "failed", message: made.problem };
    const { heapBytes, randomSeed } = setup;
    return this.startOf(
      freedom,
      describeContext(groundOf(context), made.test, index, call, {
        freedom,
        key: seed.id,
        execution: { heapBytes, seed: randomSeed },
        limits: { instructions: setup.instructionsPerPath, timeMs: CONTEXT_RUN_MS, abort: context.abort },
      }),
    );
  }

  /** The paper's units, for ablations: every callee that is not of the unit is a stub, always. */
  private get isLiteral(): boolean {
    const { without } = this.setup;
    return without.includes("extended-units") || without.includes("random-units");
  }

  byTypes(): ReturnType<PossibleStage["start"]> {
    const { image } = this.context;
    const { program, types } = linkedOf(this.context);
    const options = { ...DEFAULT_DESCRIBE_OPTIONS, globalBytes: GLOBAL_BYTES };
    return this.startOf("all", describeUnit(program, image, this.fn, options, types));
  }

  private startOf(freedom: Freedom, described: Described): ReturnType<PossibleStage["start"]> {
    if (described.kind === "failed") return described;
    const { image, module } = this.context;
    // In a real context callees have all that they need, and what they answer can really be.
    const isReal = freedom !== "all" && !this.isLiteral;
    const unit = isReal ? described.unit : this.stubbed(described.unit);
    return { unit, make: (options) => unitRunner(image, unit, { ...options, module }) };
  }

  /** With stubs in the place of callees that are not of the extended unit. */
  private stubbed(unit: DescribedUnit): DescribedUnit {
    if (this.work.stubs.length === 0) return unit;
    this.callees ??= this.stubbedCallees();
    const { stubs, inputs, assumptions, fixed } = this.callees;
    return {
      ...unit,
      description: { ...unit.description, stubs: [...unit.description.stubs, ...stubs] },
      inputs: [...unit.inputs, ...inputs],
      assumptions: [...unit.assumptions, ...assumptions],
      fixed: [...unit.fixed, ...fixed],
    };
  }

  private stubbedCallees(): StubbedCallees {
    const { work, context } = this;
    const { program, types } = linkedOf(context);
    const policy = this.isLiteral ? "literal" : "careful";
    return new StubMaker(program, context.image, types, codeFactsOf(context), policy).stubsFor(
      work.function,
      work.stubs,
    );
  }
}
