// The thread a campaign runs in: generated code needs a large native stack, and the main thread stays free for Ctrl-C and
// the screen. It turns the campaign's events into messages and the result that every report is made from.

import { parentPort } from "node:worker_threads";
import type { ImageSource } from "../findings/run-worker.js";
import { surroundings } from "../inputs/symbolic-inputs.js";
import type { ProgramImage } from "../jit/image.js";
import { loadImage } from "../program/stored-image.js";
import { BlobStore } from "../project/blob-store.js";
import { Campaign, type CampaignFinding, type CampaignOptions, type LoadedImage } from "../project/campaign.js";
import { keepFinding } from "../project/earlier-findings.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { BlobName, Seed } from "../project/seed.js";
import {
  type CampaignResult,
  RESULT_VERSION,
  type ResultFinding,
  type ResultSeed,
  resultFinding,
} from "../report/campaign-result.js";
import { FileCoverage } from "../report/file-coverage.js";
import { useV8Flags } from "../support/v8-flags.js";
import { version } from "../support/version.js";
import type { AmplifyReport } from "../techniques/amplify.js";

export interface CampaignTask {
  readonly root: string;
  readonly seeds: readonly Seed[];
  readonly programs: readonly { readonly content: BlobName; readonly path: string; readonly source: ImageSource }[];
  readonly options: Partial<Omit<CampaignOptions, "now" | "abort">>;
  /** One shared word: not 0 asks to stop after the current path. */
  readonly cell: Int32Array;
}

export interface CampaignStatus {
  readonly elapsedMs: number;
  readonly distance: number;
  readonly seed: number;
  readonly seeds: number;
  readonly command: string;
  readonly checks: number;
  readonly paths: number;
  readonly findings: number;
}

export type CampaignMessage =
  | { readonly kind: "status"; readonly status: CampaignStatus }
  | { readonly kind: "finding"; readonly found: ResultFinding; readonly finding: CampaignFinding["finding"] }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "done"; readonly result: CampaignResult };

class Run {
  private readonly images = new Map<BlobName, LoadedImage>();
  private readonly coverage = new Map<BlobName, FileCoverage>();
  private readonly findings: ResultFinding[] = [];
  private readonly seeds = new Map<string, ResultSeed>();
  private readonly timeline: { readonly ms: number; readonly blocks: number; readonly findings: number }[] = [];
  private readonly notExplored: Record<string, number> = {};
  private readonly totals = {
    distance: 0,
    checks: 0,
    paths: 0,
    queries: 0,
    solverMs: 0,
    divergences: 0,
    unconfirmed: 0,
  };
  private readonly started = performance.now();

  constructor(
    readonly task: CampaignTask,
    readonly post: (message: CampaignMessage) => void,
  ) {
    for (const { content, source } of task.programs) {
      const image: ProgramImage = source.kind === "image" ? source.image : loadImage(source.name);
      this.images.set(content, { image, module: new WebAssembly.Module(image.wasm) });
      this.coverage.set(content, new FileCoverage(image));
    }
    const blobs = new BlobStore(new ProjectFolder(task.root));
    for (const seed of task.seeds) this.seeds.set(seed.id, seedResult(seed, blobs));
  }

  run(): CampaignResult {
    const { task } = this;
    const abort = {
      get aborted(): boolean {
        return Atomics.load(task.cell, 0) !== 0;
      },
    };
    const startedAt = new Date().toISOString();
    const campaign = new Campaign(new ProjectFolder(task.root), task.seeds, this.images, { ...task.options, abort });
    let reason: CampaignResult["reason"] = "complete";
    for (const event of campaign.run()) {
      switch (event.kind) {
        case "seed-begins":
          this.totals.distance = Math.max(this.totals.distance, event.distance);
          this.post({ kind: "status", status: this.status(event.seed, event.index + 1, event.distance) });
          break;
        case "seed-known":
          this.known(event.seed, event.distance);
          break;
        case "seed-ends":
          this.ended(event.seed, event.report);
          break;
        case "seed-skipped":
          this.skipped(event.seed, event.why);
          break;
        case "machine-made":
          this.count("failures that are the virtual machine's own doing", 1);
          this.post({ kind: "note", text: `not reported: ${event.seed.arguments.join(" ")}: ${event.why}` });
          break;
        case "note":
          this.post({ kind: "note", text: event.text });
          break;
        case "finding":
          this.found(event.found);
          break;
        case "unconfirmed":
          this.totals.unconfirmed++;
          break;
        case "covered":
          this.coverage.get(event.program)?.add(event.coverage, event.byTests);
          break;
        case "done":
          reason = event.reason;
      }
    }
    return {
      version: RESULT_VERSION,
      tool: `tangent ${version()}`,
      project: task.root,
      startedAt,
      durationMs: Math.round(performance.now() - this.started),
      reason,
      totals: {
        seeds: task.seeds.length,
        invocations: task.seeds.reduce((sum, { recorded }) => sum + recorded.times, 0),
        ...this.totals,
        solverMs: Math.round(this.totals.solverMs),
      },
      findings: this.findings,
      seeds: [...this.seeds.values()],
      files: FileCoverage.merged([...this.coverage.values()]),
      timeline: this.timeline,
      notExplored: this.notExplored,
    };
  }

