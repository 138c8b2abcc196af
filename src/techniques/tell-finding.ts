// What the engine found in a test's runs, told as a finding: the witness is run for itself, with nothing symbolic, and only what fails again
// is told, with its identity and all that proves it.

import type { Found, ItemContext, ItemEvent } from "../campaign/technique.js";
import type { EngineEvent } from "../engine/events.js";
import {
  type Confirmation,
  type ConfirmationOptions,
  type ConfirmedWitness,
  confirm,
  confirmSmaller,
  runTest,
} from "../findings/confirmation.js";
import type { EarlierRead, Finding } from "../findings/finding.js";
import { type FindingIdentity, type IdentityContext, identify } from "../findings/identity.js";
import { ProgramFunctions } from "../findings/program-functions.js";
import { type InputValue, isUnchanged } from "../inputs/input-value.js";
import { surroundingsOf, type TestInput, withValues } from "../inputs/test-input.js";
import type { ProgramImage, SourceFile } from "../jit/image.js";
import { recordedPart } from "../project/made-seed.js";
import type { Seed } from "../project/seed.js";
import {
  compiledContents,
  NO_SOURCES,
  type ReadSource,
  readOnce,
  sourcesBelow,
  sourcesOfVersion,
} from "../project/sources.js";
import type { Model } from "../solver/solver.js";
import { isLiteralName, numberOfLiteral } from "../support/literal-names.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import { isOfTests, isRefusedByLibrary } from "./failures-of-tests.js";
import { isHandedOnNull } from "./handed-on-null.js";
import { keepWitness } from "./keep-witness.js";
import { changedLiteralsOnly, withOwnLiterals } from "./literal-inputs.js";
import { misuseOf, type ProbeEnd } from "./number-misuse.js";
import { shrunkLiteral } from "./shrink-literal.js";
import type { TestLimits } from "./test-limits.js";

/** A failure that is no finding: what would have been the finding's id, by why it is none. */
export interface TestsFailure {
  /** The tests' own code failed on changed input. */
  readonly failureOfTests?: string;
  /** The test handed a null pointer to the library. */
  readonly handedOnNull?: string;
  /** The library asserts something about what the test hands to it. */
  readonly refused?: string;
  /** The library failed on a number that it does not look at, which is the caller's business. */
  readonly misuse?: string;
}

/** What amplification tells of its own. */
export interface AmplifyOwn extends TestsFailure {
  /** Bytes of literals that stayed as they are, because there are too many. */
  readonly literalBytesLeftOut?: number;
  /** Numbers that stayed as they are, because they are the size of something beside them. */
  readonly sizesLeftOut?: number;
}

export type FoundEvent = Extract<EngineEvent, { readonly kind: "finding-confirmed" }>;

export interface ToldTest {
  readonly seed: Seed;
  readonly test: TestInput;
  /** The seed was not recorded but made, and never ran natively. */
  readonly isMade: boolean;
}

/**
 * Of a test whose literals vary: the recorded one, with its literals as they stand in the source, whatever they are in this one. A witness says
 * what differs from the source.
 */
export function toldTest(image: ProgramImage, { seed, test, isMade }: ToldTest): ToldTest {
  if (seed.literals === undefined) return { seed, test, isMade };
  return { seed: recordedPart(seed), test: withOwnLiterals(image, test), isMade: false };
}

/** So many changed literals are tried as they were. */
const MOST_TRIED = 16;
/** Literals that are brought nearer to their source, and runs for each. */
const MOST_SHRUNK = 4;
const SHRINKING_RUNS = 40;
/** Of one run with another number: what takes longer counts to it, and is not told. */
const PROBE_MS = 2000;
/** However little is left of the time, a finding is worth this much more. */
const LEAST_CONFIRMATION_MS = 400;

type NotTold = "of-tests" | "misuse";

export class FindingTeller {
  private readonly startedMs = performance.now();
  /** By place. */
  private readonly idsOfReads = new Map<string, string>();

