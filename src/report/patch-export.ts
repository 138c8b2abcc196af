// An input that reaches a changed line as a test that a maintainer would commit: a shell script without anything of
// ours that lays out the files in a fresh directory, runs the program and compares its status and output with what the
// same script gave when it was made (jobs/exported-tests.ts runs it). The expectation is what the program does, not what
// it should do, and the script says so.

import { posix, relative } from "node:path";
import type { FoundInput } from "../project/made-here.js";
import { DIRECTORY_NAME, type ExpectedRun, LEFT_OUT, PROGRAM_NAME, STREAMS } from "./expected-run.js";
import { counted } from "./finding-view.js";
import { shownCommand } from "./patch-input-text.js";
import { type InputLayout, layoutOf } from "./patch-layout.js";
import type { PatchCampaignResult, PatchInput, PatchTarget } from "./patch-result.js";
import { bytesOf, ShellScript } from "./shell-script.js";
import { shellAssignment } from "./shell-words.js";
import { ownPath } from "./source-path.js";

export const PATCH_EXPORT_STYLES = ["shell", "automake", "tap"] as const;
export type PatchExportStyle = (typeof PATCH_EXPORT_STYLES)[number];

/** What a script does when the program has ended. */
export type PatchCheck =
  /** Writes status and output, with names that are the same everywhere, into the folder that OBSERVED names. */
  | { readonly kind: "observe" }
  /** Fails if they are others. */
  | { readonly kind: "expect"; readonly run: ExpectedRun }
  /** Nothing: what the program prints and how it ends is what the script prints and how it ends. */
  | { readonly kind: "run" };

export interface PatchTestOptions {
  readonly style: PatchExportStyle;
  /** Only of an input that was made here, from a test that was recorded here; else it runs in tangent's machine. */
  readonly native: boolean;
  readonly check: PatchCheck;
}

/** The inputs that reach something, each with the name of its test. */
export function patchTests(
  result: PatchCampaignResult,
): readonly { readonly name: string; readonly input: PatchInput; readonly targets: readonly PatchTarget[] }[] {
  const names = new Set<string>();
  return result.inputs.flatMap((input, index) => {
    const targets = result.targets.filter(({ state }) => state.kind === "reached" && state.input === index);
    return targets.length === 0 ? [] : [{ name: freeName(patchTestName(targets[0]), names), input, targets }];
  });
}

/** `tangent-src-diff-c-410`: what it reaches, as a name that every file system and shell takes. */
export function patchTestName({ file, line }: Pick<PatchTarget, "file" | "line">): string {
  const plain = file.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return `tangent-${plain.slice(-80).replace(/^-+/, "")}-${line}`;
}

/** What decides what an input is, to be noted when it is found (project/made-here.ts). */
export function foundInputOf({
  seedId,
  program,
  command,
  environment,
  workingDirectory,
  stdin,
  stdinKind,
  tree,
}: PatchInput): FoundInput {
  const input = stdinKind === undefined ? stdin : [stdinKind, stdin];
  const witness = JSON.stringify([program, command, environment, workingDirectory, input, tree]);
  return { seedId, inputs: [{ name: "invocation", witness }] };
}

function freeName(wanted: string, names: Set<string>): string {
  let name = wanted;
  for (let number = 2; names.has(name); number++) name = `${wanted}-${number}`;
  names.add(name);
  return `${name}.sh`;
}

/** Names that decide what a shell or a loader does, or that say where somebody is at home. */
const NOT_SET =
  /^(PATH|IFS|ENV|BASH_ENV|BASH_FUNC.*|SHELLOPTS|BASHOPTS|PS4|CDPATH|LD_.*|GCONV_PATH|NLSPATH|LOCPATH|MALLOC_.*|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|SHLVL|_|PROGRAM|OBSERVED|TMPDIR|TERM|TANGENT|tangent|status|dir|program|fail|word\d*|name\d*)$/;

