// Known bugs as patches that introduce them: a git repository whose first commit is the package as it is, with its tests, and for each bug a
// branch with one commit that takes its fix back. `tangent patch` is run on that commit as a user would, both versions built below its own
// folder, and what it found is compared with the documented place. Everything lies under TANGENT_KNOWN_BUGS; what is there is taken.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AmplifyCampaignResult, ResultFinding } from "../../src/report/campaign-result.js";
import type { PatchCampaignResult } from "../../src/report/patch-result.js";
import { LAUNCHER } from "../suites/build.js";
import type { Bug, KnownProgram } from "./bug.js";
import { fetchSource, isAt, shell, takeBack, WORK } from "./hunt.js";

const FIXED = "fixed";

export interface Introduced {
  readonly program: KnownProgram;
  readonly bug: Bug;
  /** "" if it could be done. */
  readonly problem: string;
  readonly result: PatchCampaignResult | null;
  /** At the documented place. */
  readonly finding: ResultFinding | null;
  /** An input that fails there in the new version only. */
  readonly isRegression: boolean;
}

interface Project {
  readonly repository: string;
  readonly config: string;
  /** Beside the repository: results and builds. */
  readonly folder: string;
}

export interface PatchTime {
  readonly seconds: number;
  readonly targetSeconds: number;
}

/** One bug: its commit is made if it is not there, then tested. */
export function introduce(program: KnownProgram, bug: Bug, time: PatchTime): Introduced {
  const failed = (problem: string): Introduced => {
    return { program, bug, problem, result: null, finding: null, isRegression: false };
  };
  const project = projectOf(program);
  if ("problem" in project) return failed(project.problem);
  const branch = branchOf(bug);
  const problem = commitBug(project, program, bug, branch);
  if (problem !== null) return failed(problem);
  // Judged by what the lines say: those of the bad version.
  git(project.repository, ["checkout", "--quiet", "--force", branch]);
  const output = join(project.folder, `${branch}.json`);
  rmSync(output, { force: true });
  const limits = `--time ${time.seconds}s --target-time ${time.targetSeconds}s --again`;
  shell(
    `${LAUNCHER} patch ${FIXED}..${branch} --config tangent.toml ${limits} --json ${branch}.json`,
    project.folder,
    branch,
  );
  if (!existsSync(output)) return failed(`no results: see ${join(project.folder, `tangent-${branch}.log`)}`);
  const result = JSON.parse(readFileSync(output, "utf8")) as PatchCampaignResult;
  return { program, bug, problem: "", result, ...judge(bug, result) };
}

/** The finding at the bug's place, and whether the report says that it fails only since the patch. */
export function judge(bug: Bug, result: PatchCampaignResult): Pick<Introduced, "finding" | "isRegression"> {
  const at = result.findings.filter((finding) => isAt(finding, bug));
  const [finding] = at.sort((a, b) => a.foundMs - b.foundMs);
  return { finding: finding ?? null, isRegression: at.some(({ since }) => since === "patch") };
}

/** What amplification alone finds from the same tests of the same build in the same time; null if it found nothing there. */
export function amplifyAlone(program: KnownProgram, bug: Bug, seconds: number): ResultFinding | null {
  const project = projectOf(program);
  if ("problem" in project) return null;
  const name = `${branchOf(bug)}-amplify`;
  const output = join(project.folder, `${name}.json`);
  rmSync(output, { force: true });
  shell(`${LAUNCHER} amplify --time ${seconds}s --again --json ${name}.json`, project.folder, name);
  if (!existsSync(output)) return null;
  const { findings } = JSON.parse(readFileSync(output, "utf8")) as AmplifyCampaignResult;
  const at = findings.filter((finding) => isAt(finding, bug));
  return at.sort((a, b) => a.foundMs - b.foundMs)[0] ?? null;
}

function branchOf({ reference }: Bug): string {
  return `bug-${reference
    .replace(/\(.*|,.*/g, "")
    .trim()
    .replace(/[^\w.]+/g, "-")}`;
}

function projectOf(program: KnownProgram): Project | { readonly problem: string } {
  const folder = join(WORK, "patches", program.name);
  const repository = join(folder, "repository");
  const project = { folder, repository, config: join(folder, "tangent.toml") };
  mkdirSync(folder, { recursive: true });
  // A tree is configured once; git's version of it knows nothing of that.
  const configured = `test -e tangent-configured || { ${program.configure ?? "true"}; } && touch tangent-configured`;
  const words = (text: string): string => JSON.stringify(text);
  writeFileSync(
    project.config,
    `build = ${words(`{ ${configured}; } && { ${program.build}\n}`)}\ntest = "sh tangent-tests.sh"\nrepository = "repository"\n`,
  );
  if (existsSync(join(repository, ".git", "refs", "heads", FIXED))) return project;
  const source = fetchSource(program.source);
  if (source === null) return { problem: `apt-get source ${program.source} failed` };
  rmSync(repository, { recursive: true, force: true });
  cpSync(source, repository, { recursive: true, verbatimSymlinks: true });
  for (const [name, text] of Object.entries(program.files ?? {})) writeFileSync(join(repository, name), text);
  writeFileSync(join(repository, "tangent-tests.sh"), `${program.prepare ?? ""}\n${program.seeds}\nexit 0\n`);
  const isMade =
    git(repository, ["init", "--quiet", `--initial-branch=${FIXED}`]) &&
    git(repository, ["add", "--force", "--all"]) &&
    git(repository, ["commit", "--quiet", "-m", `${program.source} as Debian has it`]);
  return isMade ? project : { problem: "git could not make the repository" };
}

/** Null, or why there is no such commit. */
function commitBug({ repository }: Project, program: KnownProgram, bug: Bug, branch: string): string | null {
  if (existsSync(join(repository, ".git", "refs", "heads", branch))) return null;
  const { by } = bug;
  if (by === undefined) return "it is not mended in the package, so no patch brings it";
  git(repository, ["checkout", "--quiet", "--force", FIXED]);
  const edits = [...(by.edits ?? []).flatMap((index) => program.edits?.[index] ?? []), ...(by.own ?? [])];
  const problem = takeBack(repository, by.reverse ?? [], edits);
  rmSync(join(repository, "tangent-reverse.log"), { force: true });
  const isMade =
    problem === null &&
    git(repository, ["checkout", "--quiet", "-b", branch]) &&
    git(repository, ["commit", "--quiet", "--all", "-m", `Take back: ${bug.reference}`]);
  git(repository, ["checkout", "--quiet", "--force", FIXED]);
  git(repository, ["clean", "--quiet", "-fdx"]);
  return problem ?? (isMade ? null : "git could not make the commit");
}

function git(repository: string, words: readonly string[]): boolean {
  const safe = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false"];
  const author = ["-c", "user.name=tangent", "-c", "user.email=tangent@localhost", "-c", "commit.gpgsign=false"];
  return spawnSync("git", [...safe, ...author, ...words], { cwd: repository, stdio: "ignore" }).status === 0;
}
