// Turns the events of a patch-testing campaign into the value that every report is made from.

import type { Campaign } from "../campaign/campaign.js";
import type { CampaignEvent } from "../campaign/events.js";
import type { PlacedFinding } from "../campaign/found-once.js";
import type { ItemReport, WorkItem } from "../campaign/technique.js";
import { Causes } from "../findings/causes.js";
import type { Invocation, TreeEntry } from "../inputs/invocation.js";
import { placesOf } from "../project/patch/changed-places.js";
import type { Changes } from "../project/patch/changes.js";
import type { Seed } from "../project/seed.js";
import { RESULT_VERSION, type ResultFinding, resultFinding } from "../report/campaign-result.js";
import type {
  BehaviourChange,
  PatchCampaignResult,
  PatchInput,
  PatchLine,
  PatchObserved,
  PatchTarget,
  ResultTreeEntry,
  TargetState,
} from "../report/patch-result.js";
import { version } from "../support/version.js";
import type { ReachInput } from "../techniques/reach/reach-pool.js";
import type { ReachTechnique, TargetRecord } from "../techniques/reach/reach-technique.js";
import type { ComparedWitness, ReachResult, ReachWork } from "../techniques/reach/reach-work.js";
import { isSameFile } from "../techniques/reach/targets.js";
import { CampaignResults, type LostWords } from "./campaign-results.js";

export type PatchEvent = CampaignEvent<ReachWork, ReachResult>;

export interface PatchResultsParts {
  readonly root: string;
  /** Files are named from here. */
  readonly sourceRoot: string;
  readonly seeds: readonly Seed[];
  readonly changes: Changes | null;
  readonly technique: ReachTechnique;
  readonly campaign: () => Campaign<ReachWork, ReachResult>;
  /** By content. */
  readonly programNames: ReadonlyMap<string, string>;
}

export class PatchResults extends CampaignResults<ReachWork, ReachResult> {
  private readonly changed: Extract<ReachResult, { readonly kind: "compare" }>["changes"][number][] = [];
  /** By made seed: what the new version did with it. */
  private readonly observed = new Map<string, { readonly end: string; readonly output: PatchObserved }>();
  /** By finding. */
  private readonly witnesses = new Map<string, ComparedWitness>();
  private compared = 0;

  constructor(private readonly parts: PatchResultsParts) {
    super(parts.root, parts.campaign);
  }

  protected override lostWords({ label }: WorkItem<ReachWork>, why: "overdue" | "died"): LostWords {
    return { what: label, counted: `lost: ${why}`, goesOn: "the search" };
  }

  /** Amplification begins with a run of its seed, which is a test only if it was recorded. */
  protected override isOfTests({ work }: WorkItem<ReachWork>): boolean {
    return !(work.kind === "amplify" && work.isMade);
  }

  protected override own(_item: WorkItem<ReachWork>, value: unknown): void {
    this.witnessed(value as ComparedWitness);
  }

  private witnessed(witness: ComparedWitness): void {
    if (this.witnesses.has(witness.finding)) return;
    this.witnesses.set(witness.finding, witness);
    this.compared++;
  }

  protected override ended(_item: WorkItem<ReachWork>, { result }: ItemReport<ReachResult>): void {
    const { sums: totals } = this;
    if (result.kind === "search") {
      const { paths, queries, solverMs, divergences } = result.accounts;
      totals.paths += paths;
      totals.queries += queries;
      totals.solverMs += solverMs;
      totals.divergences += divergences;
    } else if (result.kind === "amplify") {
      const { statistics } = result.amplified;
      totals.paths += statistics.paths;
      totals.queries += statistics.solver.queries;
      totals.solverMs += statistics.solver.timeMs;
      totals.divergences += statistics.divergences;
    }
    if (result.kind === "compare") {
      this.compared += result.compared;
      this.changed.push(...result.changes);
      for (const { seedId, end, output } of result.observed) this.observed.set(seedId, { end, output });
    }
    this.record.pass();
  }

  result(reason: PatchCampaignResult["reason"], durationMs: number): PatchCampaignResult {
    const { root, seeds, technique } = this.parts;
    const causes = new Causes();
    const found = this.parts.campaign().found.list();
    const inputs = new InputList(this.parts, this.observed);
    const targets = [...technique.records.values()].map((record) => this.target(record, inputs));
    const count = (kind: TargetState["kind"]): number => targets.filter(({ state }) => state.kind === kind).length;
    return {
      version: RESULT_VERSION,
      technique: "patch",
      tool: `tangent ${version()}`,
      project: root,
      startedAt: this.record.startedAt,
      durationMs: Math.round(durationMs),
      reason,
      changes: this.parts.changes ?? NO_CHANGES,
      totals: {
        ...this.sums,
        solverMs: Math.round(this.sums.solverMs),
        seeds: seeds.length,
        targets: targets.length,
        coveredByTests: count("covered"),
        reached: count("reached"),
        unreachable: count("unreachable"),
      },
      findings: found.map((placed) => {
        const finding = patchFinding(placed, causes);
        const witness = this.witnesses.get(finding.id);
        return witness === undefined ? finding : { ...finding, since: sinceOf(witness) };
      }),
      files: this.record.files(this.contentsWithTargets()),
      timeline: this.record.timeline,
      notExplored: this.record.notExplored,
      notes: this.record.notes,
      seen: [...this.record.seen],
      targets,
      inputs: inputs.list,
      lines: this.lines(targets),
      behaviour: this.behaviour(inputs),
      compared: this.compared,
    };
  }

