// Findings as regression tests for the project's own suite: scripts that fail today and pass when the bug is gone. A bug that
// native code survives is invisible without a detector, so such a test runs the program in the VM, and is skipped where
// tangent is not installed. For automake: exit status 77 skips, 99 is trouble of the test's own, and a fragment of a Makefile
// names them all.

import { relative } from "node:path";
import { surroundingsOf, withValues } from "../inputs/test-input.js";
import { isPowerfulVariable } from "../support/variable-names.js";
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

export function regressionTest(
  finding: ResultFinding,
  { seed, test, witness }: Extract<FindingTest, { kind: "test" }>,
  root: string,
  kind: ExportKind,
  shown: ShownPath,
): WitnessScript {
  const isNative = finding.confirmed === "native" && finding.kind !== "no-progress";
  const below = relative(root, seed.program);
  const isInside = below !== "" && !below.startsWith("..");
  const base = kind === "automake" ? `\${top_builddir-${quoted(root)}}` : quoted(root);
  const program = isInside ? `${base}/${quoted(below)}` : quoted(seed.program);
  const moves = movesInWords(finding);
  const comment = (text: string): string => `# ${text.replace(/\p{Cc}/gu, " ")}`;
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
    `program=\${PROGRAM-${program}}`,
    "case $program in /*) ;; *) program=$PWD/$program ;; esac",
    '[ -x "$program" ] || { echo "$0: there is no $program; set PROGRAM" >&2; exit 99; }',
  ];
  const environment = seed.environment.filter((variable) => KEPT_VARIABLES.test(variable));
  for (const variable of environment) {
    const at = variable.indexOf("=");
    const name = variable.slice(0, at);
    head.push(`${shellAssignment(name, Buffer.from(variable.slice(at + 1), "latin1"))}; export ${name}`);
  }
  if (!isNative) {
    head.push(
      `tangent=\${TANGENT-tangent}`,
      'command -v "$tangent" >/dev/null 2>&1 || { echo "$0: skipped: needs tangent to see this bug (set TANGENT)"; exit 77; }',
    );
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
  return renderScript(witnessFiles(test, witness), test.workingDirectory, {
    head,
    start: isNative
      ? `${libraries === undefined ? "" : `${LIBRARY_PATH}$libraries `}${env}"$program"`
      : `${env}"$tangent" run --argv0 ${argv0}${RUN_OPTIONS[finding.kind] ?? ""} -- "$program"`,
    // 99: a detector of the VM; 128 and more: a signal.
    tail: [
      `if [ "$status" -eq ${isNative ? "127" : "3"} ]; then echo "$0: could not run"; exit 99; fi`,
      `if [ "$status" -ge 128 ]${isNative ? "" : ' || [ "$status" -eq 99 ]'}; then echo "$0: FAILED: ${finding.kind}"; exit 1; fi`,
      "exit 0",
    ],
    dataFolder: `${regressionName(finding)}.data`,
  });
}

/** To be included by a Makefile.am: `include tangent-tests/tangent.mk`. */
export function automakeFragment(folder: string, names: readonly string[], data: readonly string[]): string {
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
