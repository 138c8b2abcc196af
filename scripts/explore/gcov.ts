// The lines that a run's tests cover natively, as gcov says: the program, built by gcc with coverage, gets each test's input. Nothing of
// Tangent takes part in it but the inputs. Inputs are nobody's text, and programs such as make and sed start what they are told to: as
// root they run as nobody.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"; // biome-ignore format: one line
import { basename, dirname, join, resolve } from "node:path";
import { decodeKTest, type KTestObject } from "../../src/report/ktest.js";

const RUN_MS = 5000;
const NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];

export interface NativeRun {
  /** Built with coverage, below `tree`. */
  readonly program: string;
  readonly tree: string;
  readonly args: readonly string[];
  /** Beside the program when it runs. */
  readonly files: Readonly<Record<string, string>>;
  /** A folder of .ktest files. */
  readonly tests: string;
  /** For what it makes; it must not be below a folder that others may not enter. */
  readonly scratch: string;
}

export interface NativeLines {
  readonly tests: number;
  /** `src/a.c:7`, below the tree. */
  readonly executed: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
}

export function linesNatively({ program, tree, args, files, tests, scratch }: NativeRun): NativeLines {
  mkdirSync(scratch, { recursive: true });
  const work = mkdtempSync(join(scratch, "gcov-"));
  const counters = join(work, "counters");
  const place = join(work, "place");
  for (const folder of [work, counters, place]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
  }
  const names = readdirSync(tests).filter((name) => name.endsWith(".ktest"));
  const words = [...(process.getuid?.() === 0 ? NOBODY : []), program, ...args];
  for (const name of names) {
    const decoded = decodeKTest(readFileSync(join(tests, name)));
    if (decoded.kind !== "ktest") continue;
    for (const [file, content] of Object.entries(files)) writeFileSync(join(place, file), content);
    const { stdin: input, made } = inputsOf(decoded.ktest.objects);
    for (const [file, bytes] of made) writeFileSync(join(place, file), bytes);
    spawnSync(words[0], words.slice(1), {
      cwd: place,
      input,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", GCOV_PREFIX: counters },
      stdio: ["pipe", "ignore", "ignore"],
      timeout: RUN_MS,
      killSignal: "SIGKILL",
    });
  }
  const lines = linesIn(join(counters, tree), tree);
  rmSync(work, { recursive: true, force: true });
  return { tests: names.length, ...lines };
}

/** Standard input and files of a test, by the names that KLEE gives to them. */
export function inputsOf(objects: readonly KTestObject[]): {
  readonly stdin: Uint8Array;
  readonly made: ReadonlyMap<string, Uint8Array>;
} {
  const files = objects.flatMap(({ name, bytes }) => {
    const match = /^([A-Z])[_-]data$/.exec(name);
    return match === null ? [] : [[match[1], bytes] as const];
  });
  const stdin = objects.find(({ name }) => name === "stdin")?.bytes ?? new Uint8Array(0);
  return { stdin, made: new Map(files) };
}

interface GcovOutput {
  readonly current_working_directory: string;
  readonly files: readonly {
    readonly file: string;
    readonly lines: readonly { readonly line_number: number; readonly count: number }[];
  }[];
}

/** Notes are beside the objects, counters below another folder: gcov wants them side by side. */
function linesIn(counters: string, tree: string): { readonly executed: Set<string>; readonly known: Set<string> } {
  const executed = new Set<string>();
  const known = new Set<string>();
  const all = existsSync(counters) ? readdirSync(counters, { recursive: true, encoding: "utf8" }) : [];
  for (const counted of all.filter((file) => file.endsWith(".gcda"))) {
    const notes = join(tree, counted.replace(/\.gcda$/, ".gcno"));
    const copied = join(counters, counted.replace(/\.gcda$/, ".gcno"));
    if (!existsSync(notes)) continue;
    if (!existsSync(copied)) linkSync(notes, copied);
    const { stdout } = spawnSync("gcov", ["--json-format", "--stdout", basename(counted)], {
      cwd: dirname(copied),
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
    for (const line of stdout.split("\n").filter((text) => text.startsWith("{"))) {
      const output = JSON.parse(line) as GcovOutput;
      for (const { file, lines } of output.files) {
        const path = resolve(output.current_working_directory, file);
        if (!path.startsWith(`${tree}/`)) continue;
        for (const { line_number, count } of lines) {
          const name = `${path.slice(tree.length + 1)}:${line_number}`;
          known.add(name);
          if (count > 0) executed.add(name);
        }
      }
    }
  }
  return { executed, known };
}
