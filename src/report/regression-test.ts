// Findings as regression tests for the project's own suite: scripts that fail today and pass when the bug is gone. A bug that
// native code survives is invisible without a detector, so such a test runs the program in the VM, and is skipped where
// tangent is not installed. For automake: exit status 77 skips, 99 is trouble of the test's own, and a fragment of a Makefile
// names them all.

import { relative } from "node:path";
import { surroundingsOf, withValues } from "../inputs/test-input.js";
import { isPowerfulVariable } from "../support/variable-names.js";
import { visible } from "../support/visible-text.js";
import type { ResultFinding } from "./campaign-result.js";
import type { FindingTest } from "./finding-test.js";
import {
  changedInputs,
  changeInWords,
  movesInWords,
  placeOf,
  type ShownPath,
  unchangedInput,
  whereOf,
} from "./finding-view.js";
import { quoted, shellAssignment } from "./shell-words.js";
import { ownPath } from "./source-path.js";
import { renderScript, type WitnessScript, witnessFiles } from "./witness-script.js";

export const EXPORT_KINDS = ["shell", "automake"] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

export function regressionName({ id }: ResultFinding): string {
  return `tangent-${id}`;
}

/** Of the environment only what changes how text is read and times are told. */
const KEPT_VARIABLES = /^(LANG|LC_\w+|TZ|POSIXLY_CORRECT)=/;

/** What `tangent run` needs to see findings of a kind. */
const RUN_OPTIONS: { readonly [kind: string]: string } = {
  "no-progress": " --fuel 500000000",
  uninitialised: " --uninitialised",
};

const LIBRARY_PATH = "LD_LIBRARY_PATH=";

/** How a program is run for a test that has to fail. */
export type RegressionRun =
  /** It crashes by itself. */
  | "natively"
  /** A build with AddressSanitizer does; any other runs in tangent's machine. Of an input that was found here. */
  | "sanitized"
  | "in the machine";

export interface RegressionOptions {
  readonly kind: ExportKind;
  readonly shown: ShownPath;
  readonly runs: RegressionRun;
}

/** AddressSanitizer's end is then one that a shell can tell from the program's own. */
const SANITIZER = "ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:allocator_may_return_null=1; export ASAN_OPTIONS";

