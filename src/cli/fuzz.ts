// `tangent fuzz`: the project's fuzz targets as programs, and their corpora as tests.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { extractBitcode } from "../frontend/capture.js";
import { compilerEnvironment } from "../project/compilers.js";
import { readConfig } from "../project/config.js";
import { type Built as AroundIt, FUZZ_DRIVER, linkWords, lookAround, whatIsMissing } from "../project/fuzz-build.js";
import { type FuzzTarget, findCorpus, findFuzzTargets, inputsIn } from "../project/fuzz-targets.js";
import { findProject, type ProjectFolder } from "../project/project-folder.js";
import { lockProject } from "../project/project-lock.js";
import { restorePrograms } from "../project/restore-programs.js";
import { SeedStore } from "../project/seed-store.js";
import { findPrograms } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import { counted } from "../report/finding-view.js";
import { runChild } from "../support/child-process.js";
import { visible } from "../support/visible-text.js";
import { AMPLIFY_OPTIONS, amplify, withLimits, wrongAmplifyChoice } from "./amplify.js";
import { buildProject } from "./build.js";
import { statusOfResult } from "./campaign-end.js";
import { type CommandContext, defineCommand, USAGE_STATUS } from "./command.js";
import { recordTests, signalStatus } from "./record.js";
import { withPage } from "./ui-page.js";

const TANGENT = fileURLToPath(new URL("../../../bin/tangent", import.meta.url));
const MOST_INPUTS = 200;
/** For all inputs of one target, natively. */
const NATIVE_MS = 60_000;
/** What one file needs may need more. */
const MOST_ROUNDS = 3;
/** Without a corpus: something to begin with. Moves make it longer and shorter. */
const FIRST_INPUTS = ["", "0", "{}\n", " ".repeat(64)];

export const command = defineCommand({
  name: "fuzz",
  summary: "Look for bugs next to the inputs of the project's fuzz targets (LLVMFuzzerTestOneInput)",
  description: `Builds the project as \`tangent build\` does, if nothing here was built with \`tangent cc\`; makes a program of each C file that defines
LLVMFuzzerTestOneInput, or of those named; runs it on the files of its corpus, the smallest first; and looks for bugs next to them, as
\`tangent amplify\` does. clang's libFuzzer is not needed.

A corpus is looked for under the usual names: NAME_corpus, corpus/NAME, a folder \`corpus\` or \`seeds\` beside the source.

    tangent fuzz
    tangent fuzz fuzz/parse.c --corpus tests/data --time 10m

The exit status is as of \`tangent test\`: 0 if nothing was found, 1 if something was, 3 for trouble with the build.`,
  options: {
    ...AMPLIFY_OPTIONS,
    corpus: { kind: "value", value: "DIR", help: "the folder with inputs (default: looked for beside each target)" },
    inputs: {
      kind: "number",
      integer: true,
      least: 1,
      value: "N",
      help: `so many files of a corpus, the smallest first (default ${MOST_INPUTS})`,
    },
    cflags: { kind: "value", value: "FLAGS", help: 'for compiling and linking the targets: "-DFUZZING -Isrc -lm"' },
  },
  operands: {
    sources: { kind: "any", value: "SOURCE", help: "C files with fuzz targets (default: all of the project)" },
  },
  async run(options, { sources }, context) {
    const corpus = options.corpus === undefined ? null : resolve(options.corpus);
    const absent = [...sources, ...(corpus === null ? [] : [corpus])].find((path) => !existsSync(path));
    const wrong = wrongAmplifyChoice(options) ?? (absent === undefined ? null : `${absent} does not exist`);
    if (wrong !== null) {
      context.error(`tangent fuzz: ${wrong}\n`);
      return USAGE_STATUS;
    }
    const folder = findProject(process.cwd());
    const config = readConfig(folder.root);
    if (config.kind === "wrong") {
      context.error(`tangent: ${config.problem}\n`);
      return USAGE_STATUS;
    }
    const state = new ProjectState(folder.root, context.env);
    const lock = lockProject(folder, state, "fuzz");
    if (lock.kind === "busy") {
      context.error(`tangent: ${lock.message}\n`);
      return 3;
    }
    for (const problem of restorePrograms(state).problems) context.error(`tangent: note: ${problem}\n`);
    return withPage(options.ui, folder, context, async () => {
      const targets = chosenTargets(folder, sources, context);
      if (targets.length === 0) return 3;
      const around = await builtAround(folder, context);
      if (around === null) return 3;
      const flags = (options.cflags ?? "").split(/\s+/).filter((word) => word !== "");
      const seedIds = new Set<string>();
      for (const target of targets) {
        const program = makeProgram(target, around, flags, folder, state, context);
        if (program === null) continue;
        const from = corpus ?? findCorpus(folder.root, target) ?? firstInputs(target, folder);
        const inputs = inputsIn(from, options.inputs ?? MOST_INPUTS);
        context.error(`tangent: ${target.name}: ${counted(inputs.length, "input")} from ${visible(from)}\n`);
        const script = 'program=$1; shift; for input; do "$program" "$input"; done >/dev/null 2>&1; true';
        const words = ["sh", "-c", script, "sh", program, ...inputs];
        const recorded = await recordTests(folder.root, [program], words, context, { timeMs: NATIVE_MS });
        if (recorded === null) continue;
        if (recorded.interruptedBy !== null) return signalStatus(recorded.interruptedBy);
        for (const id of recorded.seedIds) seedIds.add(id);
      }
      const seeds = new SeedStore(folder).list().filter(({ id }) => seedIds.has(id));
      if (seeds.length === 0) {
        context.error("tangent: no fuzz target could be run, so nothing was looked at\n");
        return 3;
      }
      const settings = config.kind === "config" ? config.config : null;
      const ended = await amplify(folder, seeds, withLimits(options, settings), context);
      return ended === null ? 3 : statusOfResult(ended);
    });
  },
});

