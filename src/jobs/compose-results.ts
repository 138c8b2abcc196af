// Turns the events of a composition campaign into the value that every report is made from.

import type { Campaign } from "../campaign/campaign.js";
import type { CampaignEvent } from "../campaign/events.js";
import type { PlacedFinding } from "../campaign/found-once.js";
import type { Found, ItemReport, WorkItem } from "../campaign/technique.js";
import { Causes } from "../findings/causes.js";
import { recordedPart } from "../project/made-seed.js";
import type { Seed } from "../project/seed.js";
import { NO_DISTANCE, RESULT_VERSION, type ResultFinding, resultFinding } from "../report/campaign-result.js";
import type { ComposeCampaignResult, UnfinishedTests } from "../report/compose-result.js";
import { shownTargets } from "../report/shown-targets.js";
import { version } from "../support/version.js";
import type { ComposeTarget, ComposeTotals } from "../techniques/compose/compose-outcome.js";
import type { ComposeTechnique } from "../techniques/compose/compose-technique.js";
import type {
  ComposedFinding,
  ComposeItemResult,
  ComposeWork,
  UnitAccounts,
  WholeWork,
} from "../techniques/compose/compose-work.js";
import type { TestsFailure } from "../techniques/tell-finding.js";
import { CampaignResults, type LostWords } from "./campaign-results.js";
import type { MadeOf } from "./made-of-test.js";
import { NotToldFailures } from "./not-told-failures.js";

export type ComposeEvent = CampaignEvent<ComposeWork, ComposeItemResult>;

export interface ComposeResultsParts {
  readonly root: string;
  readonly technique: Pick<ComposeTechnique, "targets" | "functions" | "totals">;
  readonly campaign: () => Pick<Campaign<ComposeWork, ComposeItemResult>, "elapsedMs" | "found">;
  /** What is different in an input that was made, beside the test that is nearest. */
  readonly madeOf: MadeOf;
  /** By content. */
  readonly programNames: ReadonlyMap<string, string>;
}

/** A finding of composition, and in which program. */
interface Composed extends ComposedFinding {
  readonly program: string;
}

export class ComposeResults extends CampaignResults<ComposeWork, ComposeItemResult> {
  /** By target. */
  private readonly composed = new Map<string, Composed>();

  private readonly notTold = new NotToldFailures();
  /** By reason. */
  private readonly unfinished = new Map<string, UnfinishedTests>();

  constructor(private readonly parts: ComposeResultsParts) {
    super(parts.root, parts.campaign);
  }

  protected override lostWords({ label }: WorkItem<ComposeWork>, why: "overdue" | "died"): LostWords {
    const counted =
      why === "overdue"
        ? "functions or tests that did not end by themselves and were terminated (limit)"
        : "functions or tests that were lost because of an error of tangent's own";
    return { what: label, counted, goesOn: "the campaign" };
  }

  protected override own(item: WorkItem<ComposeWork>, value: unknown): void {
    const composed = composedIn(value);
    if (composed === null) {
      this.notTold.take(value as TestsFailure);
      return;
    }
    // The longest chain says most.
    if (composed.chain.length <= (this.composed.get(composed.target.id)?.chain.length ?? -1)) return;
    const program = this.parts.programNames.get(item.program) ?? item.program;
    this.composed.set(composed.target.id, { ...composed, program });
  }

  protected override ended({ work }: WorkItem<ComposeWork>, { result }: ItemReport<ComposeItemResult>): void {
    if (result.kind === "profile") {
      const seeds = work.kind === "profile" ? work.seeds : [];
      for (const [index, problem] of result.problems.entries()) {
        if (problem === null) continue;
        this.record.count("tests that could not be run", 1);
        const command = seeds[index]?.arguments.join(" ") ?? "a test";
        this.note(`${command}: ${problem}`);
        const known = this.unfinished.get(problem) ?? { why: problem, tests: 0, example: command };
        this.unfinished.set(problem, { ...known, tests: known.tests + 1 });
      }
    } else if (result.kind === "unit" || result.kind === "whole") {
      this.account(result.accounts);
      if (result.kind === "unit" && result.problem !== null) {
        this.record.count("functions that cannot be tested by themselves", 1);
      } else if (!result.accounts.isComplete) {
        const what = result.kind === "unit" ? "functions" : "whole runs for a failure";
        this.record.count(`${what} of which not all paths were explored`, 1);
      }
      for (const { state } of result.unmet) {
        if (state.kind === "unknown") this.record.count("conditions of a call that could not be decided", 1);
      }
    }
    this.record.pass();
  }

  private account({ paths, solverMs, queries = 0, divergences = 0 }: UnitAccounts): void {
    const { sums: totals } = this;
    totals.paths += paths;
    totals.queries += queries;
    totals.solverMs += solverMs;
    totals.divergences += divergences;
  }