export function regressionTest(
  finding: ResultFinding,
  { seed, test, witness }: Extract<FindingTest, { kind: "test" }>,
  root: string,
  { kind, shown, runs }: RegressionOptions,
): WitnessScript {
  const isNative = runs === "natively";
  const moves = movesInWords(finding);
  const comment = (text: string): string => `# ${visible(text)}`;
  const head = [
    "#!/bin/sh",
    comment(`${finding.title} at ${whereOf(finding, shown)}: ${finding.message}`),
    ...(moves === null ? [] : [comment(`made of a test: ${moves}`)]),
    comment(changeInWords(changedInputs(finding, shown)) ?? `the input is ${unchangedInput(finding, moves)}`),
    ...finding.stack
      .slice(0, 10)
      .map((frame, index) => comment(`  #${index} ${frame.function} ${placeOf(frame, shown)}`)),
    "#",
    `# Made by tangent from finding ${finding.id}. Passes when the bug is gone.`,
    ...programLines(seed.program, root, kind, isNative),
    "case $program in /*) ;; *) program=$PWD/$program ;; esac",
    '[ -x "$program" ] || { echo "$0: there is no $program; set PROGRAM" >&2; exit 99; }',
  ];
  const environment = seed.environment.filter((variable) => KEPT_VARIABLES.test(variable));
  for (const variable of environment) {
    const at = variable.indexOf("=");
    const name = variable.slice(0, at);
    head.push(`${shellAssignment(name, Buffer.from(variable.slice(at + 1), "latin1"))}; export ${name}`);
  }
  // Only for the program: mktemp and the shell have variables of their own.
  const given: string[] = [];
  for (const [index, { name, value }] of surroundingsOf(withValues(test, witness)).environment.entries()) {
    if (isPowerfulVariable(name)) continue;
    head.push(shellAssignment(`value${index}`, value));
    given.push(`${name}="$value${index}"`);
  }
  const env = given.length === 0 ? "" : `env ${given.join(" ")} `;
  const argv0 = quoted(test.program);
  // Only for the program, and only of a test that was recorded on this machine, as native ones are.
  const libraries = seed.environment.find((variable) => variable.startsWith(LIBRARY_PATH))?.slice(LIBRARY_PATH.length);
  if (isNative && libraries !== undefined) head.push(shellAssignment("libraries", Buffer.from(libraries, "latin1")));
  const natively = `${libraries === undefined || !isNative ? "" : `${LIBRARY_PATH}$libraries `}${env}"$program" "$@"`;
  const inMachine = `${env}"$tangent" run --argv0 ${argv0}${RUN_OPTIONS[finding.kind] ?? ""} -- "$program" "$@"`;
  if (runs !== "in the machine") head.push(SANITIZER);
  if (isNative) head.push("machine=", `start() { ${natively}; }`);
  else {
    const missing = `needs ${runs === "sanitized" ? "a build with -fsanitize=address, or " : ""}tangent to see this bug (set TANGENT)`;
    head.push("machine=yes", `tangent=\${TANGENT-tangent}`);
    if (runs === "sanitized") head.push('if grep __asan_init "$program" >/dev/null 2>&1; then machine=; fi');
    head.push(
      `[ -z "$machine" ] || command -v "$tangent" >/dev/null 2>&1 || { echo "$0: skipped: ${missing}"; exit 77; }`,
      runs === "sanitized"
        ? `start() { if [ "$machine" ]; then ${inMachine}; else ${natively}; fi; }`
        : `start() { ${inMachine}; }`,
    );
  }
  return renderScript(witnessFiles(test, witness), test.workingDirectory, {
    head,
    start: "start",
    // 99: a detector of the machine; 128 and more: a signal. 3 and 127: it was not started.
    tail: [
      'if [ "$machine" ]; then trouble=3 fails=99; else trouble=127 fails=128; fi',
      'if [ "$status" -eq "$trouble" ]; then echo "$0: could not run"; exit 99; fi',
      `if [ "$status" -ge 128 ] || [ "$status" -eq "$fails" ]; then echo "$0: FAILED: ${finding.kind}"; exit 1; fi`,
      "exit 0",
    ],
    dataFolder: `${regressionName(finding)}.data`,
  });
}

/** Which program is tested if nobody says: the project's own, or the one that was recorded, whose code the machine can read. */
function programLines(program: string, root: string, kind: ExportKind, isNative: boolean): string[] {
  const below = relative(root, program);
  const isInside = below !== "" && !below.startsWith("..");
  const base = kind === "automake" ? `\${top_builddir-${quoted(root)}}` : quoted(root);
  const own = ownPath(below);
  const places = isInside ? [own, below].map((path) => `${base}/${quoted(path)}`) : [quoted(program)];
  const [first, second = first] = isNative ? places : places.reverse();
  if (first === second) return [`program=\${PROGRAM-${first}}`];
  return [`program=\${PROGRAM-${first}}`, `[ "\${PROGRAM+set}" ] || [ -x "$program" ] || program=${second}`];
}

/** To be included by a Makefile.am: `include tangent-tests/tangent.mk`. */
export function automakeFragment(place: string, names: readonly string[], data: readonly string[]): string {
  const folder = visible(place);
  const list = (paths: readonly string[]): string => paths.map((path) => ` \\\n  ${path}`).join("");
  const scripts = names.map((name) => `${folder}/${name}.sh`);
  return [
    "# Regression tests made by tangent. In Makefile.am, after TESTS and EXTRA_DIST are set:",
    `#   include ${folder}/tangent.mk`,
    `TESTS +=${list(scripts)}`,
    `EXTRA_DIST +=${list([...scripts, ...data.map((path) => `${folder}/${path}`)])}`,
    "",
  ].join("\n");
}
