// A finding as a folder that shows it to somebody else: the files of its input, a script that lays them out and runs the program, and
// a page that says what is expected and how to build the program so that it is seen. What the folder claims was tried before
// (cli/save-finding.ts), and if it did not fail natively, that is what it says.

import { surroundingsOf, withValues } from "../inputs/test-input.js";
import { isPowerfulVariable } from "../support/variable-names.js";
import { visible, visibleLines } from "../support/visible-text.js";
import type { ResultFinding } from "./campaign-result.js";
import type { FindingTest } from "./finding-test.js";
import {
  changedInputs,
  changeInWords,
  commandSegments,
  commandsOf,
  placeOf,
  plainText,
  readsStdin,
  type ShownPath,
  whereOf,
} from "./finding-view.js";
import { quoted, shellAssignment } from "./shell-words.js";
import { renderScript, type WitnessScript, witnessFiles } from "./witness-script.js";

/** How its program is run by the script if nobody says. */
export interface SavedRun {
  /** Absolute. */
  readonly program: string;
  /** In tangent's machine; by itself otherwise. */
  readonly inMachine: boolean;
}

/** The folder's script and where its files lie. */
export const SAVED_SCRIPT = "run.sh";
const SAVED_INPUT = "input";
export const SAVED_README = "README.md";
export const SAVED_OUTPUT = "expected-output.txt";

/** AddressSanitizer stops at the first error; what is not freed is no error here. */
const SAVED_SANITIZER = "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1";
const KEPT_VARIABLES = /^(LANG|LC_\w+|TZ|POSIXLY_CORRECT|LD_LIBRARY_PATH)=/;

export function savedScript(
  finding: ResultFinding,
  { seed, test, witness }: Extract<FindingTest, { kind: "test" }>,
  { program, inMachine }: SavedRun,
  shown: ShownPath,
): WitnessScript {
  const comment = (text: string): string => `# ${visible(text).replace(/\p{Cc}/gu, " ")}`;
  const kept = seed.environment.filter((variable) => KEPT_VARIABLES.test(variable));
  const head = [
    "#!/bin/sh",
    comment(`${finding.title} at ${whereOf(finding, shown)}: ${finding.message}`),
    "#   sh run.sh                 the program that this was tried with",
    "#   PROGRAM=path sh run.sh    another build of it",
    `machine=${inMachine ? `\${PROGRAM+no}` : "no"}`,
    `program=\${PROGRAM-${quoted(program)}}`,
    "case $program in /*) ;; *) program=$PWD/$program ;; esac",
    '[ -x "$program" ] || { echo "$0: there is no $program; set PROGRAM" >&2; exit 99; }',
    `: "\${ASAN_OPTIONS=${SAVED_SANITIZER}}"; export ASAN_OPTIONS`,
  ];
  // Only for the program: mktemp and the shell have variables of their own.
  const given = kept.map((variable, index) => {
    const end = variable.indexOf("=");
    head.push(shellAssignment(`kept${index}`, Buffer.from(variable.slice(end + 1), "latin1")));
    return `${variable.slice(0, end)}="$kept${index}"`;
  });
  for (const [index, { name, value }] of surroundingsOf(withValues(test, witness)).environment.entries()) {
    if (isPowerfulVariable(name)) continue;
    head.push(shellAssignment(`value${index}`, value));
    given.push(`${name}="$value${index}"`);
  }
  const env = given.length === 0 ? "" : `env ${given.join(" ")} `;
  const machine = `${env}"\${TANGENT-tangent}" run --argv0 ${quoted(test.program)} -- "$program" "$@"`;
  head.push(
    inMachine
      ? `start() { if [ "$machine" = no ]; then ${env}"$program" "$@"; else ${machine}; fi; }`
      : `start() { ${env}"$program" "$@"; }`,
  );
  return renderScript(witnessFiles(test, witness), test.workingDirectory, {
    head,
    start: "start",
    tail: ['echo "exit status $status" >&2', 'exit "$status"'],
    dataFolder: SAVED_INPUT,
    inlineBytes: 0,
  });
}

export interface SavedWords {
  /** What came of trying it, as a sentence. */
  readonly tried: string;
  /** The program failed natively. */
  readonly isNative: boolean;
  /** How the build that failed was made; null if nothing is known. */
  readonly build: string | null;
  /** How to have the machine show it. */
  readonly replay: string;
}

export function savedReadme(finding: ResultFinding, shown: ShownPath, words: SavedWords): string {
  const { witness } = commandsOf(finding);
  const changed = changeInWords(changedInputs(finding, shown));
  const command = `${plainText(commandSegments(witness, witness))}${readsStdin(finding) ? " < stdin" : ""}`;
  const stack = finding.stack.slice(0, 20).map((frame, at) => `    #${at} ${frame.function} ${placeOf(frame, shown)}`);
  return visibleLines([
    `# ${finding.title} at ${whereOf(finding, shown)}`,
    "",
    `${finding.message} (${finding.kind}, CWE-${finding.cwe})`,
    "",
    ...stack,
    "",
    "## To see it",
    "",
    `    sh ${SAVED_SCRIPT}`,
    "    PROGRAM=path sh run.sh",
    "",
    `The script makes the files of \`${SAVED_INPUT}\` below a fresh directory and runs there, in the project's names:`,
    "",
    `    ${command}`,
    "",
    ...(words.build === null ? [] : ["The program that it was tried with was built so:", "", `    ${words.build}`, ""]),
    "## What is expected",
    "",
    words.tried,
    ...(words.isNative ? ["", `\`${SAVED_OUTPUT}\` has what it printed.`] : []),
    "",
    `In tangent's machine it fails each time: \`${words.replay}\`.`,
    ...(changed === null ? [] : ["", `Compared with a test of the project, ${changed} changed.`]),
  ]);
}
