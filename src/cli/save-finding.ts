// `tangent show ID --save DIR`: a finding as a folder that reproduces it outside of Tangent. It is tried before it is offered: with
// the system's compiler and AddressSanitizer if the project can be built so, then with the program that was recorded. What runs
// natively is what `--confirm=asan` would run; of an input that was not found here nothing does, and the folder says so.

import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { CRASHES, hasLibraries, programOf, unseenBecause } from "../jobs/confirm.js";
import { runScript, type ScriptEnd } from "../jobs/run-script.js";
import { isReportOf, reportInWords, sanitizerReports } from "../jobs/sanitizer-report.js";
import { isInputOurs, isSeedOurs } from "../project/made-here.js";
import { outputFolder } from "../project/output-path.js";
import { type ProjectFolder, writeSafely } from "../project/project-folder.js";
import { sourcesBelow } from "../project/sources.js";
import { sameProgram } from "../project/stand-ins.js";
import { ProjectState } from "../project/state-folder.js";
import type { ResultFinding } from "../report/campaign-result.js";
import { changedTests, literalChanges } from "../report/changed-source.js";
import { type FindingTest, testOfFinding } from "../report/finding-test.js";
import { pathsBelow } from "../report/finding-view.js";
import { SAVED_OUTPUT, SAVED_README, SAVED_SCRIPT, savedReadme, savedScript } from "../report/saved-finding.js";
import { visible } from "../support/visible-text.js";
import { signalName } from "../vm/signals.js";
import { buildWithAsan } from "./asan-build.js";
import type { CommandContext } from "./command.js";

interface Tried {
  readonly isNative: boolean;
  /** What the script runs if nobody says; null: nothing can. */
  readonly program: string | null;
  readonly build: string | null;
  /** Sentences. */
  readonly words: string;
  readonly output: string;
}

/** The exit status. */
export function saveFinding(
  folder: ProjectFolder,
  finding: ResultFinding,
  target: string,
  context: CommandContext,
): number {
  const directory = outputFolder(target, folder.root);
  const shown = pathsBelow(folder.root);
  const told = relative(process.cwd(), directory).startsWith("..")
    ? directory
    : relative(process.cwd(), directory) || ".";
  const trouble = (message: string): number => {
    context.error(`tangent show: ${visible(message)}\n`);
    return 3;
  };
  const test = testOfFinding(folder, finding);
  if (test.kind === "gone") return trouble(test.message);
  try {
    mkdirSync(directory, { recursive: true });
    if (literalChanges(finding).length > 0) {
      for (const { name, text } of changedTests(finding, sourcesBelow([folder.root]), shown)) {
        writeSafely(join(directory, name), text);
      }
      context.out(
        `${visible(`${finding.id}: saved to ${told}: the changed test; its first lines say how to compile it. Nothing was run`)}\n`,
      );
      return 0;
    }
    const tried = tryIt(folder, finding, test, context);
    if (tried.program === null) return trouble(tried.words);
    const run = { program: tried.program, inMachine: !tried.isNative };
    const { text, data } = savedScript(finding, test, run, shown);
    // What lies there may have come with the repository: nothing is written through a link.
    rmSync(join(directory, "input"), { recursive: true, force: true });
    if (data.length > 0) mkdirSync(join(directory, "input"));
    for (const { name, bytes } of data) writeSafely(join(directory, "input", name), bytes);
    writeSafely(join(directory, SAVED_SCRIPT), text, 0o777);
    const replay = `tangent replay ${finding.id}`;
    const words = { tried: tried.words, isNative: tried.isNative, build: tried.build, replay };
    writeSafely(join(directory, SAVED_README), savedReadme(finding, shown, words));
    if (tried.isNative) writeSafely(join(directory, SAVED_OUTPUT), tried.output);
    else rmSync(join(directory, SAVED_OUTPUT), { force: true });
    context.out(
      `${visible(`${finding.id}: saved to ${told}; sh ${join(told, SAVED_SCRIPT)} runs it. ${tried.words}`)}\n`,
    );
    return 0;
  } catch (error) {
    return trouble(`the reproducer could not be written to ${directory}: ${(error as Error).message}`);
  }
}

function tryIt(
  folder: ProjectFolder,
  finding: ResultFinding,
  test: Extract<FindingTest, { kind: "test" }>,
  context: CommandContext,
): Tried {
  const { seed } = test;
  const state = new ProjectState(folder.root, context.env);
  const machine = sameProgram(state, seed);
  const not = (words: string): Tried => ({ isNative: false, program: machine, build: null, output: "", words });
  if (machine === null) return not(`${seed.program} is no longer what it was; build and record it again`);
  if (!isSeedOurs(state, seed) || !isInputOurs(state, finding)) {
    return not("It was not run natively: its test was not recorded, or its input not found, on this machine.");
  }
  const run = (program: string): ScriptEnd => {
    const { text, data } = savedScript(finding, test, { program, inMachine: false }, pathsBelow(folder.root));
    const beside = data.map(({ name, bytes }) => ({ name: join("input", name), bytes }));
    const libraries = hasLibraries(dirname(program)) ? { LD_LIBRARY_PATH: dirname(program) } : {};
    return runScript({ text, beside }, { directory: folder.root, settings: libraries }, context.env);
  };
  const why: string[] = [];
  const build = buildWithAsan(folder, state, [seed.program], context);
  const sanitized = build.programOf(seed.program);
  if (sanitized.kind === "none") why.push(`no build with AddressSanitizer: ${sanitized.why}`);
  else {
    const end = run(sanitized.path);
    const seen = end.kind !== "ended" ? null : failureIn(end, finding, folder.root);
    if (seen !== null && end.kind === "ended") {
      return {
        isNative: true,
        program: sanitized.path,
        build: sanitized.command,
        output: end.output,
        words: `It fails natively: ${seen}.`,
      };
    }
    why.push(end.kind === "ended" ? `AddressSanitizer does not see it (${unseenBecause(finding)})` : inWords(end));
  }
  const program = programOf(state, seed);
  if (program !== null) {
    const end = run(program);
    const signal = end.kind === "ended" ? signalOf(end.status) : null;
    if (signal !== null && end.kind === "ended") {
      return {
        isNative: true,
        program,
        build: null,
        output: end.output,
        words: `It fails natively: the program dies of ${signal}.`,
      };
    }
    why.push(end.kind === "ended" ? `the program itself survives it (status ${end.status})` : inWords(end));
  }
  return not(`It does NOT fail natively here: ${why.join("; ")}. The script runs it in tangent's machine.`);
}

function inWords(end: Exclude<ScriptEnd, { readonly kind: "ended" }>): string {
  return end.kind === "limit" ? `the program ${end.words}` : `it could not be run (${end.why})`;
}

/** What a sanitizer or a signal says of this finding; null if nothing. */
function failureIn(
  { output, status }: Extract<ScriptEnd, { readonly kind: "ended" }>,
  finding: ResultFinding,
  root: string,
): string | null {
  const own = sanitizerReports(output, root).filter((one) => isReportOf(one, finding.stack));
  if (own.length > 0) return reportInWords(own[own.length - 1]);
  const signal = signalOf(status);
  return signal === null ? null : `the program dies of ${signal}`;
}

/** As a shell tells it; null if no bug ends a program so. */
function signalOf(status: number): string | null {
  const name = status > 128 ? signalName(status - 128) : "";
  return CRASHES.includes(name) ? name : null;
}
