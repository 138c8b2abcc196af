// A campaign's process writes what it is doing, for pages that show it (live-state.ts): it takes the messages that the terminal's view gets
// too. At most one write a second, and one at the end; a disk that refuses costs the page, never the campaign.

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { ProgramPlace } from "../campaign/work-messages.js";
import type { CampaignMessage, SoFar, WorkDone } from "../jobs/campaign-messages.js";
import { type ProjectFolder, writeSafely } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { pathsBelow, type ShownPath } from "../report/finding-view.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { appendFindingLine, clearFindingLines, findingLine } from "./live-findings.js";
import { LIVE_LIMITS, LIVE_NAME, type LivePoint, type LiveState, newLive } from "./live-state.js";

const LEAST_GAP_MS = 1000;

export interface LiveCampaign {
  readonly technique: string;
  readonly seeds: readonly Seed[];
  readonly programs: readonly ProgramPlace[];
  readonly budgetMs: number | null;
  readonly jobs: number;
  /** It follows another one of the same command: the findings of that stay in the list. */
  readonly goesOn?: boolean;
}

interface ProgramCounts {
  readonly name: string;
  tests: number;
  readonly looked: Set<string>;
  items: number;
  checks: number | null;
  findings: number;
}

export class LiveWriter {
  private readonly base: LiveState;
  private readonly begun = performance.now();
  private readonly shown: ShownPath;
  private readonly programs = new Map<string, ProgramCounts>();
  /** Of the tests, by id: their programs' contents. */
  private readonly tests = new Map<string, string>();
  /** Items that have begun and were not told to have ended, oldest first. */
  private readonly working = new Map<string, { readonly label: string; readonly program: string; since: number }>();
  private readonly notes: string[] = [];
  private noteCount = 0;
  private timeline: LivePoint[] = [];
  private soFar: SoFar = { elapsedMs: 0, checks: null, paths: 0, blocks: 0, notExplored: {} };
  private items = 0;
  private findings = 0;
  private doing = "getting ready";
  private at = "";
  private written = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | null = null;
  private hasEnded = false;

  constructor(
    private readonly folder: ProjectFolder,
    private readonly campaign: LiveCampaign,
  ) {
    const { technique, budgetMs, jobs, seeds, programs } = campaign;
    const id = randomBytes(8).toString("hex");
    this.base = newLive({ campaign: id, technique, project: folder.root, budgetMs, jobs });
    this.shown = pathsBelow(join(folder.path, "build"), folder.root);
    for (const { content, name } of programs) this.countsOf(content, name);
    for (const { id: seed, programContent, program } of seeds) {
      this.tests.set(seed, programContent);
      this.countsOf(programContent, program).tests++;
    }
    if (campaign.goesOn !== true) this.quietly(() => clearFindingLines(folder));
    this.write();
  }

  /** What is being done from here on. */
  does(text: string, at: string): void {
    this.doing = text;
    this.at = this.below(at);
    this.soon();
  }

  take(message: CampaignMessage): void {
    if (message.kind === "work") this.worked(message);
    else if (message.kind === "finding") this.found(message.found);
    else if (message.kind === "note") this.note(message.text);
    else if (message.kind === "failed") this.note(message.message);
    else return;
    this.soon();
  }

  /** `reason`: why, in a word. */
  end(reason: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.working.clear();
    this.point();
    this.doing = "";
    this.at = "";
    this.write({ state: "ended", reason });
  }

  private worked({ what, key, program, label, soFar }: WorkDone): void {
    const counts = this.countsOf(program, program);
    if (what === "begins") {
      this.working.set(key, { label: this.below(label), program: counts.name, since: this.elapsed });
      return;
    }
    this.working.delete(key);
    if (what !== "skipped") {
      this.items++;
      counts.items++;
      for (const [test] of key.matchAll(/[0-9a-f]{16}/g)) if (this.tests.get(test) === program) counts.looked.add(test);
    }
    if (soFar.checks !== null) counts.checks = (counts.checks ?? 0) + soFar.checks - (this.soFar.checks ?? 0);
    const isHigher = soFar.blocks > this.soFar.blocks;
    this.soFar = soFar;
    if (isHigher) this.point();
  }