  constructor(
    private readonly context: ItemContext,
    private readonly told: ToldTest,
    private readonly setup: TestLimits & { readonly root: string },
  ) {}

  /**
   * rejected: it did not fail again, or not by itself, which is told too; another witness of the same place may be a good one. of-tests: it
   * is the tests' own code that fails, because their input was changed. misuse: it is their call that is wrong then.
   */
  tell(event: FoundEvent, valuesOf: (input: Model) => readonly InputValue[]): Found | "rejected" | NotTold {
    const { context } = this;
    const { test, seed } = this.told;
    // On another machine there is nothing that it could be kept in.
    if (this.setup.store !== undefined) return this.tellConfirming(event, valuesOf);
    const witness = changedLiteralsOnly(valuesOf(event.input), test.values);
    context.tell({ kind: "confirming", what: event.finding.kind, seed, witness });
    const told = this.tellConfirming(event, valuesOf);
    context.tell({ kind: "judged" });
    return told;
  }

  private tellConfirming(
    event: FoundEvent,
    valuesOf: (input: Model) => readonly InputValue[],
  ): Found | "rejected" | NotTold {
    const { context } = this;
    const { test } = this.told;
    const goOnAt = event.finding.behind ?? [];
    const changed = (input: Model): readonly InputValue[] => changedLiteralsOnly(valuesOf(input), test.values);
    const confirmed = (values: readonly InputValue[]): Confirmation =>
      confirm(context, test, values, { ...this.confirmationOptions(), goOnAt });
    const first = confirmSmaller(
      confirmed,
      (finding) => this.identityOf(finding).id,
      changed(event.input),
      event.smaller === null ? null : changed(event.smaller),
    );
    const { confirmation, witness } = this.withShorterLiterals(this.withFewerLiterals(first, confirmed), confirmed);
    if (confirmation.kind !== "confirmed") {
      const what = event.finding.kind;
      context.tell(
        confirmation.kind === "machine-made"
          ? { kind: "machine-made", id: this.identityOf(confirmation.finding).id, why: confirmation.why }
          : ((confirmation.kind === "limit" ? this.keep(what, witness) : null) ?? { kind: "unconfirmed", what }),
      );
      return "rejected";
    }
    return this.tellBehind(confirmation.finding, witness, event.depth, goOnAt);
  }

  /** There was no time to confirm it: its input is kept. Null if that cannot be done. */
  private keep(what: string, witness: readonly InputValue[]): ItemEvent | null {
    const { root, store } = this.setup;
    const id = store === undefined ? keepWitness(root, this.told.seed, witness) : null;
    return id === null ? null : { kind: "seen", what, id };
  }

  /** What somebody else has found, on another machine say: it is told if it fails here too. */
  tellAgain({ finding, witness, depth }: Pick<Found, "finding" | "witness" | "depth">): void {
    const { context } = this;
    const goOnAt = (finding.behind ?? []).map(({ place }) => place);
    const again = confirm(context, this.told.test, witness, { ...this.confirmationOptions(), goOnAt });
    if (again.kind === "confirmed") this.tellBehind(again.finding, witness, depth, goOnAt);
    else {
      const { kind: what } = finding;
      context.tell((again.kind === "limit" ? this.keep(what, witness) : null) ?? { kind: "unconfirmed", what });
    }
  }

  private tellBehind(
    confirmed: Finding,
    witness: readonly InputValue[],
    depth: number,
    goOnAt: readonly string[],
  ): Found | NotTold {
    const behind = this.earlierReads(goOnAt, witness);
    return this.tellConfirmed(behind.length === 0 ? confirmed : { ...confirmed, behind }, witness, depth);
  }

