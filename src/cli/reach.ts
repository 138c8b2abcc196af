// `tangent reach FILE:LINE`: inputs that execute a place, made out of the project's tests. What `tangent patch` does for changed lines, for
// places that somebody names.

import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { GitProblem } from "../project/patch/git.js";
import { lockProject } from "../project/project-lock.js";
import { restorePrograms } from "../project/restore-programs.js";
import { visible } from "../support/visible-text.js";
import { defineCommand, USAGE_STATUS } from "./command.js";
import { buildVersion, openPatchProject, sourceRootOf } from "./patch-project.js";
import { PATCH_RUN_OPTIONS, search, wrongPatchChoice } from "./patch-run.js";
import { withPage } from "./ui-page.js";

export const command = defineCommand({
  name: "reach",
  summary: "Make an input out of the project's tests that executes a line or a function",
  description: `PLACE is FILE:LINE, with FILE as it lies in the project (src/diff.c:410), or the name of a function, which is reached when its first
line is. The project is built below .tangent/patch as it lies in the work tree; its tests are run and recorded if that was not done before.

    tangent reach src/diff.c:410 compute_patch --time 1m
    tangent reach main.c:20 --test "./prog some.file"

The exit status is as of \`tangent patch\`: 0 if no bug was found on the way, whether the places were reached or not; 2 if none of them is
in a program.`,
  options: PATCH_RUN_OPTIONS,
  operands: {
    place: { kind: "many", value: "PLACE", help: "FILE:LINE or a function" },
  },
  async run(options, { place: words }, context) {
    const wrong = wrongPatchChoice(options);
    if (wrong !== null) {
      context.error(`tangent reach: ${wrong}\n`);
      return USAGE_STATUS;
    }
    const project = openPatchProject(options.config, false, context);
    if ("kind" in project) {
      context.error(`tangent reach: ${project.problem}\n`);
      return project.status;
    }
    const { root } = project.sources;
    if (root === null) {
      context.error("tangent reach: the repository is bare; a work tree is needed\n");
      return USAGE_STATUS;
    }
    const parsed = words.map((word) => placeOf(word, sourceRootOf(project), process.cwd()));
    const problem = parsed.find((one) => one.kind === "wrong");
    if (problem?.kind === "wrong") {
      context.error(`tangent reach: ${problem.problem}\n`);
      return USAGE_STATUS;
    }
    const absent = parsed.find((one) => one.kind === "line" && !existsSync(join(sourceRootOf(project), one.file)));
    if (absent?.kind === "line") {
      context.error(`tangent reach: there is no file ${visible(absent.file)} in ${root}\n`);
      return USAGE_STATUS;
    }
    const lock = lockProject(project.folder, project.state, "reach");
    if (lock.kind === "busy") {
      context.error(`tangent: ${lock.message}\n`);
      return 3;
    }
    for (const trouble of restorePrograms(project.state).problems) context.error(`tangent: note: ${trouble}\n`);
    return withPage(options.ui, project.folder, context, async () => {
      try {
        const built = await buildVersion(project, { kind: "work tree" }, "new", context);
        if (built === null) return 3;
        const unknown = parsed.find((one) => one.kind === "line" && !built.checkedOut.files.has(one.file));
        if (unknown?.kind === "line") {
          context.error(`tangent reach: there is no file ${visible(unknown.file)} in ${root}\n`);
          return USAGE_STATUS;
        }
        const places = parsed.flatMap((one) => (one.kind === "line" ? [{ file: one.file, line: one.line }] : []));
        const functions = parsed.flatMap((one) => (one.kind === "function" ? [one.name] : []));
        return (await search(project, built, null, { changes: null, places, functions }, options, context)).status;
      } catch (error) {
        if (!(error instanceof GitProblem)) throw error;
        context.error(`tangent reach: ${error.message}\n`);
        return 3;
      }
    });
  },
});

type Place =
  | { readonly kind: "line"; readonly file: string; readonly line: number }
  | { readonly kind: "function"; readonly name: string }
  | { readonly kind: "wrong"; readonly problem: string };

/** Files are relative to where the user is, as everywhere; what is said is relative to the sources' root. */
export function placeOf(word: string, root: string, directory: string): Place {
  const match = /^(.+?):(\d{1,9})(?::\d+)?$/.exec(word);
  if (match !== null) {
    const file = relative(root, resolve(directory, match[1]));
    if (file.startsWith("..")) return { kind: "wrong", problem: `${visible(match[1])} is not below ${root}` };
    const line = Number(match[2]);
    return line === 0 ? { kind: "wrong", problem: `${visible(word)}: lines begin at 1` } : { kind: "line", file, line };
  }
  if (/^[A-Za-z_$][\w$.]*$/.test(word) && !/\.[chyl]$/.test(word)) return { kind: "function", name: word };
  return { kind: "wrong", problem: `what is ${visible(word)}? A place is FILE:LINE or the name of a function` };
}
