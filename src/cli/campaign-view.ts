// What a user sees on the terminal while a campaign goes on, whichever the technique: a line of progress, findings as they come, notes, and
// a sentence at the end.

import { basename } from "node:path";
import type { CampaignMessage } from "../jobs/campaign-messages.js";
import type { ProjectFolder } from "../project/project-folder.js";
import type { ReadSource } from "../project/sources.js";
import type { Suppression } from "../project/suppressions.js";
import { type Baseline, withKnown } from "../report/baseline.js";
import { type CampaignResult, type ResultFinding, TOOK_ALL_THEIR_TIME } from "../report/campaign-result.js";
import { shortChange } from "../report/changed-source.js";
import { divergencesInWords } from "../report/divergences.js";
import { bugsInWords } from "../report/finding-groups.js";
import {
  behindInWords,
  commandSegments,
  commandsOf,
  distanceName,
  movesInWords,
  pathsBelow,
  whereOf,
} from "../report/finding-view.js";
import { differenceOf } from "../report/input-diff.js";
import { ProgressLine, STAGE_WORDS } from "../report/progress-line.js";
import { unsuppressed, withSuppressed } from "../report/suppressed.js";
import { PLAIN_TEXT, renderFinding } from "../report/text.js";
import { placeOfLiteral } from "../support/literal-names.js";
import { ERASE_LINE, visible, visibleLines } from "../support/visible-text.js";
import type { LiveWriter } from "../ui/live-writer.js";
import type { CommandContext } from "./command.js";
import { findingSettings, shownPaths } from "./project-settings.js";

/** On a terminal something moves at least this often, and says what is being done for how long. */
const TICK_MS = 1000;

export class CampaignView {
  private shownMs = -1000;
  /** What is being done since when; null between two things. */
  private current: { readonly text: string; readonly detail: string; readonly sinceMs: number } | null = null;
  private ticker: NodeJS.Timeout | null = null;
  private notes = 0;
  private line = false;
  private loading: ProgressLine | null = null;
  private suppress: readonly Suppression[] | null = null;
  /** The first finding of each cause is told in full, the others in a line. */
  private readonly groups = new Map<string, string>();

  constructor(
    readonly context: CommandContext,
    /** Where findings are told. */
    readonly tell: CommandContext["out"],
    readonly quiet: boolean,
    readonly readSource: ReadSource,
    /** What is in it is told in a line. */
    readonly baseline: Baseline = { kind: "none" },
    /** Whose findings tangent.toml may suppress. */
    readonly project: Pick<ProjectFolder, "root"> | null = null,
    /** What pages show. */
    private readonly live: LiveWriter | null = null,
  ) {}

  show(message: CampaignMessage): void {
    this.live?.take(message);
    switch (message.kind) {
      case "loading":
        this.live?.does(STAGE_WORDS[message.progress.stage], basename(message.program.name));
        if (this.quiet) return;
        this.load(message);
        return;
      case "loaded":
        this.loading?.clear();
        this.loading = null;
        this.current = null;
        return;
      case "finding": {
        this.clear();
        if (message.isEarlier === true) {
          const { id, title } = message.found;
          const place = whereOf(message.found, pathsBelow(process.cwd()));
          this.tell(
            `==tangent== still there (told by an earlier campaign): ${id} ${visible(`${title} at ${place}`)}\n`,
          );
          return;
        }
        if (this.baseline.kind === "findings" && withKnown([message.found], this.baseline.findings)[0].known === true) {
          const { id, title } = message.found;
          const place = whereOf(message.found, pathsBelow(process.cwd()));
          this.tell(`==tangent== known (it is in the baseline): ${id} ${visible(`${title} at ${place}`)}\n`);
          return;
        }
        const [{ suppressed, id, title, ...rest }] = this.marked([message.found]);
        if (suppressed !== undefined) {
          const place = whereOf({ id, title, ...rest }, pathsBelow(process.cwd()));
          this.tell(`==tangent== suppressed (${visible(suppressed)}): ${id} ${visible(`${title} at ${place}`)}\n`);
          return;
        }
        const first = this.groups.get(message.found.group);
        this.groups.set(message.found.group, first ?? message.found.id);
        if (first !== undefined) {
          const place = whereOf(message.found, pathsBelow(process.cwd()));
          this.tell(`==tangent== the cause of ${first} shows at ${visible(place)} too\n`);
        } else {
          const colour = process.stdout.isTTY === true && this.tell === this.context.out;
          const text = { ...PLAIN_TEXT, readSource: this.readSource, colour, relativeTo: process.cwd() };
          this.tell(renderFinding(message.finding, text));
        }
        const { found } = message;
        this.tell(witnessText(found));
        this.tell(`show it: tangent show ${found.id}\n\n`);
        return;
      }
      case "note":
        if (++this.notes > MOST_NOTES) return;
        this.clear();
        this.context.error(`tangent: note: ${visible(message.text)}\n`);
        return;
      case "failed":
        this.clear();
        this.context.error(`tangent: ${message.message}\n`);
    }
  }