  /** What has been run again and failed again; `depth`: decisions on the input before it. */
  tellConfirmed(finding: Finding, witness: readonly InputValue[], depth: number): Found | NotTold {
    const { context } = this;
    const { test, seed } = this.told;
    const { words } = surroundingsOf(withValues(test, witness));
    const name = seed.arguments[0] ?? test.program;
    const witnessCommand = [name, ...words.map(({ bytes }) => Buffer.from(bytes).toString("latin1"))];
    const identity = this.identityOf(finding);
    if (isOfTests(context.image, finding, witness, test.values, this.told.isMade)) {
      context.tell({ kind: "own", value: { failureOfTests: identity.id } satisfies TestsFailure });
      return "of-tests";
    }
    const isChanged = this.told.isMade || !isUnchanged(witness, test.values);
    if (isChanged && isHandedOnNull(context.image, finding)) {
      context.tell({ kind: "own", value: { handedOnNull: identity.id } satisfies TestsFailure });
      return "of-tests";
    }
    if (misuseOf(context.image, finding, witness, test.values, (values) => this.probe(values)) !== null) {
      context.tell({ kind: "own", value: { misuse: identity.id } satisfies TestsFailure });
      return "misuse";
    }
    if (isChanged && isRefusedByLibrary(context.image, finding)) {
      context.tell({ kind: "own", value: { refused: identity.id } satisfies TestsFailure });
      return "of-tests";
    }
    const compiled = compiledFor(finding, context.image);
    const found = { finding, identity, compiled, witness, seedValues: test.values, witnessCommand, depth };
    context.tell({ kind: "finding", found });
    return found;
  }

  /** The test with other numbers; what its own code does then is no failure. */
  private probe(values: readonly InputValue[]): ProbeEnd {
    const { context } = this;
    const { test } = this.told;
    if (this.leftMs() <= 0) return "unknown";
    const { seed, limits } = this.confirmationOptions();
    const { finding, result } = runTest(context, test, values, {
      seed,
      limits: { ...limits, milliseconds: Math.min(limits.milliseconds, PROBE_MS) },
      output: "capture",
    });
    if (finding !== null) return isOfTests(context.image, finding, values, test.values) ? "survives" : "fails";
    return result.end.kind === "exit" || result.end.kind === "signal" ? "survives" : "unknown";
  }

  /**
   * Of several literals that the witness changes, most have nothing to do with the failure: each is tried as it was. First all of them: a test
   * that fails as it is has no literal to blame.
   */
  private withFewerLiterals(
    first: ConfirmedWitness,
    confirmed: (values: readonly InputValue[]) => Confirmation,
  ): ConfirmedWitness {
    if (first.confirmation.kind !== "confirmed") return first;
    const { id } = this.identityOf(first.confirmation.finding);
    const literals = first.witness.filter(({ name }) => isLiteralName(name));
    if (literals.length === 0) return first;
    const tried = (witness: readonly InputValue[]): ConfirmedWitness | null => {
      const confirmation = confirmed(witness);
      const isSame = confirmation.kind === "confirmed" && this.identityOf(confirmation.finding).id === id;
      return isSame ? { confirmation, witness } : null;
    };
    const asItIs = tried(first.witness.filter(({ name }) => !isLiteralName(name)));
    if (asItIs !== null) return asItIs;
    let best = first;
    for (const literal of literals.length > 1 ? literals.slice(0, MOST_TRIED) : []) {
      const witness = best.witness.filter((value) => value !== literal);
      if (!witness.some(({ name }) => isLiteralName(name)) || this.leftMs() <= 0) break;
      best = tried(witness) ?? best;
    }
    return best;
  }