function chosenTargets(
  folder: ProjectFolder,
  sources: readonly string[],
  context: CommandContext,
): readonly FuzzTarget[] {
  const { targets, inCxx } = findFuzzTargets(folder.root);
  const wanted = new Set(sources.map((path) => resolve(path)));
  const chosen = targets.filter(({ source }) => wanted.size === 0 || wanted.has(source));
  for (const path of wanted) {
    if (targets.some(({ source }) => source === path)) continue;
    context.error(`tangent: ${visible(path)} defines no LLVMFuzzerTestOneInput in C\n`);
  }
  if (inCxx.length > 0 && wanted.size === 0) {
    const what = inCxx.length === 1 ? "1 fuzz target is in C++" : `${inCxx.length} fuzz targets are in C++`;
    context.error(`tangent: note: ${what}, which is not analysed: ${visible(relative(folder.root, inCxx[0]))}\n`);
  }
  if (chosen.length === 0) {
    context.error(`tangent: no C file below ${folder.root} defines LLVMFuzzerTestOneInput; see \`tangent test\`\n`);
  }
  return chosen;
}

/** What the project's build has made: here, if tangent cc built something here, else in our copy. */
async function builtAround(folder: ProjectFolder, context: CommandContext): Promise<AroundIt | null> {
  const here = lookAround(folder.root, findPrograms(folder.root));
  // What the user's own compiler has built there has no IR.
  const isOurs = (path: string): boolean => extractBitcode(path).kind === "captured";
  if ([...here.archives, ...here.objects, ...here.shared].some(isOurs)) return here;
  const built = await buildProject(folder, null, context, { libraryWillDo: true });
  return built === null ? null : lookAround(built.directory, built.programs);
}

/** Null if it cannot be built; the reason has been told. */
function makeProgram(
  target: FuzzTarget,
  around: AroundIt,
  flags: readonly string[],
  folder: ProjectFolder,
  state: ProjectState,
  context: CommandContext,
): string | null {
  const output = folder.file("fuzz", target.name);
  // The copy has what the build made of the source, such as its configuration.
  const inCopy = join(around.root, relative(folder.root, target.source));
  const placed = { ...target, source: existsSync(inCopy) ? inCopy : target.source };
  const env = compilerEnvironment({ sources: around.root, shownAs: folder.root }, context.env, state);
  const map = [`-ffile-prefix-map=${dirname(FUZZ_DRIVER)}=tangent/fuzz`];
  if (around.root !== folder.root) map.push(`-ffile-prefix-map=${around.root}=${folder.root}`);
  let more: readonly string[] = [];
  for (let round = 0; ; round++) {
    const words = linkWords(placed, around, output, flags, more);
    const options = { cwd: around.root, env, encoding: "utf8" } as const;
    const { status, stderr } = runChild("sh", [TANGENT, "cc", ...map, ...words], options);
    if (status === 0) return output;
    const missing = round < MOST_ROUNDS ? whatIsMissing(placed, around, stderr, more) : [];
    more = [...more, ...missing];
    if (missing.length > 0) continue;
    context.error(`tangent: the fuzz target ${visible(target.name)} cannot be built:\n`);
    for (const line of stderr.trim().split("\n").slice(0, 12)) context.error(`tangent:   ${visible(line)}\n`);
    context.error('tangent: to do: say what it needs with --cflags "-I… -D… -l…"\n');
    return null;
  }
}

function firstInputs(target: FuzzTarget, folder: ProjectFolder): string {
  const from = folder.directory("fuzz", `${target.name}.inputs`);
  mkdirSync(from, { recursive: true });
  for (const [n, text] of FIRST_INPUTS.entries()) {
    writeFileSync(folder.file("fuzz", `${target.name}.inputs`, `${n}`), text);
  }
  return from;
}
