// Files that Tangent reads, mutated: executables, IR, .ktest files, what a project's .tangent folder holds (seeds, contents, journals,
// results), and what --resume reads. Each mutant is given to the commands that read it, each in a process of its own. Wanted: a clear end
// (no crash, no hang), nothing executed or touched outside of the project, nothing read from there into a report, and no control character
// of a file's in the output.
//
//   npm run qualify:hostile -- [COUNT (default 2000)] [SEED (default 1)] [KIND...]
//
// With TANGENT_HOSTILE_SECONDS it ends after so long, however many there were. A mutant that fails is kept in the work folder, which is named at the end.

import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Random } from "../src/support/random.js";
import { mutateBytes, mutateJson } from "./hostile/mutate-bytes.js";
import { Outside } from "./hostile/outside.js";
import { scriptWords } from "./usage.js";

const LAUNCHER = fileURLToPath(new URL("../../bin/tangent", import.meta.url));
/** Every command below limits itself to a few seconds; a loaded machine may need several times that. */
const HANG_MS = 60_000;

const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
int table[8];
int main(int argc, char **argv) {
  char line[16];
  int n = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < n && i < 100; i++) table[i & 7] += i;
  FILE *file = argc > 2 ? fopen(argv[2], "r") : stdin;
  if (file == NULL) return 1;
  while (fgets(line, sizeof line, file) != NULL) if (line[0] == 'x') table[line[1] - '0']++;
  printf("%d\\n", table[0]);
  return 0;
}
`;
const TESTS = "./calc 3 in.txt && echo x1 | ./calc 2";

interface Kind {
  readonly name: string;
  /** Files of the project's folder that may be mutated, by a pattern over their relative paths. */
  readonly files: RegExp;
  readonly isJson: boolean;
  /** `file`: the mutant, relative to the project. */
  readonly commands: (file: string) => readonly (readonly string[])[];
}

const KINDS: readonly Kind[] = [
  {
    name: "executable",
    files: /^calc$/,
    isJson: false,
    commands: () => [["run", "--timeout", "3", "./calc", "3", "in.txt"]],
  },
  {
    name: "ir",
    files: /^calc\.ll$/,
    isJson: false,
    commands: (file) => [["run", "--timeout", "3", file, "3", "in.txt"]],
  },
  {
    name: "ktest",
    files: /^tangent-out-1\/test.*\.ktest$/,
    isJson: false,
    commands: (file) => [
      ["replay", "--program", "./calc", file],
      ["replay", "--native", file],
    ],
  },
  {
    name: "seed",
    files: /^\.tangent\/(seeds|blobs)\//,
    isJson: true,
    commands: () => [["seeds"], ["amplify", "--time", "1s", "--distance", "0", "--again"]],
  },
  {
    name: "journal",
    files: /^\.tangent\/[^/]*journal/,
    isJson: true,
    commands: () => [
      ["amplify", "--time", "1s", "--distance", "0"],
      ["record", "--restore"],
    ],
  },
  {
    name: "results",
    files: /^\.tangent\/report\/results\.json$/,
    isJson: true,
    commands: () => [["report"], ["show"], ["report", "--sarif", "out.sarif", "--markdown", "out.md"]],
  },
  {
    name: "resume",
    files: /^tangent-out-1\/resume\//,
    isJson: true,
    commands: () => [
      ["explore", "--resume", "tangent-out-1", "--max-time", "1s"],
      ["explore", "--resume", "tangent-out-1", "--max-time", "1s", "./calc", "3"],
    ],
  },
  {
    name: "link",
    files: /^(\.tangent|tangent-out-1)\/.*/,
    isJson: false,
    commands: () => [
      ["test", "--time", "1s", "--distance", "0", "--", "sh", "tests.sh"],
      ["report"],
      ["explore", "--resume", "tangent-out-1", "--max-time", "1s", "./calc", "3"],
    ],
  },
  {
    name: "configuration",
    files: /^\.tangent\/.*/,
    isJson: true,
    commands: () => [["test", "--time", "1s", "--distance", "0", "--", "sh", "tests.sh"]],
  },
];

interface Failure {
  readonly kind: string;
  readonly number: number;
  readonly what: string;
  readonly command: string;
}

const [countText = "2000", seedText = "1", ...only] = scriptWords(import.meta.url);
const work = mkdtempSync(join(tmpdir(), "tangent-hostile-"));
const original = join(work, "original");
const outside = new Outside(join(work, "outside"));
const home = join(work, "home");
mkdirSync(home);
const environment = {
  ...process.env,
  HOME: home,
  TANGENT_CACHE: process.env.TANGENT_CACHE ?? join(process.env.HOME ?? home, ".cache/tangent"),
};

function tangent(words: readonly string[], folder: string): { status: number | null; text: string; isHung: boolean } {
  const result = spawnSync(LAUNCHER, words, {
    cwd: folder,
    env: environment,
    encoding: "utf8",
    timeout: HANG_MS,
    killSignal: "SIGKILL",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const isHung = (result.error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT";
  return { status: result.status, text: `${result.stdout}${result.stderr}`, isHung };
}

function prepare(): void {
  mkdirSync(original);
  writeFileSync(join(original, "calc.c"), PROGRAM);
  writeFileSync(join(original, "in.txt"), "x1\ny\n");
  writeFileSync(join(original, "tests.sh"), `${TESTS}\n`);
  const steps = [
    ["cc", "-g", "-o", "calc", "calc.c"],
    ["cc", "-g", "-S", "-emit-llvm", "-o", "calc.ll", "calc.c"],
    ["test", "--time", "3s", "--distance", "1", "--", "sh", "tests.sh"],
    ["explore", "--sym-stdin", "64", "--max-time", "1s", "./calc", "3"],
  ];
  for (const words of steps) {
    const { status, text } = tangent(words, original);
    if (status !== 0 && status !== 1) throw new Error(`tangent ${words.join(" ")} failed: ${text}`);
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Puts a link that leads outside in the place of a file, or of a folder that it is in. */
function linkOut(folder: string, file: string): void {
  const names = file.split("/");
  const place = join(folder, ...names.slice(0, 1 + (random.next() % names.length)));
  const isFolder = statSync(place).isDirectory();
  rmSync(place, { recursive: true });
  symlinkSync(isFolder ? join(outside.folder, "folder") : outside.victim, place);
}

function hasControls(text: string): boolean {
  return Array.from(text).some((character) => {
    const code = character.charCodeAt(0);
    return (code < 0x20 && code !== 0x0a && code !== 0x09) || code === 0x7f;
  });
}

/** What is wrong with how a command took a mutant; null if nothing is. `isGuests`: the output may be the program's own. */
function wrong({ status, text, isHung }: ReturnType<typeof tangent>, folder: string, isGuests: boolean): string | null {
  if (isHung) return "hung";
  if (status === null) return "killed by a signal";
  if (/^\s+at .*\(?(file:\/\/|node:)/m.test(text) || /\b(TypeError|RangeError|ReferenceError)\b/.test(text))
    return "crashed";
  if (!isGuests && /^::/m.test(text)) return "a line that a CI system would obey";
  if (!isGuests && hasControls(text)) return "control characters printed";
  if (Outside.isIn(text)) return "a file outside was read";
  const report = join(folder, ".tangent/report/index.html");
  if (existsSync(report) && Outside.isIn(readFileSync(report, "utf8"))) return "a file outside is in the report";
  return outside.touched();
}

prepare();
const all = filesBelow(original);
const random = new Random(Number(seedText));
const failures: Failure[] = [];
const tally = new Map<string, { mutants: number; runs: number; statuses: Map<number | null, number> }>();
const endsAt = Date.now() + 1000 * Number(process.env.TANGENT_HOSTILE_SECONDS ?? Number.POSITIVE_INFINITY);
const kinds = KINDS.filter(({ name }) => only.length === 0 || only.includes(name));
for (let number = 0; number < Number(countText) && Date.now() < endsAt; number++) {
  const kind = kinds[number % kinds.length];
  const candidates = all.filter((file) => kind.files.test(file));
  if (candidates.length === 0) continue;
  const file = candidates[random.next() % candidates.length];
  const folder = join(work, `mutant-${number}`);
  cpSync(original, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const bytes = readFileSync(join(original, file));
  const isJson = kind.isJson && random.next() % 4 !== 0;
  if (kind.name === "link") linkOut(folder, file);
  else
    writeFileSync(join(folder, file), isJson ? mutateJson(bytes, random, outside.strings) : mutateBytes(bytes, random));
  const entry = tally.get(kind.name) ?? { mutants: 0, runs: 0, statuses: new Map() };
  tally.set(kind.name, entry);
  entry.mutants++;
  let isKept = false;
  for (const words of kind.commands(file)) {
    const result = tangent(words, folder);
    entry.runs++;
    entry.statuses.set(result.status, (entry.statuses.get(result.status) ?? 0) + 1);
    const what = wrong(result, folder, words[0] === "run");
    if (what === null) continue;
    isKept = true;
    failures.push({ kind: kind.name, number, what, command: words.join(" ") });
    console.error(
      `mutant ${number} (${kind.name}, ${file}): ${what}: tangent ${words.join(" ")}\n${result.text.slice(0, 2000)}`,
    );
    if (outside.touched() !== null) throw new Error(`${outside.touched()}: see ${folder}`);
  }
  if (!isKept) rmSync(folder, { recursive: true, force: true });
  if (number % 100 === 99) console.error(`${number + 1} mutants, ${failures.length} failures`);
}

console.log("| kind | mutants | commands | exit statuses | failures |\n|---|---|---|---|---|");
for (const [name, { mutants, runs, statuses }] of tally) {
  const shown = [...statuses].sort(([a], [b]) => Number(a) - Number(b)).map(([status, count]) => `${status}: ${count}`);
  const failed = failures.filter(({ kind }) => kind === name).length;
  console.log(`| ${name} | ${mutants} | ${runs} | ${shown.join(", ")} | ${failed} |`);
}
if (failures.length === 0) rmSync(work, { recursive: true, force: true });
else console.log(`${failures.length} failures; the mutants are in ${work}`);
process.exitCode = failures.length === 0 ? 0 : 1;
