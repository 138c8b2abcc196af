// The program that a finding is to be replayed with: the build of today's sources. What was recorded stays where it is; if the sources have
// changed since, the program is built anew the way it was built then, by us or, where the user has built it, as tangent.toml or the build
// system says. A replay that runs the old program after a fix would say that it fails still.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { AMPLIFY_COMPILE_OPTIONS } from "../jit/options.js";
import { findProgram } from "../jobs/find-program.js";
import { copySources, sourcesBelow as sourceNames } from "../project/build-copy.js";
import { readConfig } from "../project/config.js";
import { detectProject } from "../project/detect.js";
import { isSeedOurs } from "../project/made-here.js";
import { programContent } from "../project/program-content.js";
import type { ProjectFolder } from "../project/project-folder.js";
import { lockProject } from "../project/project-lock.js";
import type { Seed } from "../project/seed.js";
import { compiledContents } from "../project/sources.js";
import { ProjectState } from "../project/state-folder.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { readRegularFile } from "../support/regular-file.js";
import { buildProject } from "./build.js";
import type { CommandContext } from "./command.js";
import { buildVersion, failedBy, openPatchProject } from "./patch-project.js";

export type PresentBuild =
  /** Nothing has changed, or nothing that could be built anew: `why` is told if there is something to tell. */
  | { readonly kind: "recorded"; readonly why: string | null }
  | { readonly kind: "later"; readonly program: string }
  | { readonly kind: "trouble"; readonly message: string };

const AS_RECORDED = "--as-recorded replays the program of then";

export async function presentBuild(
  folder: ProjectFolder,
  finding: ResultFinding,
  seed: Seed,
  context: CommandContext,
): Promise<PresentBuild> {
  const state = new ProjectState(folder.root, context.env);
  // A build is executed natively: only of a project whose tests have run on this machine.
  if (!isSeedOurs(state, seed)) return { kind: "recorded", why: null };
  const version = finding.build?.version;
  const trees = join(folder.path, "patch");
  if (seed.program.startsWith(`${trees}/`)) {
    // A commit, or the files with a diff, does not change.
    if (version !== undefined) return { kind: "recorded", why: `it is of ${version}` };
    return builtPatch(finding, seed, folder, state, context);
  }
  const copy = join(folder.path, "build");
  const inCopy = seed.program.startsWith(`${copy}/`);
  const below = relative(inCopy ? copy : folder.root, seed.program);
  const present = programContent(seed.program)?.content ?? null;
  if (!inCopy) {
    const stale = present === null ? [below] : await staleSources(folder, seed.program, context);
    if (stale.length === 0) {
      if (present === seed.programContent) return { kind: "recorded", why: null };
      return { kind: "later", program: seed.program };
    }
    const config = readConfig(folder.root);
    const script = (config.kind === "config" ? config.config.build : null) ?? detectProject(folder.root)?.build ?? null;
    if (script === null) {
      const what = present === null ? "is not there" : `is older than ${stale.join(", ")}`;
      const build = 'build it (CC="tangent cc"), or write `build = "..."` into tangent.toml';
      return { kind: "trouble", message: `${below} ${what}: ${build}, and replay again; ${AS_RECORDED}` };
    }
  }
  const lock = lockProject(folder, state, "replay");
  if (lock.kind === "busy") return { kind: "trouble", message: `${lock.message}; ${AS_RECORDED}` };
  try {
    const { copied } = copySources(folder, state);
    if (inCopy && copied === 0 && present === seed.programContent) return { kind: "recorded", why: null };
    const built = await buildProject(folder, null, context, { quiet: true });
    if (built === null) return { kind: "trouble", message: `it could not be built anew; ${AS_RECORDED}` };
    const program = built.programs.find((path) => relative(built.directory, path) === below);
    if (program === undefined) return { kind: "trouble", message: `the build made no ${below}; ${AS_RECORDED}` };
    if (programContent(program)?.content === seed.programContent) return { kind: "recorded", why: null };
    return { kind: "later", program };
  } finally {
    lock.release();
  }
}

/** Of a version that `tangent patch` has checked out from the files here. */
async function builtPatch(
  { id }: ResultFinding,
  seed: Seed,
  folder: ProjectFolder,
  state: ProjectState,
  context: CommandContext,
): Promise<PresentBuild> {
  const project = openPatchProject(undefined, false, context);
  if ("kind" in project) return { kind: "trouble", message: `${id}: ${project.problem}; ${AS_RECORDED}` };
  const lock = lockProject(folder, state, "replay");
  if (lock.kind === "busy") return { kind: "trouble", message: `${lock.message}; ${AS_RECORDED}` };
  try {
    const built = await buildVersion(project, { kind: "work tree" }, "new", context);
    const program = built?.programs.find(({ path }) => path === seed.program);
    if (program === undefined) return { kind: "trouble", message: `it could not be built anew; ${AS_RECORDED}` };
    if (program.content === seed.programContent) return { kind: "recorded", why: null };
    return { kind: "later", program: program.path };
  } catch (error) {
    return { kind: "trouble", message: `${failedBy(error).problem}; ${AS_RECORDED}` };
  } finally {
    lock.release();
  }
}

/**
 * Sources that a program of the user's own build is not made of as they are now: by what the compiler noted, and, where it did not, by their
 * times. What is no function's file (a header of constants) is known by its time alone.
 */
async function staleSources(
  folder: ProjectFolder,
  program: string,
  context: CommandContext,
): Promise<readonly string[]> {
  const compile = AMPLIFY_COMPILE_OPTIONS;
  const found = await findProgram(program, { env: context.env, clang: null, flags: [], compile });
  const sources = found.kind === "failed" ? undefined : found.image().sources;
  const compiled = compiledContents(sources);
  const functionFiles = sources === undefined ? null : new Set(sources.functions.map(({ file }) => file));
  const builtMs = statSync(program).mtimeMs;
  return sourceNames(folder.root).filter((name) => {
    const path = join(folder.root, name);
    const content = compiled.get(path);
    if (content !== undefined) return contentSum(path) !== content;
    // What else is written in the folder, other programs' sources among it, is not this program's.
    if (/\.[cyl]$/.test(name) && functionFiles?.has(path) === false) return false;
    return /\.[chyl]$/.test(name) && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > builtMs;
  });
}

/** As compilers note it. */
function contentSum(path: string): string {
  try {
    return createHash("md5").update(readRegularFile(path)).digest("hex");
  } catch {
    return "";
  }
}