  /** A line that rewrites itself on a terminal, now and then one elsewhere; `detail` is for terminals only. */
  status(text: string, detail: string, elapsedMs: number): void {
    this.live?.does(text, detail);
    if (this.quiet) return;
    this.current = { text, detail, sinceMs: performance.now() };
    if (process.stderr.isTTY) {
      this.draw();
      this.ticker ??= setInterval(() => this.draw(), TICK_MS).unref();
    } else if (elapsedMs - this.shownMs >= 5000) {
      this.shownMs = elapsedMs;
      this.context.error(`tangent: ${text}\n`);
    }
  }

  private load({ program, progress }: Extract<CampaignMessage, { readonly kind: "loading" }>): void {
    if (this.loading === null) this.clear();
    this.loading ??= new ProgressLine(process.stderr);
    this.loading.update(progress);
    this.begins(STAGE_WORDS[progress.stage], basename(program.name));
  }

  /** How much there is to do. A log is told before the first item, if that can take a while to come. */
  prepares(what: string, count: number): void {
    this.begins("getting ready", what);
    if (!this.quiet && !process.stderr.isTTY && count >= MANY_ITEMS) this.told(`getting ready: ${what}`);
  }

  /** What is being done from here on: a terminal shows it when it has been going on for a while. */
  begins(text: string, detail: string): void {
    this.live?.does(text, detail);
    if (this.quiet || (this.current?.text === text && this.current.detail === detail)) return;
    this.current = { text, detail, sinceMs: performance.now() };
    if (process.stderr.isTTY) this.ticker ??= setInterval(() => this.draw(), TICK_MS).unref();
  }

  /** The line of what is being done, with for how long if that is noticeable. */
  private draw(): void {
    const { current } = this;
    if (current === null) return;
    this.line = true;
    const columns = process.stderr.columns ?? 80;
    const text = statusLine(current.text, current.detail, performance.now() - current.sinceMs, columns);
    this.context.error(`${ERASE_LINE}${text}`);
  }

  /** Something that is told when it happens. */
  told(text: string): void {
    if (this.quiet) return;
    this.clear();
    this.context.error(`tangent: ${text}\n`);
  }

  /** Why results say less than they seem to: it explains the exit status, so --quiet does not leave it out. */
  warns(text: string): void {
    this.clear();
    this.context.error(`tangent: ${visible(text)}\n`);
  }

  /** `reason`: of the results; "failed" if there are none. */
  end(reason: CampaignResult["reason"] | "failed" = "failed"): void {
    this.live?.end(reason);
    if (this.ticker !== null) clearInterval(this.ticker);
    this.ticker = null;
    this.current = null;
    this.clear();
  }

  /** `items`: what one is, in words. */
  known(count: number, items: string): void {
    if (count === 0) return;
    const done = count === 1 ? "1 item was" : `${count} items were`;
    this.context.error(`tangent: ${done} done by an earlier campaign (${items}); --again does them anew\n`);
  }