export function renderPatchTest(
  input: PatchInput,
  targets: readonly PatchTarget[],
  result: Pick<PatchCampaignResult, "tool" | "project">,
  { style, native, check }: PatchTestOptions,
): string {
  const layout = layoutOf(input);
  const script = new ShellScript();
  script.add("#!/bin/sh");
  for (const { file, line, function: name } of targets.slice(0, 10)) {
    script.comment(`Runs ${file}:${line}${name === "" ? "" : `, in ${name}`}.`);
  }
  if (targets.length > 10) script.comment(`And ${counted(targets.length - 10, "more changed place")}.`);
  script.comment("");
  script.comment(`Made by ${result.tool} from this test of the project, by the steps below it:`);
  script.comment(`  ${shownCommand(input.seedCommand, result.project)}`);
  for (const step of input.steps) script.comment(`  - ${step}`);
  for (const what of layout.leftOut) script.comment(`  (left out: ${what})`);
  if (check.kind === "expect") {
    script.comment("");
    script.comment(
      "PLEASE REVIEW what is expected below: it is what the program did when this was made. Nobody has said",
    );
    script.comment("that it is right.");
  }
  startLines(script, input, result.project, style);
  if (!native) machineLines(script, style);
  script.add("");
  // Names and modes of files are the same for whoever runs it.
  script.add(
    "umask 022",
    'dir=$(mktemp -d) && dir=$(cd "$dir" && pwd -P) || exit 99',
    'trap \'chmod -R u+rwx "$dir"; rm -rf "$dir"\' EXIT',
  );
  const cwd = layout.workingDirectory;
  script.add(`mkdir -p ${script.path(`in/${cwd}`)} && cd ${script.path(`in/${cwd}`)} || exit 99`);
  layTree(script, layout);
  environmentLines(script, input);
  const words = input.command.slice(1).map((word) => wordOf(script, word, layout.base, ""));
  const argv0 = native ? "" : script.word(bytesOf(input.command[0] ?? "program"), "./");
  if (input.stdin !== null) script.write(Buffer.from(input.stdin, "base64"), '"$dir"/stdin');
  script.add("");
  const start = native ? ['"$program"'] : ['"$tangent" run --argv0', argv0, '"$program"'];
  const isPiped = input.stdinKind === "pipe" && input.stdin !== null;
  const file = input.stdin === null ? "/dev/null" : '"$dir"/stdin';
  const from = input.stdinKind === "closed" ? " <&-" : isPiped ? "" : ` <${file}`;
  const command = `${isPiped ? 'cat "$dir"/stdin | ' : ""}${[...start, ...words].join(" ")}${from}`;
  if (check.kind === "run") {
    script.add(command);
    return script.text();
  }
  script.add(`${command} >"$dir"/stdout 2>"$dir"/stderr`, "status=$?", "");
  if (check.kind === "observe") observeLines(script);
  else checkLines(script, check.run, style);
  return script.text();
}

function startLines(
  script: ShellScript,
  { program, command }: PatchInput,
  project: string,
  style: PatchExportStyle,
): void {
  const below = ownPath(relative(project, program));
  const isInside = below !== "" && !below.startsWith("..") && program.startsWith("/");
  const path = `./${isInside ? below : posix.basename(program || (command[0] ?? "program"))}`;
  // A default inside of ${...} is read by the shell: what is not plain gets a line of its own.
  const shown = style === "automake" && isInside ? `\${top_builddir-.}/${below}` : path;
  if (/^[A-Za-z0-9_./+-]+$/.test(path)) script.add(`program=\${PROGRAM:-${shown}}`);
  else script.add(shellAssignment("program", bytesOf(path)), `program=\${PROGRAM:-$program}`);
  script.add("case $program in /*) ;; *) program=$PWD/$program ;; esac");
  const missing = {
    shell: '{ echo "$0: there is no $program; set PROGRAM" >&2; exit 99; }',
    automake: '{ echo "$0: skipped: there is no $program; set PROGRAM"; exit 77; }',
    tap: '{ echo "1..0 # SKIP there is no $program; set PROGRAM"; exit 0; }',
  }[style];
  script.add(`[ -x "$program" ] || ${missing}`);
}

