// All findings of a project, each in a file of its own below `.tangent/findings`, until it is forgotten: written when it is found, so
// that it can be looked at while its campaign goes on, and marked by the campaigns that follow.
//
//   new           the last campaign was the first to find it
//   still there   found by an earlier campaign; nothing says that it is fixed
//   gone          its input no longer makes the program of a later build fail
//   back          it was gone, and the last campaign has found it again, or its input fails again
//
// Whether one is suppressed is what tangent.toml says when somebody asks (suppressed.ts).

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ProjectFolder, writeSafely } from "../project/project-folder.js";
import { PRIVATE_FILE } from "../support/private-modes.js";
import { readRegularFile } from "../support/regular-file.js";
import { oneOf, optional, record, text, truth } from "../support/shape.js";
import type { CampaignResult, ResultFinding } from "./campaign-result.js";
import { idsOf } from "./named-findings.js";
import { isResultFinding } from "./result-shape.js";

export const KEPT_STATES = ["new", "back", "still there", "gone"] as const;
export type KeptState = (typeof KEPT_STATES)[number];

export interface KeptFinding {
  readonly finding: ResultFinding;
  readonly state: KeptState;
  readonly technique: CampaignResult["technique"];
  /** Times, as ISO writes them. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** False: its campaign goes on, or was killed. */
  readonly isSettled: boolean;
  /** Of what is gone: the content of the program that it was asked of last. */
  readonly checked?: string;
}

const FOLDER = "findings";
/** Inputs are inside; a link could lead anywhere. */
const KEPT_FILE = { noLink: true, mostBytes: 0x1000_0000 };

const KEPT = record({
  finding: isResultFinding,
  state: oneOf(...KEPT_STATES),
  technique: oneOf("amplify", "patch", "compose"),
  firstSeen: text,
  lastSeen: text,
  isSettled: truth,
  checked: optional(text),
});

export class KeptFindings {
  constructor(private readonly folder: ProjectFolder) {}

  /** In the order in which they were first seen. What is no finding is passed over. */
  list(): KeptFinding[] {
    const directory = this.folder.known(FOLDER);
    const names = existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith(".json")) : [];
    const all = names.flatMap((name) => this.read(join(directory, name)) ?? []);
    return all.sort((a, b) => (a.firstSeen < b.firstSeen ? -1 : a.firstSeen > b.firstSeen ? 1 : 0));
  }

  /** By its whole id. */
  find(id: string): KeptFinding | null {
    return /^[0-9a-f]{3,64}$/.test(id) ? this.read(this.folder.known(FOLDER, `${id}.json`)) : null;
  }

  /** As soon as it is found. A disk that is full costs only that it can be looked at before the campaign ends. */
  saw(finding: ResultFinding, technique: CampaignResult["technique"], at = new Date().toISOString()): void {
    const known = this.read(this.folder.known(FOLDER, `${finding.id}.json`));
    const fresh: KeptFinding = { finding, state: "new", technique, firstSeen: at, lastSeen: at, isSettled: false };
    const isBack = known?.state === "gone" || (known?.state === "back" && !known.isSettled);
    const entry = known === null || isBack || !known.isSettled ? fresh : { ...known, finding, lastSeen: at };
    this.write({ ...entry, ...(isBack ? { state: "back" } : {}), firstSeen: known?.firstSeen ?? at });
  }

  /** A campaign has ended with these. Those that were found before it are no longer new; those whose lines have moved are known again. */
  settle({ findings, technique }: Pick<CampaignResult, "findings" | "technique">, at = new Date().toISOString()): void {
    const known = new Map(this.list().map((entry) => [entry.finding.id, entry]));
    const present = new Set(findings.map(({ id }) => id));
    const wasGone = ({ state }: KeptFinding): boolean => state === "gone";
    const left = new Map([...known].filter(([id]) => !present.has(id)));
    for (const finding of findings) {
      const entry = known.get(finding.id);
      const isNew = entry === undefined || !entry.isSettled;
      const moved = isNew ? movedFrom(finding, left) : null;
      if (moved !== null) this.forget(moved.finding.id);
      if (moved !== null) left.delete(moved.finding.id);
      const before = moved ?? entry;
      const isBack = before !== undefined && (wasGone(before) || (before.state === "back" && !before.isSettled));
      const state = isBack ? "back" : isNew && moved === null ? "new" : "still there";
      const firstSeen = before?.firstSeen ?? at;
      const ids = [
        finding,
        ...(moved === null ? [] : [moved.finding]),
        ...(entry === undefined ? [] : [entry.finding]),
      ];
      const formerIds = [...new Set(ids.flatMap(idsOf))].filter((id) => id !== finding.id);
      this.write({ finding: { ...finding, formerIds }, state, technique, firstSeen, lastSeen: at, isSettled: true });
    }
    for (const [id, entry] of left) {
      // What a patch shows is of its two versions: the next patch has others.
      if (technique === "patch" && entry.technique === "patch") this.forget(id);
      else if (entry.state === "new" || entry.state === "back")
        this.write({ ...entry, state: "still there", isSettled: true });
    }
  }

  /** Its input was run again with a later build, whose content is `checked`. */
  mark(entry: KeptFinding, state: "gone" | "back", checked: string, at = new Date().toISOString()): void {
    const { checked: _before, ...rest } = entry;
    const isGone = state === "gone";
    const lastSeen = isGone ? entry.lastSeen : at;
    this.write({ ...rest, state, isSettled: true, lastSeen, ...(isGone ? { checked } : {}) });
  }

  forget(id: string): void {
    rmSync(this.folder.file(FOLDER, `${id}.json`), { force: true });
  }

  private write(entry: KeptFinding): void {
    // What the results of a campaign say of it is not what is so later.
    const { known: _known, suppressed: _suppressed, ...finding } = entry.finding;
    try {
      const path = this.folder.file(FOLDER, `${finding.id}.json`);
      writeSafely(path, `${JSON.stringify({ ...entry, finding }, null, 1)}\n`, PRIVATE_FILE);
    } catch (error) {
      if (!(error instanceof Error) || !("syscall" in error)) throw error;
    }
  }

  private read(path: string): KeptFinding | null {
    try {
      const value: unknown = JSON.parse(readRegularFile(path, KEPT_FILE).toString());
      if (!isKept(value)) return null;
      return path.endsWith(`/${value.finding.id}.json`) ? value : null;
    } catch {
      return null;
    }
  }
}

function isKept(value: unknown): value is KeptFinding {
  return KEPT(value);
}

/** One of a former id, or one that says the same of the same source text; no finding of the campaign is it. */
function movedFrom(finding: ResultFinding, left: ReadonlyMap<string, KeptFinding>): KeptFinding | null {
  for (const id of idsOf(finding)) {
    const former = left.get(id);
    if (former !== undefined) return former;
  }
  const { fingerprint } = finding;
  for (const entry of left.values()) {
    if (entry.finding.fingerprint === fingerprint && entry.state !== "gone" && entry.isSettled) return entry;
  }
  return null;
}
