// Whether one heavy program starves the others of a suite: eleven programs of some 25 lines (bench/starving) with 310 tests, 60 of them of
// a checksum over some hundred bytes whose checks are hard and which has no bug. Six of seven bugs are one decision from a test, one is two.
//
//   npm run bench:starving -- [--time 90s] [--tangent BIN] [--keep DIR]
//
// The tests are recorded once; then `tangent amplify` gets the time. --tangent: the launcher of another version, so that two are compared
// in turn on the same tests. Printed is which bugs were found, when, and where the time went.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { scriptArguments } from "../scripts/usage.js";
import { Random } from "../src/support/random.js";

const SOURCES = resolve(import.meta.dirname, "../../bench/starving");
const HEAVY = "sum";
const HEAVY_TESTS = 60;
const TESTS = 25;

/** Programs with a bug: each is in the program's own file. */
const WITH_BUG = ["unescape", "columns", "ini", "calc", "unpack", "days", "route"];

type Draw = (most: number) => number;
interface Given {
  readonly words: readonly string[];
  readonly stdin?: string;
}

function text(draw: Draw, alphabet: string, least: number, most: number): string {
  return Array.from({ length: least + draw(most - least + 1) }, () => alphabet[draw(alphabet.length)]).join("");
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const lines = (draw: Draw, count: number, line: () => string): string =>
  Array.from({ length: 1 + draw(count) }, () => `${line()}\n`).join("");

/** What a test of each program is given. None is the bug's own. */
const TESTS_OF: Readonly<Record<string, (draw: Draw) => Given>> = {
  sum: (draw) => ({ words: draw(2) === 0 ? [] : ["12"], stdin: text(draw, `${LETTERS} \n`, 260, 420) }),
  unescape: (draw) => ({ words: [`${text(draw, LETTERS, 1, 6)}\\${"nt\\q"[draw(4)]}${text(draw, LETTERS, 1, 5)}`] }),
  columns: (draw) => ({ words: [], stdin: lines(draw, 5, () => `x${text(draw, `${LETTERS} \t`, 3, 30)}`) }),
  ini: (draw) => ({
    words: [],
    stdin: lines(
      draw,
      4,
      () => `[${text(draw, LETTERS, 2, 6)}]\n# ${text(draw, LETTERS, 2, 8)}\n${text(draw, LETTERS, 1, 4)}=1`,
    ),
  }),
  calc: (draw) => ({ words: [`${text(draw, "0123456789", 2, 6)}+${text(draw, "~0123456789", 1, 4)}+`] }),
  unpack: (draw) => ({ words: [], stdin: `${text(draw, LETTERS, 9, 30)}<${draw(9)}${text(draw, LETTERS, 2, 20)}` }),
  days: (draw) => ({ words: [`${1 + 2 * draw(1000)}-${1 + draw(12)}-${1 + draw(30)}`] }),
  route: (draw) => ({
    words: [`${text(draw, LETTERS, 2, 9)}${draw(2) === 0 ? ":" : "."}${text(draw, LETTERS, 2, 9)}`],
  }),
  words: (draw) => ({ words: [], stdin: lines(draw, 6, () => text(draw, `${LETTERS}  `, 5, 40)) }),
  hex: (draw) => ({ words: [], stdin: text(draw, LETTERS, 5, 60) }),
  cut: (draw) => ({ words: [String(1 + draw(4))], stdin: lines(draw, 4, () => text(draw, `${LETTERS},`, 5, 30)) }),
};

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function writeSuite(directory: string): void {
  const random = new Random(1);
  const draw: Draw = (most) => random.next() % most;
  mkdirSync(join(directory, "data"));
  const commands = Object.entries(TESTS_OF).flatMap(([program, given]) =>
    Array.from({ length: program === HEAVY ? HEAVY_TESTS : TESTS }, (_, number) => {
      const { words, stdin } = given(draw);
      const file = `data/${program}-${number}`;
      if (stdin !== undefined) writeFileSync(join(directory, file), stdin);
      const from = stdin === undefined ? "/dev/null" : file;
      return `${[`./${program}`, ...words.map(quoted)].join(" ")} < ${from} > /dev/null\n`;
    }),
  );
  writeFileSync(join(directory, "suite.sh"), commands.join(""));
}

interface Results {
  readonly findings: readonly {
    readonly id: string;
    readonly identity?: { readonly summary?: string };
    readonly foundAtMs?: number;
  }[];
}

const { values } = scriptArguments(import.meta.url, {
  options: { time: { type: "string" }, tangent: { type: "string" }, keep: { type: "string" } },
});
const launcher = resolve(values.tangent ?? join(import.meta.dirname, "../../bin/tangent"));
const directory = values.keep === undefined ? mkdtempSync(join(tmpdir(), "tangent-starving-")) : resolve(values.keep);
const tangent = (...words: string[]): void => {
  execFileSync(launcher, words, { cwd: directory, stdio: ["ignore", "ignore", "inherit"] });
};
rmSync(directory, { recursive: true, force: true });
mkdirSync(directory, { recursive: true });
writeSuite(directory);
for (const name of readdirSync(SOURCES)) {
  tangent("cc", "-g", "-O1", join(SOURCES, name), "-o", name.replace(/\.c$/, ""));
}
spawnSync(launcher, ["record", "--", "sh", "suite.sh"], { cwd: directory, stdio: ["ignore", "inherit", "inherit"] });
const time = values.time ?? "90s";
spawnSync(launcher, ["amplify", "--again", "--time", time], {
  cwd: directory,
  stdio: ["ignore", "inherit", "inherit"],
});
const results = JSON.parse(readFileSync(join(directory, ".tangent/report/results.json"), "utf8")) as Results;
const told = JSON.stringify(results.findings);
const found = WITH_BUG.filter((name) => told.includes(`${name}.c`));
console.log(`${found.length} of ${WITH_BUG.length} in ${time}: ${found.join(" ")}`);
if (values.keep === undefined) rmSync(directory, { recursive: true, force: true });