/** A test that came with the repository may be made to do harm: its program runs where it can do none. */
function machineLines(script: ShellScript, style: PatchExportStyle): void {
  script.comment(
    "The test it was made of was not recorded by whoever exported this, so the program runs in tangent's machine.",
  );
  const why = "needs tangent (set TANGENT)";
  const skip = style === "tap" ? `echo "1..0 # SKIP ${why}"; exit 0` : `echo "$0: skipped: ${why}"; exit 77`;
  script.add(`tangent=\${TANGENT-tangent}`, `command -v "$tangent" >/dev/null 2>&1 || { ${skip}; }`);
}

function layTree(script: ShellScript, { entries, workingDirectory: cwd, base }: InputLayout): void {
  const place = (path: string): string => script.path(path, cwd);
  const modes: string[] = [];
  const made = new Set<string>(["", cwd]);
  const directory = (path: string): void => {
    if (made.has(path) || path === "." || cwd.startsWith(`${path}/`)) return;
    made.add(path);
    script.add(`mkdir -p ${place(path)} || exit 99`);
  };
  for (const { kind, path, bytes = "", size = 0, mode, modified, to = "" } of entries) {
    if (kind !== "directory") directory(posix.dirname(path));
    switch (kind) {
      case "file":
        script.write(Buffer.from(bytes, "base64"), place(path));
        if (mode !== undefined && (mode & 0o777) !== 0o644)
          script.add(`chmod ${octal(mode)} ${place(path)} || exit 99`);
        break;
      case "directory":
        directory(path);
        // When everything is in it.
        if (mode !== undefined && (mode & 0o777) !== 0o755)
          modes.push(`chmod ${octal(mode)} ${place(path)} || exit 99`);
        break;
      case "link":
        script.add(`ln -s ${wordOf(script, to, base, "./")} ${place(path)} || exit 99`);
        break;
      case "fifo":
        script.add(`mkfifo ${place(path)} || exit 99`);
        break;
      case "sized":
        // Its test only asks about it.
        script.add(`dd if=/dev/null of=${place(path)} bs=1 seek=${size} count=0 2>/dev/null || exit 99`);
        if (mode !== undefined) script.add(`chmod ${octal(mode)} ${place(path)} || exit 99`);
        break;
      default:
        break;
    }
    if (modified !== undefined && kind === "file") script.add(`TZ=UTC0 touch -t ${touchTime(modified)} ${place(path)}`);
  }
  script.add(...modes.reverse());
}

/** Set-user-id and the like are nothing that a test should make. */
function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, "0");
}

function touchTime(seconds: number): string {
  const latest = Date.UTC(2038, 0, 1) / 1000;
  const iso = new Date(Math.min(Math.max(0, Math.floor(seconds)), latest) * 1000).toISOString();
  const [year, month, day, hour, minute, second] = iso.split(/[-T:.]/);
  return `${year}${month}${day}${hour}${minute}.${second}`;
}

function environmentLines(script: ShellScript, { environment }: PatchInput): void {
  for (const variable of environment) {
    const end = variable.indexOf("=");
    const name = variable.slice(0, Math.max(0, end));
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || NOT_SET.test(name)) continue;
    script.add(`${shellAssignment(name, bytesOf(variable.slice(end + 1)))}; export ${name}`);
  }
}

/** A word that names something by its absolute path below the base is led to the copy. */
function wordOf(script: ShellScript, word: string, base: string, guard: string): string {
  const at = base === "/" ? -1 : word.search(new RegExp(`(?<=^|=|:)${literal(base)}(?=/|$)`));
  if (at < 0) return script.word(bytesOf(word), guard);
  const before = at === 0 ? "" : script.word(bytesOf(word.slice(0, at)), guard);
  const behind = word.slice(at + base.length);
  return `${before}"$dir"/in${behind === "" ? "" : script.word(bytesOf(behind), "")}`;
}

function observeLines(script: ShellScript): void {
  for (const name of STREAMS) sameNames(script, name, NAMES);
  script.add('cp "$dir"/stdout "$dir"/stderr "$OBSERVED" && echo "$status" >"$OBSERVED"/status');
}

