// A project for tests and measurements of the page: a campaign's messages as they would come, findings and tests in any number, hostile
// where real ones could be.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SoFar, WorkDone } from "../jobs/campaign-messages.js";
import { ProjectFolder } from "../project/project-folder.js";
import type { Seed } from "../project/seed.js";
import { type SeedContent, seedId } from "../project/seed-store.js";
import { ProjectState } from "../project/state-folder.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { finding } from "../report/result-fixture.js";

export const HOSTILE_NAME = "<img src=x onerror=document.title='pwned'>\u202e";

export interface UiProject {
  readonly folder: ProjectFolder;
  readonly state: ProjectState;
  readonly env: NodeJS.ProcessEnv;
  /** The directory of both. */
  readonly top: string;
}

export function uiProject(): UiProject {
  const top = mkdtempSync(join(tmpdir(), "tangent-ui-"));
  const root = join(top, "project");
  mkdirSync(join(root, ".tangent"), { recursive: true });
  const env = { TANGENT_STATE: join(top, "state") };
  return { folder: new ProjectFolder(root), state: new ProjectState(root, env), env, top };
}

export function uiSeed(index: number, root: string, program = `${root}/prog`): Seed {
  const content: SeedContent = {
    program,
    programContent: `content of ${program}`,
    arguments: ["--number", `n${index}`],
    environment: ["SECRET=never shown"],
    workingDirectory: root,
    umask: 0o22,
    stdin: { kind: "empty" },
    files: [{ path: `${root}/data-${index}`, content: null, mode: 0o644 }],
    end: { kind: "exit", code: 0 },
  };
  return { ...content, id: seedId(content), recorded: { at: "2026-01-02T03:04:05.678Z", milliseconds: 3, times: 1 } };
}

/** Written in the simplest way: a hundred thousand of them are made for a measurement. */
export function writeSeeds(folder: ProjectFolder, seeds: readonly Seed[]): void {
  const directory = folder.directory("seeds");
  for (const seed of seeds) writeFileSync(join(directory, `${seed.id}.json`), JSON.stringify(seed));
}

export function uiFinding(index: number, root: string): ResultFinding {
  const id = index.toString(16).padStart(12, "0");
  const location = {
    function: `function_${index}`,
    file: `${root}/src/part-${index % 40}.c`,
    line: index + 1,
    column: 3,
    origin: "program",
  };
  const severity = ["critical", "high", "medium", "low"][index % 4];
  return finding({ id, location, severity, program: `${root}/prog`, foundMs: index * 100 });
}

export function workDone(what: WorkDone["what"], seed: Seed, soFar: Partial<SoFar> = {}): WorkDone {
  return {
    kind: "work",
    what,
    key: `${seed.id}/0`,
    program: seed.programContent,
    label: seed.arguments.join(" "),
    soFar: { elapsedMs: 1, checks: 0, paths: 0, blocks: 0, notExplored: {}, ...soFar },
  };
}
