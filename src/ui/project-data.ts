// What the page asks for, in portions: a list of ten thousand findings or a hundred thousand tests is never sent, and of the tests only
// those of the portion are read. What takes long to read (the last results) is kept until its file changes.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { SeedStore } from "../project/seed-store.js";
import { sourcesBelow } from "../project/sources.js";
import type { CampaignResult, ResultFinding } from "../report/campaign-result.js";
import { sourcesOfBuild } from "../report/finding-build.js";
import { commandSegments, pathsBelow, plainText, type ShownPath } from "../report/finding-view.js";
import { findingSection } from "../report/html/finding-section.js";
import { renderPage } from "../report/html/page.js";
import { KeptFindings } from "../report/kept-findings.js";
import { parseResult, type ReadResult } from "../report/result-file.js";
import { readRegularFile } from "../support/regular-file.js";
import { type FindingLine, findingLine, findingLinesPath, readFindingLines } from "./live-findings.js";

export interface Portion {
  readonly offset: number;
  readonly limit: number;
  /** Words that all must be there; "": everything. */
  readonly words: string;
}

export interface PortionOf<Item> {
  readonly items: readonly Item[];
  /** That fit; null if that is not known before all were read. */
  readonly count: number | null;
  readonly total: number;
  /** Where the next portion begins; null: there is none. */
  readonly next: number | null;
}

export interface SeedLine {
  readonly id: string;
  readonly program: string;
  readonly command: string;
  readonly end: string;
  readonly files: number;
  readonly stdin: string;
  readonly times: number;
}

/** Of tests that are looked through for words, before a portion is given though it is not full. */
const MOST_LOOKED = 500;
/** A page with more takes long to make, and a browser long to open. */
const MOST_REPORTED = 2000;
/** As long as a string of Node's may be. */
const MOST_RESULT_BYTES = 0x1fff_ffe8;

export class ProjectData {
  private readonly shown: ShownPath;
  private readonly results: Remembered<ReadResult>;
  private readonly resultLines: Remembered<readonly FindingLine[]>;
  private readonly liveLines: Remembered<readonly FindingLine[]>;
  private readonly seedIds: Remembered<readonly string[]>;
  private readonly page: Remembered<string>;

  constructor(private readonly folder: ProjectFolder) {
    this.shown = pathsBelow(join(folder.path, "build"), folder.root);
    const resultPath = (): string => folder.known("report", "results.json");
    this.results = new Remembered(resultPath, () => readResults(resultPath()));
    this.resultLines = new Remembered(resultPath, () =>
      (this.lastResult?.findings ?? []).map((finding) => findingLine(finding, this.shown)),
    );
    this.liveLines = new Remembered(
      () => findingLinesPath(folder),
      () => {
        try {
          return readFindingLines(folder);
        } catch {
          return [];
        }
      },
    );
    this.seedIds = new Remembered(
      () => folder.known("seeds"),
      () => new SeedStore(folder).ids(),
    );
    this.page = new Remembered(resultPath, () => {
      const { lastResult } = this;
      return lastResult === null ? "" : renderPage(lastResult, { readSource: sourcesBelow([folder.root]) });
    });
  }

  /** Newest first. `isRunning`: of the campaign that goes on, else of the last results. */
  findings({ offset, limit, words }: Portion, isRunning: boolean): PortionOf<FindingLine> {
    const kept = isRunning || this.lastResult === null ? this.liveLines.get() : this.resultLines.get();
    const wanted = wordsOf(words);
    const fitting =
      wanted.length === 0
        ? kept
        : kept.filter(({ id, kind, title, severity, where, program }) => {
            const all = `${id} ${kind} ${title} ${severity} ${where} ${program}`.toLowerCase();
            return wanted.every((word) => all.includes(word));
          });
    const end = Math.max(0, fitting.length - offset);
    const items = fitting.slice(Math.max(0, end - limit), end).reverse();
    const next = offset + items.length;
    return { items, count: fitting.length, total: kept.length, next: next < fitting.length ? next : null };
  }