function checkLines(script: ShellScript, run: ExpectedRun, style: PatchExportStyle): void {
  const isTap = style === "tap";
  const compared = STREAMS.filter((name) => run[name].kind === "bytes");
  script.add(isTap ? `echo 1..${1 + compared.length}` : "fail=0");
  let number = 0;
  const report = (condition: string, what: string, detail = ""): void => {
    number++;
    if (isTap) {
      const shown = detail === "" ? "" : ` ${detail} | sed 's/^/# /';`;
      script.add(
        `if ${condition}; then echo "ok ${number} - ${what}"; else echo "not ok ${number} - ${what}";${shown} fi`,
      );
    } else script.add(`${condition} || { echo "$0: FAILED: ${what}";${detail === "" ? "" : ` ${detail};`} fail=1; }`);
  };
  report(`[ "$status" -eq ${run.status} ]`, `exit status ${run.status} (it was $status)`);
  for (const name of STREAMS) {
    const stream = run[name];
    if (stream.kind === "not-compared") {
      script.comment(`${name} ${stream.why}, and is not compared.`);
      continue;
    }
    const { bytes, leftOut } = stream;
    sameNames(
      script,
      name,
      NAMES.filter((token) => bytes.includes(token)),
    );
    if (leftOut.length > 0) {
      script.comment(`What differs from run to run is not compared: ${counted(leftOut.length, "line")} of ${name}.`);
      edited(
        script,
        name,
        leftOut.map((line) => `${line}s/.*/${LEFT_OUT}/`),
      );
    }
    script.write(bytes, `"$dir"/expected`);
    const both = `"$dir"/expected "$dir"/${name}`;
    report(`cmp -s ${both}`, `${name} is as expected`, `diff -u ${both}`);
  }
  if (!isTap) script.add("exit $fail");
}

/** Where the output names the program or the directory, a name that is the same everywhere takes its place. */
function sameNames(script: ShellScript, stream: string, names: readonly (keyof typeof PLACES)[]): void {
  if (names.length === 0) return;
  script.addOnce(`plain() { printf '%s\\n' "$1" | LC_ALL=C sed 's/[][\\\\.*^$/]/\\\\&/g'; }`);
  edited(
    script,
    stream,
    names.map((name) => `s/${PLACES[name]}/${name}/g`),
  );
}

const PLACES = { [PROGRAM_NAME]: '$(plain "$program")', [DIRECTORY_NAME]: '$(plain "$dir")\\/in' };
const NAMES = [PROGRAM_NAME, DIRECTORY_NAME] as const;

function edited(script: ShellScript, stream: string, edits: readonly string[]): void {
  const all = edits.map((edit) => `-e "${edit}"`).join(" ");
  script.add(`LC_ALL=C sed ${all} "$dir"/${stream} >"$dir"/edited && mv "$dir"/edited "$dir"/${stream}`);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

/** How the project's suite comes to run them. `folder`: where they lie, from the project's directory. */
export function patchTestsReadme(names: readonly string[], style: PatchExportStyle, folder: string): string {
  const where = folder === "" || folder === "." ? "" : `${folder.replace(/\/+$/, "")}/`;
  const list = names.map((name) => ` \\\n  ${where}${name}`).join("");
  const how = {
    shell: [
      "Run each with `sh`; `PROGRAM=path` says which program is tested.",
      "",
      "```",
      `for test in ${where}tangent-*.sh; do sh "$test" || exit 1; done`,
      "```",
    ],
    automake: [
      "In Makefile.am, after TESTS and EXTRA_DIST are set:",
      "",
      "```",
      `TESTS +=${list}`,
      `EXTRA_DIST +=${list}`,
      "```",
      "",
      "A test is skipped (status 77) where the program is not built.",
    ],
    tap: [
      "Each prints TAP: `prove` runs them, and automake's tap-driver.sh does.",
      "",
      "```",
      `prove -e sh ${where}tangent-*.sh`,
      "```",
    ],
  }[style];
  return [
    "# Tests made by tangent",
    "",
    "Each reaches a line that was changed and that no other test ran. What they expect is what the program did",
    "when they were made: review it, then keep them as any other test.",
    "",
    ...how,
    "",
  ].join("\n");
}
