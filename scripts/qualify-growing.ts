// Small programs whose bug needs an input of another size or a further option (test/programs/growing), each a project with its tests:
// `tangent test` on each, with `--moves none` and with moves. Those whose names begin with `correct-` have no bug.
//
//   npm run qualify:growing [-- [--seconds N] [--keep DIR] NAME...]
//
// Exits with 1 if moves miss a bug, find one where there is none, or an exported test does not fail.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { AmplifyCampaignResult } from "../src/report/campaign-result.js";
import { growingPrograms, layOut } from "../test/end-to-end/growing-fixture.js";
import { scriptArguments } from "./usage.js";

const ROOT = resolve(import.meta.dirname, "../..");
const TANGENT = join(ROOT, "bin/tangent");
const { values, positionals } = scriptArguments(import.meta.url, {
  options: { seconds: { type: "string", default: "20" }, keep: { type: "string" } },
  allowPositionals: true,
});

const folder = values.keep ?? mkdtempSync(join(tmpdir(), "tangent-growing-"));
const env = { ...process.env, TANGENT_CC: "embedded" };

function tangent(directory: string, ...words: string[]): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(TANGENT, words, { cwd: directory, encoding: "utf8", env });
  return { status, text: stdout + stderr };
}

function campaign(directory: string, moves: string): AmplifyCampaignResult {
  const { text } = tangent(directory, "amplify", "--again", "--time", `${values.seconds}s`, "--moves", moves);
  try {
    return JSON.parse(readFileSync(join(directory, ".tangent/report/results.json"), "utf8")) as AmplifyCampaignResult;
  } catch {
    throw new Error(text);
  }
}

/** How many of the exported scripts fail, as they must. */
function exported(directory: string): string {
  const out = join(directory, "exported");
  tangent(directory, "report", "--export", out);
  const scripts = readdirSync(out).filter((name) => name.endsWith(".sh"));
  const failing = scripts.filter((name) => {
    const { status } = spawnSync("sh", [join(out, name)], { cwd: directory, env: { ...env, TANGENT } });
    return status === 1;
  });
  return `${failing.length} of ${scripts.length}`;
}

let missed = 0;
const isWanted = ({ name }: { readonly name: string }): boolean =>
  positionals.length === 0 || positionals.includes(name);
for (const program of growingPrograms(join(ROOT, "test/programs/growing")).filter(isWanted)) {
  const directory = join(folder, program.name);
  layOut(program, directory);
  const built = tangent(directory, "cc", "-g", "-O0", "-o", "prog", "prog.c");
  if (built.status !== 0) throw new Error(built.text);
  const recorded = tangent(directory, "record", "--", "sh", "tests.sh");
  if (recorded.status !== 0) throw new Error(recorded.text);
  const before = campaign(directory, "none");
  const after = campaign(directory, "all");
  const isFound = (one: AmplifyCampaignResult): boolean =>
    program.finds === "nothing" ? one.findings.length > 0 : one.findings.some(({ kind }) => kind === program.finds);
  const scripts = after.findings.length === 0 ? "-" : exported(directory);
  const isWrong =
    isFound(after) !== (program.finds !== "nothing") || (scripts !== "-" && /^(\d+) of \1$/.test(scripts) === false);
  if (isWrong) missed++;
  const told = after.findings.find(({ kind }) => kind === program.finds);
  const how =
    told === undefined
      ? ""
      : `${(told.foundMs / 1000).toFixed(1)} s, distance ${told.distance}: ${told.moved?.steps.join(", then ") ?? "no move"}`;
  const word = (one: AmplifyCampaignResult): string => (isFound(one) ? "found" : "-").padEnd(6);
  const { tried = 0, moved = 0 } = after.totals;
  console.log(
    `${program.name.padEnd(22)}${word(before)} ${word(after)} ${`${tried}/${moved}`.padEnd(8)} exported ${scripts.padEnd(7)} ${how}${isWrong ? "  WRONG" : ""}`,
  );
}
if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
process.exitCode = missed > 0 ? 1 : 0;