  /** One finding as the report shows it, in HTML; null if there is none. */
  finding(id: string): { readonly line: FindingLine; readonly html: string } | null {
    const found = new KeptFindings(this.folder).find(id)?.finding ?? this.findingOfResults(id);
    if (found === null) return null;
    const readSource = sourcesOfBuild(found, this.folder, sourcesBelow([this.folder.root]));
    const context = { shown: this.shown, readSource, hasTests: false, open: true };
    return { line: findingLine(found, this.shown), html: findingSection(found, context).text };
  }

  seeds({ offset, limit, words }: Portion): PortionOf<SeedLine> {
    const ids = this.seedIds.get();
    const store = new SeedStore(this.folder);
    const wanted = wordsOf(words);
    const items: SeedLine[] = [];
    let at = offset;
    for (; at < ids.length && items.length < limit && at - offset < Math.max(limit, MOST_LOOKED); at++) {
      const seed = store.find(ids[at]);
      if (seed === null) continue;
      const line = this.seedLine(seed);
      const all = `${line.id} ${line.program} ${line.command} ${line.end}`.toLowerCase();
      if (wanted.every((word) => all.includes(word))) items.push(line);
    }
    const count = wanted.length === 0 ? ids.length : null;
    return { items, count, total: ids.length, next: at < ids.length ? at : null };
  }

  /** One test: what it reads, and what the last campaign did with it. Its environment stays where it is. */
  seed(id: string): unknown {
    const seed = new SeedStore(this.folder).find(id);
    if (seed === null) return null;
    const { lastResult } = this;
    const rows = lastResult?.technique === "amplify" ? lastResult.seeds : [];
    const row = rows.find((one) => one.id === id);
    return {
      ...this.seedLine(seed),
      workingDirectory: this.shown(seed.workingDirectory),
      names: seed.files.slice(0, 100).map(({ path }) => this.shown(path)),
      milliseconds: seed.recorded.milliseconds,
      looked:
        row === undefined
          ? null
          : { distance: row.distance, checks: row.checks, paths: row.paths, skipped: row.skipped, why: row.why ?? [] },
    };
  }

  /** Null, with the reason, if there are no results. */
  report(): { readonly page: string } | { readonly problem: string } {
    const read = this.results.get();
    if (read.kind === "unreadable") return { problem: read.message };
    const { length } = read.result.findings;
    if (length <= MOST_REPORTED) return { page: this.page.get() };
    return {
      problem: `the last results have ${length} findings, too many for one page: the live page has them in portions, and \`tangent report\` writes them all to a file`,
    };
  }

  private get lastResult(): CampaignResult | null {
    const read = this.results.get();
    return read.kind === "result" ? read.result : null;
  }

  private findingOfResults(id: string): ResultFinding | null {
    return this.lastResult?.findings.find((finding) => finding.id === id) ?? null;
  }

  private seedLine(seed: Seed): SeedLine {
    const words = [this.shown(seed.program), ...seed.arguments];
    const { stdin, end } = seed;
    return {
      id: seed.id,
      program: this.shown(seed.program),
      command: plainText(commandSegments(words, words, 60)).slice(0, 400),
      end: end.kind === "exit" ? `exit ${end.code}` : end.kind === "signal" ? `signal ${end.signal}` : "unknown",
      files: seed.files.length,
      stdin: stdin.kind === "bytes" ? "read" : stdin.kind,
      times: seed.recorded.times,
    };
  }
}

/** As readResultFile does, but of a regular file only: nobody waits here for a pipe. */
function readResults(path: string): ReadResult {
  try {
    return parseResult(readRegularFile(path, { noLink: true, mostBytes: MOST_RESULT_BYTES }).toString(), path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isNone = code === "ENOENT";
    return { kind: "unreadable", message: isNone ? "there are no results yet: no campaign has ended here" : message };
  }
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Something that is made from a file, until that is another one. */
class Remembered<Value> {
  private kept: { readonly stamp: string; readonly value: Value } | null = null;

  constructor(
    private readonly path: () => string,
    private readonly make: () => Value,
  ) {}

  get(): Value {
    const status = statSync(this.path(), { throwIfNoEntry: false });
    const stamp = status === undefined ? "" : `${status.ino} ${status.size} ${status.mtimeMs}`;
    if (this.kept?.stamp !== stamp) this.kept = { stamp, value: this.make() };
    return this.kept.value;
  }
}