  private found(found: ResultFinding): void {
    this.findings++;
    for (const counts of this.programs.values()) {
      if (counts.name === this.nameOf(found.program)) {
        counts.findings++;
        break;
      }
    }
    this.point();
    this.quietly(() => appendFindingLine(this.folder, findingLine(found, this.shown)));
  }

  private note(text: string): void {
    this.noteCount++;
    this.notes.push(cut(text));
    if (this.notes.length > LIVE_LIMITS.notes) this.notes.shift();
  }

  private point(): void {
    this.timeline.push({ ms: this.elapsed, blocks: this.soFar.blocks, findings: this.findings });
    // Every second one goes: the curve stays what it was, with fewer steps.
    if (this.timeline.length >= LIVE_LIMITS.points) this.timeline = this.timeline.filter((_, index) => index % 2 === 0);
  }

  private countsOf(content: string, path: string): ProgramCounts {
    const known = this.programs.get(content);
    if (known !== undefined) return known;
    const name = this.nameOf(path);
    const counts: ProgramCounts = { name, tests: 0, looked: new Set(), items: 0, checks: null, findings: 0 };
    this.programs.set(content, counts);
    return counts;
  }

  private nameOf(path: string): string {
    return cut(this.shown(path));
  }

  /** A command's paths, relative to the project: what matters of them is at their end, and a page is narrow. */
  private below(text: string): string {
    const { path, root } = this.folder;
    return text.replaceAll(`${path}/build/`, "").replaceAll(`${root}/`, "");
  }

  private get elapsed(): number {
    return Math.round(performance.now() - this.begun);
  }

  /** The threads do the oldest item, or it would have been told to have ended, and those that have begun last. */
  private atWork(): LiveState["working"] {
    const all = [...this.working.values()];
    const most = Math.min(this.campaign.jobs, LIVE_LIMITS.working);
    const some = all.length <= most ? all : [all[0], ...all.slice(all.length - most + 1)];
    return some.map(({ label, program, since }) => ({ label: cut(label), program, sinceMs: since }));
  }

  private soon(): void {
    if (this.timer !== null || this.hasEnded) return;
    const wait = this.written + LEAST_GAP_MS - performance.now();
    if (wait <= 0) this.write();
    else this.timer = setTimeout(() => this.write(), wait).unref();
  }

  private write(last: Partial<LiveState> = {}): void {
    this.timer = null;
    const all = [...this.programs.values()];
    const programs = all
      .slice(0, LIVE_LIMITS.programs)
      .map(({ looked, ...counts }) => ({ ...counts, looked: looked.size }));
    const { checks, paths, blocks } = this.soFar;
    const state: LiveState = {
      ...this.base,
      elapsedMs: this.elapsed,
      ...{ doing: this.doing, at: cut(this.at), tests: this.tests.size },
      looked: all.reduce((sum, { looked }) => sum + looked.size, 0),
      ...{ items: this.items, checks, paths, blocks, findings: this.findings },
      ...{ working: this.atWork(), programs, morePrograms: all.length - programs.length },
      ...{ timeline: this.timeline, notes: this.notes, noteCount: this.noteCount },
      notExplored: Object.fromEntries(Object.entries(this.soFar.notExplored).slice(0, LIVE_LIMITS.reasons)),
      ...last,
    };
    this.quietly(() => writeSafely(this.folder.file(LIVE_NAME), JSON.stringify(state), PRIVATE_FILE));
    this.written = performance.now();
  }

  /** A full disk, or a link in the place of the file: the campaign itself tells of such things where they matter. */
  private quietly(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (!(error instanceof Error) || !("syscall" in error)) throw error;
    }
  }
}

function cut(text: string): string {
  return text.length <= LIVE_LIMITS.text ? text : `${text.slice(0, LIVE_LIMITS.text)}…`;
}
