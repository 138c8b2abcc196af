// `tangent test -- make check`: build if needed, record the tests, amplify them, report. The one command for somebody who has
// never heard of symbolic execution.

import { type ProjectConfig, readConfig } from "../project/config.js";
import { detectProject } from "../project/detect.js";
import { findProject, type ProjectFolder } from "../project/project-folder.js";
import { lockProject } from "../project/project-lock.js";
import { restorePrograms } from "../project/restore-programs.js";
import { SeedStore } from "../project/seed-store.js";
import { findPrograms } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { AMPLIFY_OPTIONS, amplify, withLimits, wrongAmplifyChoice } from "./amplify.js";
import { buildProject } from "./build.js";
import { statusOfResult } from "./campaign-end.js";
import { chosenPrograms, programsNamed } from "./chosen-programs.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { testDeeply } from "./deep-test.js";
import { queueTrouble } from "./queue-option.js";
import { recordTests, signalStatus } from "./record.js";
import { isPrinted } from "./report-files.js";
import { withPage } from "./ui-page.js";

export const command = defineCommand({
  name: "test",
  summary: "Run the project's tests and look for bugs next to them",
  description: `Runs CMD (the project's own test command) as \`tangent record\` does, then amplifies what was recorded as \`tangent amplify\` does.
Without CMD, the commands of tangent.toml are used (see \`tangent init\`), or the usual ones for this kind of project. If tangent.toml names
a build and CMD is left out, or if no program here was built with CC="tangent cc", the project is built first, in a copy (see
\`tangent build\`), and the tests run there.

With --deep, what lies far from the tests is looked for besides: functions are tested one by one, and what fails in them is led up
their callers to an input of the whole program (\`tangent compose\`). Findings of both are in one report.

The exit status is 0 if nothing was found, 1 if something was, 2 for a usage error, 3 for trouble with the build or the environment,
130 if Ctrl-C ended it before something was found.
A test suite that fails is no reason to stop; its status is told.`,
  options: {
    ...AMPLIFY_OPTIONS,
    testTime: { kind: "duration", value: "TIME", help: "stop the tests themselves after this long (default: never)" },
    deep: {
      kind: "flag",
      help: "then look for bugs deep in the program too, as `tangent compose` does, in the last half of --time (default 10m)",
    },
  },
  operands: {
    command: { kind: "optional", value: "CMD", help: "what runs the tests, such as `make check`" },
    words: { kind: "rest", value: "ARG", help: "its arguments", ours: "refused" },
  },
  async run(options, { command: program, words }, context) {
    const wrong = wrongAmplifyChoice(options);
    if (wrong !== null) {
      context.error(`tangent test: ${wrong}\n`);
      return USAGE_STATUS;
    }
    const trouble = await queueTrouble(options, context.env);
    if (trouble !== null) {
      context.error(`tangent test: ${trouble}\n`);
      return 3;
    }
    const folder = findProject(process.cwd());
    const config = readConfig(folder.root);
    if (config.kind === "wrong") {
      context.error(`tangent: ${config.problem}\n`);
      return 2;
    }
    const settings = config.kind === "config" ? config.config : null;
    const given = program === undefined ? null : [program, ...words];
    const script = settings?.test ?? detectProject(folder.root)?.test ?? null;
    const rest = given ?? (script === null ? null : ["sh", "-c", script]);
    if (rest === null) {
      context.error(
        "tangent test: name the command that runs the tests: tangent test -- make check (or see `tangent init`)\n",
      );
      return 2;
    }
    const state = new ProjectState(folder.root, context.env);
    const lock = lockProject(folder, state, "test");
    if (lock.kind === "busy") {
      context.error(`tangent: ${lock.message}\n`);
      return 3;
    }
    for (const problem of restorePrograms(state).problems) context.error(`tangent: note: ${problem}\n`);
    return withPage(options.ui, folder, context, async () => {
      const place = await findPlace(folder, settings, given !== null, context, options.quiet);
      if (place === null) return 3;
      const named = programsNamed(options.program, place.programs);
      if (named.kind === "wrong") {
        context.error(`tangent test: ${named.problem}\n`);
        return USAGE_STATUS;
      }
      const recorded = await recordTests(folder.root, named.programs, rest, context, {
        workingDirectory: place.directory,
        timeMs: options.testTime ?? Number.POSITIVE_INFINITY,
        stdout: isPrinted(options) ? "stderr" : "inherit",
        quiet: options.quiet,
      });
      if (recorded === null) return 3;
      if (recorded.timedOut) {
        const seconds = (options.testTime ?? 0) / 1000;
        context.error(`tangent: note: the tests did not end within ${seconds} s (--test-time) and were stopped\n`);
      } else if (recorded.status !== 0) {
        const how = recorded.status === null ? `by ${recorded.signal}` : `with status ${recorded.status}`;
        context.error(`tangent: note: the tests ended ${how}\n`);
      }
      // Ctrl-C during the tests: what was recorded is kept, and the user wants the prompt.
      if (recorded.interruptedBy !== null) {
        context.error("tangent: interrupted; `tangent amplify` looks at what was recorded so far\n");
        return signalStatus(recorded.interruptedBy);
      }
      // Seeds of tests that are no more, or of older builds, stay in the store but are not looked at.
      const seeds = new SeedStore(folder).list().filter(({ id }) => recorded.seedIds.has(id));
      const search = options.deep ? testDeeply : amplify;
      const ended = await search(folder, seeds, withLimits(options, settings), context);
      return ended === null ? 3 : statusOfResult(ended);
    });
  },
});

interface Place {
  readonly directory: string;
  readonly programs: readonly string[];
}

/** Where the tests run, with which programs: here, if tangent cc built some, else in a build of our own. */
async function findPlace(
  folder: ProjectFolder,
  settings: ProjectConfig | null,
  isGiven: boolean,
  context: CommandContext,
  quiet: boolean,
): Promise<Place | null> {
  const chosen = (directory: string, all: readonly string[]): Place | null => {
    const programs = chosenPrograms(directory, settings?.programs ?? [], all, context);
    return programs === null ? null : { directory, programs };
  };
  const here = findPrograms(folder.root);
  if (here.length > 0 && (isGiven || settings?.build == null)) {
    const place = chosen(folder.root, here);
    return place === null ? null : { ...place, directory: isGiven ? process.cwd() : folder.root };
  }
  const built = await buildProject(folder, null, context, { quiet });
  return built === null ? null : chosen(built.directory, built.programs);
}