  /** What edits have made of a literal is more than the failure needs. A solution of the solver's is near its test already. */
  private withShorterLiterals(
    first: ConfirmedWitness,
    confirmed: (values: readonly InputValue[]) => Confirmation,
  ): ConfirmedWitness {
    if (first.confirmation.kind !== "confirmed") return first;
    const { id } = this.identityOf(first.confirmation.finding);
    const own = new Map(this.told.test.values.map(({ name, bytes }) => [name, bytes]));
    const { seed, limits } = this.confirmationOptions();
    let { witness } = first;
    for (const { name, bytes } of first.witness.slice(0, MOST_SHRUNK)) {
      const before = own.get(name);
      if (before === undefined || !isLiteralName(name) || numberOfLiteral(name) !== null) continue;
      const withBytes = (changed: Uint8Array): readonly InputValue[] =>
        witness.map((value) => (value.name === name ? { ...value, bytes: changed } : value));
      const stillFails = (changed: Uint8Array): boolean => {
        if (this.leftMs() <= 0) return false;
        const options = { seed, limits, output: "capture" } as const;
        const { finding } = runTest(this.context, this.told.test, withBytes(changed), options);
        return finding !== null && this.identityOf(finding).id === id;
      };
      const shrunk = shrunkLiteral(before, bytes, stillFails, SHRINKING_RUNS);
      if (Buffer.compare(shrunk, bytes) !== 0) witness = withBytes(shrunk);
    }
    if (witness === first.witness) return first;
    const confirmation = confirmed(witness);
    const isSame = confirmation.kind === "confirmed" && this.identityOf(confirmation.finding).id === id;
    return isSame ? { confirmation, witness } : first;
  }

  /** The findings at these places, which the witness comes by before its own: each is what ends a run that goes on behind those before it. */
  private earlierReads(places: readonly string[], witness: readonly InputValue[]): readonly EarlierRead[] {
    return places.flatMap((place, index) => {
      let id = this.idsOfReads.get(place);
      if (id === undefined) {
        const { seed, limits } = this.confirmationOptions();
        const options = { seed, limits, output: "capture", goOnAt: places.slice(0, index) } as const;
        const { finding } = runTest(this.context, this.told.test, witness, options);
        if (finding === null) return [];
        id = this.identityOf(finding).id;
        this.idsOfReads.set(place, id);
      }
      return [{ id, place }];
    });
  }

  private confirmationOptions(): ConfirmationOptions {
    const { randomSeed, instructionsPerPath, heapBytes } = this.setup;
    const { seed, isMade } = this.told;
    const milliseconds = Math.max(LEAST_CONFIRMATION_MS, this.leftMs());
    const limits = { ...DEFAULT_LIMITS, heapBytes, instructions: instructionsPerPath, milliseconds };
    return { seed: randomSeed, limits, nativeEnd: isMade ? { kind: "never-ran" } : seed.end };
  }

  private leftMs(): number {
    return this.context.timeMs - (performance.now() - this.startedMs);
  }

  private identityOf(finding: Finding): FindingIdentity {
    const { root } = this.setup;
    return identify(finding, {
      ...{ program: this.told.seed.program, root },
      ...knownOf(this.context.image, () => this.sources()),
    });
  }

  private sources(): ReadSource {
    const { root, store, versionTree, versionShownAs = root } = this.setup;
    if (store !== undefined) return NO_SOURCES;
    if (versionTree !== undefined) return sourcesOfVersion(versionTree, versionShownAs);
    return sourcesBelow([root], compiledContents(this.context.image.sources));
  }
}

function compiledFor({ stack, object }: Finding, { sources }: ProgramImage): readonly SourceFile[] {
  const frames = [stack, object?.allocationStack ?? [], object?.freeStack ?? []].flat();
  const files = new Set(frames.map(({ file }) => file));
  return sources?.files.filter(({ path }) => files.has(path)) ?? [];
}

type Known = Pick<IdentityContext, "functions" | "readSource">;
const knownOfImages = new WeakMap<ProgramImage, Known>();

/** A thread keeps its programs, and what was read of their sources: an edit while a campaign goes on changes no identity. */
function knownOf(image: ProgramImage, sources: () => ReadSource): Known {
  let known = knownOfImages.get(image);
  if (known === undefined) {
    known = { functions: new ProgramFunctions(image), readSource: readOnce(sources()) };
    knownOfImages.set(image, known);
  }
  return known;
}