  /** Tests of other programs were not run. */
  private contentsWithTargets(): ReadonlySet<string> {
    return new Set([...this.parts.technique.records.values()].flatMap(({ programs }) => [...programs]));
  }

  /** Failures of the new version first. */
  private behaviour(inputs: InputList): BehaviourChange[] {
    const order = ["crash", "fixed", "different"];
    const byId = new Map(this.parts.seeds.map((seed) => [seed.id, seed]));
    for (const { seed } of this.parts.technique.madeSeeds()) byId.set(seed.id, seed);
    const changes = this.changed.flatMap(({ seedId, severity, differences }): BehaviourChange[] => {
      const seed = byId.get(seedId);
      if (seed === undefined) return [];
      const input = inputs.indexOf(seedId);
      const source = input < 0 ? ({ kind: "test", seedId } as const) : ({ kind: "input", input } as const);
      return [{ command: seed.arguments, program: seed.program, source, severity, differences }];
    });
    for (const { finding, command, change } of this.witnesses.values()) {
      const placed = this.parts
        .campaign()
        .found.list()
        .find(({ found }) => found.identity.id === finding);
      if (change === null || placed === undefined) continue;
      // An input that fails as it is has been told.
      if (changes.some((other) => other.severity === change.severity && failureOf(other) === failureOf(change)))
        continue;
      const { seed } = placed.item.work as Extract<ReachWork, { readonly kind: "amplify" }>;
      // An input that fails by itself is its own witness.
      const isTold = this.changed.some(({ seedId, differences }) => {
        return seedId === seed.id && differences[0]?.after === change.differences[0]?.after;
      });
      if (isTold) continue;
      const source = { kind: "finding", id: finding } as const;
      changes.push({ command, program: seed.program, source, ...change });
    }
    return changes.sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  }

  private target(record: TargetRecord, inputs: InputList): PatchTarget {
    const { target, firstDistance, programs } = record;
    const names = [...programs].map((content) => this.parts.programNames.get(content) ?? content);
    const { sourceRoot } = this.parts;
    const place = { ...target, id: below(sourceRoot, target.id), file: below(sourceRoot, target.file) };
    return { ...place, programs: names, distance: firstDistance, state: this.state(record, inputs) };
  }

  private state(record: TargetRecord, inputs: InputList): TargetState {
    const { coveredBy, reached, unreachable, programs, why } = record;
    if (coveredBy !== null) return { kind: "covered", seedId: coveredBy };
    if (reached !== null) {
      const { input, program, milliseconds } = reached;
      const by = input.by === "test" ? "luck" : input.by;
      return { kind: "reached", input: inputs.add(input, program), by, milliseconds };
    }
    const [proof] = unreachable.values();
    if (proof !== undefined && unreachable.size === programs.size) return { kind: "unreachable", why: proof };
    const sentence = "there was no time to search for it";
    if (why === null) {
      const remaining = record.firstDistance;
      return { kind: "not-reached", why: { sentence, branch: null, because: [], remaining, outOfTime: true } };
    }
    const { sourceRoot } = this.parts;
    const named = <T extends { readonly file: string }>(place: T): T => ({
      ...place,
      file: below(sourceRoot, place.file),
    });
    return {
      kind: "not-reached",
      why: {
        ...why,
        sentence: why.sentence.replaceAll(`${sourceRoot}/`, ""),
        branch: why.branch === null ? null : named(why.branch),
        because: why.because.map(named),
      },
    };
  }

  /** What is known of each changed line, in the diff's order; without a diff, of each wanted one. */
  private lines(targets: readonly PatchTarget[]): PatchLine[] {
    const files = this.record.files();
    const lines: PatchLine[] = [];
    for (const { file, line, isReindented } of changedLines(this.parts.changes, targets)) {
      if (isReindented) {
        lines.push({ file, line, state: "white-space", targets: [] });
        continue;
      }
      const own = targets.flatMap((target, index) =>
        target.file === file && target.lines.includes(line) ? [{ index, target }] : [],
      );
      const known = files.find(({ path }) => isSameFile(path, file));
      const isCode = own.length > 0 || known?.lines.includes(line) === true;
      const states = new Set(own.map(({ target }) => target.state.kind));
      const state: PatchLine["state"] =
        states.has("covered") || known?.byTests.includes(line) === true
          ? "covered"
          : states.has("reached")
            ? "reached"
            : states.has("not-reached")
              ? "not-reached"
              : states.has("unreachable")
                ? "unreachable"
                : isCode
                  ? "not-reached"
                  : "not-executable";
      lines.push({ file, line, state, targets: own.map(({ index }) => index) });
    }
    return lines;
  }
}