  result(reason: ComposeCampaignResult["reason"], durationMs: number): ComposeCampaignResult {
    const { root, technique } = this.parts;
    const { record } = this;
    record.count("failures that are the virtual machine's own doing", record.unreported);
    for (const [words, count] of this.notTold.counts((id) => this.parts.campaign().found.has(id)))
      record.count(words, count);
    const causes = new Causes();
    const findings = this.parts
      .campaign()
      .found.list()
      .map((placed) => composeFinding(placed, causes, this.parts.madeOf));
    const targets = this.targets(findings);
    const unfinished = [...this.unfinished.values()].sort((a, b) => b.tests - a.tests);
    return {
      version: RESULT_VERSION,
      technique: "compose",
      tool: `tangent ${version()}`,
      project: root,
      startedAt: record.startedAt,
      durationMs: Math.round(durationMs),
      reason,
      totals: {
        ...technique.totals(),
        ...this.sums,
        milliseconds: rounded(technique.totals().milliseconds),
        solverMs: Math.round(this.sums.solverMs),
        targets: targets.length,
        lifted: targets.filter(({ state }) => state.kind === "lifted").length,
      },
      findings,
      files: record.files(),
      timeline: record.timeline,
      notExplored: record.notExplored,
      notes: record.notes,
      seen: [...record.seen],
      targets,
      functions: technique.functions(),
      ...(unfinished.length === 0 ? {} : { unfinished }),
    };
  }

  /** What was told of an item that was cut short counts too, though the technique has not absorbed it. */
  private targets(findings: readonly ResultFinding[]): readonly ComposeTarget[] {
    const known = this.parts.technique.targets().map((target): ComposeTarget => {
      const composed = this.composed.get(target.id);
      if (composed === undefined || target.state.kind === "lifted") return target;
      return { ...target, chain: composed.chain, state: { kind: "lifted", finding: composed.finding } };
    });
    const ids = new Set(known.map(({ id }) => id));
    const others = [...this.composed.values()].flatMap(({ target, chain, finding, program }): ComposeTarget[] =>
      ids.has(target.id) ? [] : [{ ...target, program, message: "", chain, state: { kind: "lifted", finding } }],
    );
    return shownTargets([...known, ...others], findings);
  }
}

function rounded(times: ComposeTotals["milliseconds"]): ComposeTotals["milliseconds"] {
  const { profile, units, lifting, approach = 0, interpolation, whole } = times;
  return {
    profile: Math.round(profile),
    units: Math.round(units),
    lifting: Math.round(lifting),
    approach: Math.round(approach),
    interpolation: Math.round(interpolation),
    whole: Math.round(whole),
  };
}

export function composeFinding({ found, item, atMs }: PlacedFinding, causes: Causes, madeOf: MadeOf): ResultFinding {
  const work = item.work as ComposeWork;
  const seed = seedOf(work, found);
  const result = resultFinding({
    ...found,
    identity: causes.joined(found.finding.kind, found.identity),
    distance: NO_DISTANCE,
    atMs,
    program: seed.program,
    programContent: seed.programContent,
    seedId: seed.id,
    seedCommand: seed.arguments,
    workingDirectory: seed.workingDirectory,
  });
  const by = wayOf(work);
  if (!isMadeSeed(work)) return { ...result, by };
  const moved = madeOf(seed);
  return { ...result, isMade: true, by, ...(moved == null ? {} : { moved }) };
}

/** Of what an item tells of its own; null if it is a failure that is no finding. */
export function composedIn(value: unknown): ComposedFinding | null {
  const own = value as ComposedFinding | TestsFailure;
  return "chain" in own ? own : null;
}

/** The input was made of a test, and is kept as one. Where only literals vary, the test is the recorded one. */
export function isMadeSeed(work: ComposeWork): work is WholeWork {
  return work.kind === "whole" && work.isMade && work.seed.literals === undefined;
}

/** Conditions are of functions that failed by themselves; without any, the whole program was looked at. */
function wayOf(work: ComposeWork): NonNullable<ResultFinding["by"]> {
  if (work.kind !== "whole" || work.conditions.length > 0) return "unit";
  return work.explores ? "main" : (work.editedBy ?? "edit");
}

/** The test whose input was changed. */
function seedOf(work: ComposeWork, { witnessCommand }: Found): Seed {
  if (work.kind === "whole") return recordedPart(work.seed);
  const seeds = work.kind === "unit" ? work.contexts.map(({ seed }) => seed) : work.seeds;
  const same = seeds.find(
    ({ arguments: words }) =>
      words.length === witnessCommand.length && words.every((word, index) => word === witnessCommand[index]),
  );
  const seed = same ?? seeds[0];
  if (seed === undefined) throw new Error("a finding without a test: only whole runs find");
  return seed;
}
