// One package's hunt: source with its fixes taken back, built with CC="tangent cc", its seeds recorded, one `tangent amplify`, and the
// findings compared with the documented places. Everything lies under TANGENT_KNOWN_BUGS (default /tmp/tangent-known-bugs); what is
// there already (source and build) is taken, so that a second run costs only the campaign.

import { spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { AmplifyCampaignResult, ResultFinding } from "../../src/report/campaign-result.js";
import { LAUNCHER } from "../suites/build.js";
import type { Bug, Edit, KnownProgram } from "./bug.js";

export const WORK = process.env.TANGENT_KNOWN_BUGS || "/tmp/tangent-known-bugs";
const STEP_TIMEOUT_MS = 900_000;
/** The bug is where the innermost frames of the program's own code are: a helper that does the access, and who called it. */
const FRAMES_LOOKED_AT = 3;

export interface Hunt {
  readonly program: KnownProgram;
  /** Null: it could not be done, for the reason in `problem`. */
  readonly result: AmplifyCampaignResult | null;
  readonly problem: string;
  readonly found: ReadonlyMap<Bug, ResultFinding>;
  readonly others: readonly ResultFinding[];
}

/** `moves`: what `--moves` is told. */
export function hunt(program: KnownProgram, moves = "all"): Hunt {
  const failed = (problem: string): Hunt => ({ program, result: null, problem, found: new Map(), others: [] });
  const made = makeTree(program);
  if ("problem" in made) return failed(made.problem);
  const { tree } = made;
  writeFileSync(join(tree, "seeds.sh"), `${program.seeds}\nexit 0\n`);
  rmSync(join(tree, ".tangent"), { recursive: true, force: true });
  if (!shell(program.prepare ?? "true", tree, "prepare")) return failed("the seeds' files could not be made");
  if (!shell(`${LAUNCHER} record -- sh seeds.sh`, tree, "record")) return failed("recording failed");
  rmSync(join(tree, RESULTS), { force: true });
  shell(`${LAUNCHER} amplify --moves ${moves} --time ${program.seconds}s --json ${RESULTS}`, tree, "amplify");
  return lastHunt(program);
}

const RESULTS = "results.json";

/** What the last hunt has left. */
export function lastHunt(program: KnownProgram): Hunt {
  const tree = join(WORK, "trees", program.name);
  const output = join(tree, RESULTS);
  if (!existsSync(output)) {
    const problem = `no results: see ${join(tree, "tangent-amplify.log")}`;
    return { program, result: null, problem, found: new Map(), others: [] };
  }
  const result = JSON.parse(readFileSync(output, "utf8")) as AmplifyCampaignResult;
  return { program, result, problem: "", ...compare(program, result.findings) };
}

export function compare(program: KnownProgram, findings: readonly ResultFinding[]): Pick<Hunt, "found" | "others"> {
  const found = new Map<Bug, ResultFinding>();
  const others: ResultFinding[] = [];
  for (const finding of findings) {
    const bugs = program.bugs.filter((bug) => isAt(finding, bug));
    if (bugs.length === 0) others.push(finding);
    for (const bug of bugs) {
      const earlier = found.get(bug);
      if (earlier === undefined || earlier.distance > finding.distance) found.set(bug, finding);
    }
  }
  return { found, others };
}

export function isAt(finding: Pick<ResultFinding, "kind" | "seedCommand" | "stack">, bug: Bug): boolean {
  if (!bug.kinds.test(finding.kind)) return false;
  if (bug.command !== undefined && !bug.command.test(finding.seedCommand.join(" "))) return false;
  return finding.stack
    .filter(({ origin }) => origin === "program")
    .slice(0, FRAMES_LOOKED_AT)
    .some(
      ({ function: name, file, line }) =>
        bug.function.test(name) && (bug.line === undefined || bug.line.test(sourceLine(file ?? "", line))),
    );
}

function sourceLine(file: string, line: number): string {
  return existsSync(file) ? (readFileSync(file, "latin1").split("\n")[line - 1] ?? "") : "";
}

/** The source with the bugs in it, built; kept from one run to the next. */
export function makeTree(program: KnownProgram): { tree: string } | { problem: string } {
  const tree = join(WORK, "trees", program.name);
  const mark = join(tree, "tangent-built");
  const wanted = JSON.stringify([
    program.reverse,
    program.edits?.map(({ file, find, replace }) => [file, String(find), replace]),
    program.files,
    program.configure,
    program.build,
  ]);
  if (existsSync(mark) && readFileSync(mark, "utf8") === wanted) return { tree };
  const source = fetchSource(program.source);
  if (source === null) return { problem: `apt-get source ${program.source} failed` };
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(join(WORK, "trees"), { recursive: true });
  cpSync(source, tree, { recursive: true, verbatimSymlinks: true });
  const problem = takeBack(tree, program.reverse, program.edits ?? []);
  if (problem !== null) return { problem };
  for (const [name, text] of Object.entries(program.files ?? {})) writeFileSync(join(tree, name), text);
  if (!shell(program.configure ?? "true", tree, "configure"))
    return { problem: `configuring failed: see ${join(tree, "tangent-configure.log")}` };
  if (!shell(program.build, tree, "build"))
    return { problem: `the build failed: see ${join(tree, "tangent-build.log")}` };
  writeFileSync(mark, wanted);
  return { tree };
}

/** Null, or what could not be done. */
export function takeBack(tree: string, reverse: readonly string[], edits: readonly Edit[]): string | null {
  for (const name of reverse) {
    if (!shell(`patch -R -p1 --no-backup-if-mismatch < debian/patches/${name}`, tree, "reverse")) {
      return `${name} cannot be taken back`;
    }
  }
  for (const { file, find, replace } of edits) {
    const path = join(tree, file);
    const text = readFileSync(path, "latin1");
    if (text.search(find) < 0) return `${file} has no ${find}`;
    writeFileSync(path, text.replace(find, replace), "latin1");
  }
  return null;
}

export function fetchSource(source: string, work = WORK): string | null {
  const top = join(work, "src", source.replace(/=.*/, ""));
  const unpacked = join(top, "source");
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(top, { recursive: true });
  spawnSync("apt-get", ["source", "--download-only", source], { cwd: top, stdio: "ignore" });
  const file = readdirSync(top).find((name) => name.endsWith(".dsc"));
  if (file === undefined) return null;
  return spawnSync("dpkg-source", ["-x", file, "source"], { cwd: top, stdio: "ignore" }).status === 0 ? unpacked : null;
}

export function shell(command: string, folder: string, phase: string): boolean {
  const log = openSync(join(folder, `tangent-${phase}.log`), "w");
  const child = spawnSync("nice", ["sh", "-c", command], {
    cwd: folder,
    env: { ...process.env, CC: `${LAUNCHER} cc`, FORCE_UNSAFE_CONFIGURE: "1", LC_ALL: "C" },
    stdio: ["ignore", log, log],
    timeout: STEP_TIMEOUT_MS,
  });
  closeSync(log);
  return child.status === 0;
}