const NO_CHANGES: Changes = { description: "", oldRevision: null, newRevision: null, files: [], notes: [] };

/** The inputs that reach targets, each once. */
class InputList {
  readonly list: PatchInput[] = [];
  private readonly places = new Map<ReachInput["invocation"], number>();

  constructor(
    private readonly parts: PatchResultsParts,
    private readonly observed: ReadonlyMap<string, { readonly end: string; readonly output: PatchObserved }>,
  ) {}

  indexOf(id: string): number {
    return this.list.findIndex((input) => input.id === id);
  }

  add(input: ReachInput, program: string): number {
    const known = this.places.get(input.invocation);
    if (known !== undefined) return known;
    const { invocation, seedId, steps } = input;
    const seed = this.parts.seeds.find(({ id }) => id === seedId);
    const kept = [...this.parts.technique.records.values()].find(({ reached }) => reached?.input === input)?.reached;
    const id = kept?.seed?.id ?? seedId;
    const same = kept?.seed == null ? -1 : this.indexOf(id);
    if (same >= 0) {
      this.places.set(invocation, same);
      return same;
    }
    const seen = this.observed.get(id);
    const place = this.list.push({
      id,
      program: this.parts.programNames.get(program) ?? program,
      seedId,
      seedCommand: seed?.arguments ?? [],
      command: commandOf(invocation),
      steps,
      workingDirectory: invocation.workingDirectory,
      environment: invocation.environment,
      stdin: invocation.stdin.kind === "bytes" ? base64(invocation.stdin.bytes) : null,
      ...inputKindOf(invocation),
      tree: invocation.tree.map(resultEntry),
      end: seen?.end ?? "",
      confirmed: "vm",
      ...(seen === undefined ? {} : { observed: seen.output }),
    });
    this.places.set(invocation, place - 1);
    return place - 1;
  }
}

/** Of findings and behaviour: as which seed they were made is said by the technique. */
export function patchFinding({ found, item, atMs }: PlacedFinding, causes: Causes): ResultFinding {
  const work = item.work as ReachWork;
  if (work.kind !== "amplify") throw new Error("only amplification finds");
  const { seed, distance, isMade } = work;
  const result = resultFinding({
    ...found,
    identity: causes.joined(found.finding.kind, found.identity),
    distance,
    atMs,
    program: seed.program,
    programContent: seed.programContent,
    seedId: seed.id,
    seedCommand: seed.arguments,
    workingDirectory: seed.workingDirectory,
  });
  return isMade ? { ...result, isMade } : result;
}

function failureOf({ differences }: Pick<BehaviourChange, "differences">): string {
  return differences.find(({ what }) => what === "finding")?.after ?? "";
}

/** An old version that fails otherwise fails too. */
function sinceOf({ change }: ComparedWitness): "patch" | "before" {
  return change?.severity === "crash" ? "patch" : "before";
}

function changedLines(
  changes: Changes | null,
  targets: readonly PatchTarget[],
): { readonly file: string; readonly line: number; readonly isReindented: boolean }[] {
  const isReindented = false;
  if (changes === null)
    return targets.flatMap(({ file, lines }) => lines.map((line) => ({ file, line, isReindented })));
  return changes.files.flatMap((changed) => {
    const file = changed.newPath ?? changed.oldPath ?? "";
    const { lines, reindented } = placesOf(changed);
    const all = [
      ...lines.map((line) => ({ file, line, isReindented })),
      ...reindented.map((line) => ({ file, line, isReindented: true })),
    ];
    return all.sort((a, b) => a.line - b.line);
  });
}

/** Debugging information names a function's file by its whole path. */
export function below(root: string, path: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

function inputKindOf({ stdin }: Invocation): Pick<PatchInput, "stdinKind"> {
  if (stdin.kind === "closed") return { stdinKind: "closed" };
  return stdin.kind === "bytes" && !stdin.regularFile ? { stdinKind: "pipe" } : {};
}

function commandOf({ program, arguments: words }: Invocation): string[] {
  return [program, ...words.map((bytes) => Buffer.from(bytes).toString("latin1"))];
}

function resultEntry(entry: TreeEntry): ResultTreeEntry {
  switch (entry.kind) {
    case "file":
      return { kind: "file", path: entry.path, bytes: base64(entry.bytes), mode: entry.mode };
    case "link":
      return { kind: "link", path: entry.path, to: entry.to };
    case "missing":
      return { kind: "missing", path: entry.path };
    case "sized":
      return { kind: "sized", path: entry.path, mode: entry.mode, size: entry.size };
    default:
      return { kind: entry.kind, path: entry.path, mode: entry.mode };
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
