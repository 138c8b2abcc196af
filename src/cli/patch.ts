// `tangent patch`: KATCH on what a user, a commit or a pull request has changed.

import { readSync } from "node:fs";
import { changesFromDiff } from "../project/patch/diff-changes.js";
import { GitProblem } from "../project/patch/git.js";
import { type ChangeRequest, type Comparison, changesFromGit, commitsOf } from "../project/patch/git-changes.js";
import { MOST_DIFF_BYTES } from "../project/patch/parse-diff.js";
import { lockProject } from "../project/project-lock.js";
import { restorePrograms } from "../project/restore-programs.js";
import { readRegularFile } from "../support/regular-file.js";
import { visible } from "../support/visible-text.js";
import { defineCommand, USAGE_STATUS } from "./command.js";
import { runEach } from "./patch-each.js";
import { failedBy, openPatchProject, type PatchProject } from "./patch-project.js";
import { PATCH_RUN_OPTIONS, runComparison, wrongPatchChoice } from "./patch-run.js";
import { withPage } from "./ui-page.js";

export const command = defineCommand({
  name: "patch",
  summary: "Reach the lines that a patch has changed, and compare the program before and after it (KATCH)",
  description: `Finds out which changed lines the project's tests execute, and makes inputs out of the tests that execute the others. Each input is run
by the old version too: what the patch changes in the program's behaviour is shown, and what fails only since the patch comes first.

Without REVISIONS it is your own work: the work tree against the place where it left the main branch (origin/HEAD, origin/main,
origin/master, main or master); on the main branch itself what is uncommitted, else the last commit. REVISIONS are A..B, A...B (B since it
left A) or one commit (since its first parent). --diff FILE takes a unified diff instead; if it can be applied to the work tree, that is the
old version, and if it is applied already, the new one.

Both versions are built below .tangent/patch; your own files and your own build are not touched. The tests of the new one are run and
recorded, once as long as they do not change. Without tests the search begins with the programs alone (--no-tests), or with a call
that you give in their place: --test "./prog -x some.file".

Lines are marked + if the tests run them, * if an input of Tangent's does, ! if none was found (the branch in the way is named), x if
nothing can lead there. Such an input has an id: \`tangent show ID\`, \`tangent replay ID\`. All is in .tangent/report/index.html too.

    tangent patch                          your own work
    tangent patch HEAD~3..HEAD --export tests/new
    tangent patch --diff fix.diff --no-old --time 1m
    tangent patch --each v1.0..v1.1        a table of all commits

The exit status is 0 if nothing was found, 1 if there are findings or the new version fails where the old one did not, 2 for a usage
error, 3 for trouble with the build or the environment, 130 if Ctrl-C ended it before something was found.`,
  options: {
    staged: { kind: "flag", help: "what is staged (git add), as the next commit would have it" },
    diff: { kind: "value", value: "FILE", help: "the patch in FILE (- for standard input)" },
    each: { kind: "flag", help: "each commit of the range A..B by itself, in one table; goes on where it was stopped" },
    again: { kind: "flag", help: "with --each: do commits again that an earlier run has done" },
    noOld: { kind: "flag", help: "do not build the old version and do not compare" },
    ...PATCH_RUN_OPTIONS,
  },
  operands: {
    revisions: { kind: "optional", value: "REVISIONS", help: "what to compare: A..B, A...B, or a commit" },
  },
  async run(options, { revisions }, context) {
    const ways = [
      ...(revisions === undefined ? [] : [visible(revisions)]),
      ...(options.staged ? ["--staged"] : []),
      ...(options.diff === undefined ? [] : ["--diff"]),
    ];
    const wrong =
      ways.length > 1
        ? `${ways.join(" and ")}: one patch at a time`
        : options.each && revisions === undefined
          ? "--each goes through a range of commits: tangent patch --each A..B"
          : options.again && !options.each
            ? "--again is for --each: everything else is done anew anyway"
            : wrongPatchChoice(options);
    if (wrong !== null) {
      context.error(`tangent patch: ${wrong}\n`);
      return USAGE_STATUS;
    }
    const project = openPatchProject(options.config, options.diff === undefined, context);
    if ("kind" in project) {
      context.error(`tangent patch: ${project.problem}\n`);
      return project.status;
    }
    let work: { readonly commits: readonly string[] } | { readonly comparison: Comparison };
    try {
      const { repository } = project.sources;
      if (options.each && revisions !== undefined && repository !== null) {
        work = { commits: commitsOf(repository, revisions) };
      } else {
        const request: ChangeRequest = options.staged
          ? { kind: "staged" }
          : revisions === undefined
            ? { kind: "own work" }
            : { kind: "revisions", text: revisions };
        work = { comparison: compared(project, options.diff, request) };
      }
    } catch (error) {
      const { problem, status } = failedBy(error);
      context.error(`tangent patch: ${problem}\n`);
      return status;
    }
    const lock = lockProject(project.folder, project.state, "patch");
    if (lock.kind === "busy") {
      context.error(`tangent: ${lock.message}\n`);
      return 3;
    }
    for (const problem of restorePrograms(project.state).problems) context.error(`tangent: note: ${problem}\n`);
    return withPage(options.ui, project.folder, context, async () => {
      if ("commits" in work) return runEach(project, work.commits, options, context);
      return (await runComparison(project, work.comparison, options, context)).status;
    });
  },
});

function compared({ sources, folder }: PatchProject, diff: string | undefined, request: ChangeRequest): Comparison {
  if (diff !== undefined) {
    const root = sources.root;
    if (root === null) throw new GitProblem("--diff needs a work tree, and this repository is bare", true);
    return changesFromDiff(root, diff, diff === "-" ? standardInput() : diffFile(diff));
  }
  if (sources.repository === null) throw new Error(`${folder.root}: no repository`);
  return changesFromGit(sources.repository, request);
}

function diffFile(path: string): Buffer {
  try {
    return readRegularFile(path, { mostBytes: MOST_DIFF_BYTES });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what = code === "ENOENT" ? "there is no such file" : message;
    throw new GitProblem(`--diff ${visible(path)}: ${what}`, true);
  }
}

function standardInput(): Buffer {
  const parts: Buffer[] = [];
  for (let size = 0; size <= MOST_DIFF_BYTES; ) {
    const part = Buffer.alloc(0x1_0000);
    let count: number;
    try {
      count = readSync(0, part);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") break;
      if (code === "EAGAIN") continue;
      throw error;
    }
    if (count === 0) break;
    parts.push(part.subarray(0, count));
    size += count;
  }
  return Buffer.concat(parts);
}