  private status(seed: Seed, index: number, distance: number): CampaignStatus {
    return {
      elapsedMs: performance.now() - this.started,
      distance,
      seed: index,
      seeds: this.task.seeds.length,
      command: seed.arguments.join(" "),
      checks: this.totals.checks,
      paths: this.totals.paths,
      findings: this.findings.length,
    };
  }

  /** Done by an earlier campaign that this one goes on with. */
  private known(seed: Seed, distance: number): void {
    const known = this.seeds.get(seed.id);
    if (known !== undefined) this.seeds.set(seed.id, { ...known, distance: Math.max(known.distance, distance) });
    this.totals.distance = Math.max(this.totals.distance, distance);
  }

  private ended(seed: Seed, report: AmplifyReport): void {
    const { statistics } = report;
    const totals = this.totals;
    totals.checks += report.checksAsked;
    totals.paths += statistics.paths;
    totals.queries += statistics.solver.queries;
    totals.solverMs += statistics.solver.timeMs;
    totals.divergences += statistics.divergences;
    const known = this.seeds.get(seed.id);
    if (known !== undefined) {
      this.seeds.set(seed.id, {
        ...known,
        distance: report.distance,
        checks: known.checks + report.checksAsked,
        paths: known.paths + statistics.paths,
        milliseconds: known.milliseconds + Math.round(statistics.timeMs),
      });
    }
    this.count("checks left out: too costly, or asked before beyond the distance's bound", report.checksSkipped);
    this.count("paths beyond the distance's bound", report.passedOver);
    this.count("solver gave up", statistics.unknown);
    this.count("paths dropped for want of memory", statistics.dropped);
    for (const [loss, count] of Object.entries(statistics.losses)) this.count(`made concrete: ${loss}`, count);
    for (const [end, count] of Object.entries(statistics.ends)) {
      if (end === "limit" || end === "unsupported") this.count(`paths that ended in ${end}`, count ?? 0);
    }
    let blocks = 0;
    for (const coverage of this.coverage.values()) blocks += coverage.blocks;
    this.timeline.push({ ms: Math.round(performance.now() - this.started), blocks, findings: this.findings.length });
  }
  private count(reason: string, count: number): void {
    if (count > 0) this.notExplored[reason] = (this.notExplored[reason] ?? 0) + count;
  }

  private skipped(seed: Seed, why: string): void {
    const known = this.seeds.get(seed.id);
    if (known !== undefined && known.skipped === null) {
      this.seeds.set(seed.id, { ...known, skipped: why });
      this.post({ kind: "note", text: `${seed.arguments.join(" ")}: ${why}` });
    }
  }

  private found(found: CampaignFinding): void {
    const words = surroundings(found.test.inputs, (name, size) => {
      const value =
        found.witness.find((one) => one.name === name) ?? found.test.values.find((one) => one.name === name);
      return value?.bytes ?? new Uint8Array(size);
    }).words.map(({ bytes }) => Buffer.from(bytes).toString("latin1"));
    const result = resultFinding({
      finding: found.finding,
      key: found.key,
      distance: found.distance,
      depth: found.depth,
      atMs: found.atMs,
      program: found.seed.program,
      seedId: found.seed.id,
      seedCommand: found.seed.arguments,
      witnessCommand: [found.seed.arguments[0] ?? found.test.program, ...words],
      workingDirectory: found.seed.workingDirectory,
      seedValues: found.test.values,
      witness: found.witness,
    });
    this.findings.push(result);
    keepFinding(new ProjectFolder(this.task.root), result);
    this.post({ kind: "finding", found: result, finding: found.finding });
  }
}

function seedResult(seed: Seed, blobs: BlobStore): ResultSeed {
  return {
    id: seed.id,
    program: seed.program,
    command: seed.arguments,
    stdinBytes: seed.stdin.kind === "bytes" ? (blobs.get(seed.stdin.content)?.length ?? 0) : null,
    files: seed.files.filter(({ content }) => content !== null).map(({ path }) => path),
    end:
      seed.end.kind === "exit"
        ? `exit ${seed.end.code}`
        : seed.end.kind === "signal"
          ? `signal ${seed.end.signal}`
          : "unknown",
    distance: -1,
    checks: 0,
    paths: 0,
    milliseconds: 0,
    skipped: null,
  };
}

parentPort?.once("message", (task: CampaignTask) => {
  useV8Flags();
  const post = (message: CampaignMessage): void => parentPort?.postMessage(message);
  try {
    post({ kind: "done", result: new Run(task, post).run() });
  } catch (error) {
    post({ kind: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