  /** `done`: how much, in words. */
  summary(result: CampaignResult, done: string): void {
    const { findings, durationMs, reason, notExplored } = result;
    if (this.notes > MOST_NOTES) {
      this.context.error(`tangent: note: ${this.notes - MOST_NOTES} more such notes are in the report\n`);
    }
    const isAll = (notExplored[TOOK_ALL_THEIR_TIME] ?? 0) === 0;
    const complete = isAll ? "everything was done" : "every test had its time";
    const why = { complete, time: "the time is up", aborted: "stopped" }[reason];
    const seconds = (durationMs / 1000).toFixed(1);
    const shown = unsuppressed(this.marked(findings));
    const left = findings.length - shown.length;
    const found = `${bugsInWords(shown, "finding")}${left === 0 ? "" : `, ${left} suppressed`}`;
    this.context.error(`tangent: ${why} after ${seconds} s: ${done}, ${found}\n`);
    const diverged = divergencesInWords(result);
    if (diverged !== null) this.context.error(`tangent: ${diverged}\n`);
  }

  private marked(findings: readonly ResultFinding[]): readonly ResultFinding[] {
    if (this.project === null) return findings;
    this.suppress ??= findingSettings(this.project).suppress;
    return withSuppressed(findings, this.suppress, shownPaths(this.project));
  }

  private clear(): void {
    this.loading?.clear();
    this.loading = null;
    if (this.line) this.context.error(ERASE_LINE);
    this.line = false;
  }
}

/** At most as wide as the terminal; how long it has been going on is never what is cut off. */
export function statusLine(text: string, detail: string, ms: number, columns: number): string {
  const since = ms < NOTICEABLE_MS ? "" : ` (${Math.floor(ms / 1000)} s)`;
  const shown = detail === "" ? text : `${text}: ${visible(detail)}`;
  return `${`tangent: ${shown}`.slice(0, Math.max(10, columns - 1 - since.length))}${since}`;
}

const NOTICEABLE_MS = 3000;
/** With fewer the first one is told of at once. */
const MANY_ITEMS = 500;

/** A thousand tests may have lost the same file. */
const MOST_NOTES = 5;
/** Bytes that are shown one by one; `tangent show` has them all. */
const SHOWN_CHANGES = 4;

/** What to change in the test to see the failure. */
function witnessText(found: ResultFinding): string {
  const { distance, inputs } = found;
  const { test, witness } = commandsOf(found);
  const moves = movesInWords(found);
  const command = (words: readonly string[], others: readonly string[]): string =>
    commandSegments(words, others)
      .map(({ text }) => text)
      .join("");
  const lines = [
    `${found.isMade === true && moves === null ? "made" : "test"} (${distanceName(distance)}): ${command(test, witness)}`,
  ];
  if (moves !== null) lines.push(`made of it:        ${moves}`);
  const behind = behindInWords(found);
  if (behind !== null) lines.push(`lies ${behind}`);
  const failing = command(witness, test);
  if (failing !== command(test, witness)) lines.push(`fails with:        ${failing}`);
  for (const input of inputs) {
    if (/^arg\d+$/.test(input.name)) continue;
    const { label, seed, witness, changedBytes } = differenceOf(input, (path) => basename(path));
    if (changedBytes === 0) continue;
    const literal = placeOfLiteral(input.name);
    if (literal !== null) {
      lines.push(`fails with ${label}: ${shortChange(seed, witness, literal)}`);
      continue;
    }
    const changes: string[] = [];
    for (let at = 0; at < witness.length && changes.length < SHOWN_CHANGES; at++) {
      if (seed[at] !== witness[at]) changes.push(`byte ${at}: ${shownByte(seed[at])} -> ${shownByte(witness[at])}`);
    }
    const more = changedBytes > changes.length ? `, ${changedBytes - changes.length} more` : "";
    lines.push(`fails with ${label}: ${changes.join(", ")}${more}`);
  }
  return visibleLines(lines);
}

function shownByte(byte: number | undefined): string {
  if (byte === undefined) return "nothing";
  const hex = byte.toString(16).padStart(2, "0");
  return byte > 0x20 && byte < 0x7f ? `${hex} '${String.fromCharCode(byte)}'` : hex;
}
