// Patch testing measured on real patches: npm run qualify:patches -- LIST [--results FILE] [--only COMMIT]... [--time S] [--target-time S]
// [--without PART]... [--workers N] [--amplify D]. LIST is described in patches/patch-list.ts and stays outside of the repository.
//
// For every commit: targets (blocks), those that the tests cover, those that Tangent reaches in addition, and whether gcov confirms each
// of its inputs on a build by gcc. Results are appended to FILE, one JSON object a commit; commits that are there already are not done
// again. The table at the end is made of all of them.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { runPatchCampaign } from "../src/jobs/patch-campaign.js";
import { BlobStore } from "../src/project/blob-store.js";
import type { ProjectFolder } from "../src/project/project-folder.js";
import { SeedStore } from "../src/project/seed-store.js";
import { invocationOf } from "../src/project/seed-test.js";
import type { PatchCampaignResult, PatchTarget } from "../src/report/patch-result.js";
import { executesTarget } from "./patches/confirm-natively.js";
import { type ListedPatch, readPatches } from "./patches/patch-list.js";
import { type PatchRow, patchTable, type TargetRow } from "./patches/patch-table.js";
import { testsOf } from "./patches/patch-tests.js";
import { scriptArguments } from "./usage.js";

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: {
    results: { type: "string" },
    only: { type: "string", multiple: true, default: [] },
    time: { type: "string", default: "300" },
    "target-time": { type: "string", default: "120" },
    without: { type: "string", multiple: true, default: [] },
    workers: { type: "string", default: "2" },
    amplify: { type: "string", default: "-1" },
    verbose: { type: "boolean", default: false },
  },
});
const [list] = positionals;
if (list === undefined) {
  console.error("qualify:patches: name the list of patches (see the first lines of scripts/qualify-patches.ts)");
  process.exit(2);
}
const results = values.results ?? `${list}.results.jsonl`;

async function measure(patch: ListedPatch): Promise<PatchRow> {
  const started = performance.now();
  const cpu = process.cpuUsage();
  const { folder, seeds, programs } = testsOf(patch);
  const { result } = await runPatchCampaign(
    {
      folder,
      seeds,
      programs,
      oldPrograms:
        patch.oldTree === null
          ? []
          : programs.flatMap(({ name }) => {
              const path = name.replace(patch.newTree, patch.oldTree ?? "");
              return existsSync(path) ? [{ name, path }] : [];
            }),
      changes: null,
      places: patch.places,
      functions: [],
      sourceRoot: patch.newTree,
      env: process.env,
      budgetMs: Number(values.time) * 1000,
      targetMs: Number(values["target-time"]) * 1000,
      workers: Number(values.workers),
      without: values.without,
      plan: { amplifyDistance: Number(values.amplify) },
    },
    (message) => {
      if (message.kind === "reached") console.log(`  reached ${message.target}: ${message.command.join(" ")}`);
      else if (message.kind === "note" && values.verbose) console.log(`  note: ${message.text}`);
      else if (message.kind === "failed") console.log(`  failed: ${message.message}`);
    },
  );
  const { user, system } = process.cpuUsage(cpu);
  const row = {
    project: patch.project,
    commit: patch.commit,
    seeds: seeds.length,
    lines: patch.places.length,
    without: values.without,
    wallMs: Math.round(performance.now() - started),
    cpuMs: Math.round((user + system) / 1000),
  };
  if (result === null) return { ...row, targets: [], findings: [], behaviour: [], compared: 0, failed: true };
  return {
    ...row,
    targets: result.targets.map((target) => targetRow(target, result, patch, folder)),
    findings: result.findings.map(({ kind, location, seedCommand }) => {
      return `${kind} at ${location?.file ?? ""}:${location?.line ?? 0}: ${seedCommand.join(" ")}`;
    }),
    behaviour: result.behaviour.map(({ severity, command, differences }) => ({
      severity,
      command: command.join(" "),
      what: differences.map(({ what, before, after }) => ({
        what,
        before: before.slice(0, 300),
        after: after.slice(0, 300),
      })),
    })),
    compared: result.compared,
    failed: false,
  };
}

function targetRow(
  target: PatchTarget,
  result: PatchCampaignResult,
  patch: ListedPatch,
  folder: ProjectFolder,
): TargetRow {
  const { id, state, distance } = target;
  const common = { id, function: target.function, distance };
  switch (state.kind) {
    case "covered":
      return { ...common, state: "covered", by: null, milliseconds: 0, command: "", confirmed: null, why: "" };
    case "unreachable":
      return {
        ...common,
        state: "unreachable",
        by: null,
        milliseconds: 0,
        command: "",
        confirmed: null,
        why: state.why,
      };
    case "not-reached": {
      const { sentence, because } = state.why;
      if (target.lines.some((line) => patch.suiteLines.has(`${target.file}:${line}`))) {
        return { ...common, state: "suite", by: null, milliseconds: 0, command: "", confirmed: null, why: sentence };
      }
      const why = `${sentence} ${because.map(({ file, line, what }) => `[${file}:${line} ${what}]`).join(" ")}`;
      return { ...common, state: "not-reached", by: null, milliseconds: 0, command: "", confirmed: null, why };
    }
    case "reached": {
      const input = result.inputs[state.input];
      const command = `${input.command.join(" ")}   # ${input.steps.join("; ")}`;
      const confirmed = isConfirmed(target, input.id, input.program, patch, folder);
      return {
        ...common,
        state: "reached",
        by: state.by,
        milliseconds: state.milliseconds,
        command,
        confirmed,
        why: "",
      };
    }
  }
}

/** Whether gcov saw one of the target's lines; null if there is no build with coverage. */
function isConfirmed(
  target: PatchTarget,
  inputId: string,
  program: string,
  patch: ListedPatch,
  folder: ProjectFolder,
): boolean | null {
  const seed = new SeedStore(folder, "made").list().find(({ id }) => id === inputId);
  const made = seed === undefined ? null : invocationOf(seed, new BlobStore(folder));
  return executesTarget(made === null || made.kind === "broken" ? null : made.invocation, program, target, patch);
}

const patches = readPatches(list).filter(
  ({ commit }) => values.only.length === 0 || values.only.some((name) => commit.startsWith(name)),
);
const known = existsSync(results) ? rowsIn(results) : [];
for (const patch of patches) {
  if (known.some(({ project, commit }) => project === patch.project && commit === patch.commit)) continue;
  console.log(`${patch.project} ${patch.commit}: ${patch.places.length} lines`);
  const row = await measure(patch);
  appendFileSync(results, `${JSON.stringify(row)}\n`);
  known.push(row);
  const count = (state: TargetRow["state"]): number => row.targets.filter((target) => target.state === state).length;
  console.log(
    `  ${row.targets.length} targets, ${count("covered")} covered by the tests, ${count("reached")} reached ` +
      `(${row.targets.filter(({ confirmed }) => confirmed === true).length} confirmed by gcov), ` +
      `${count("not-reached")} not, ${count("unreachable")} unreachable; ` +
      `${row.behaviour.length} of ${row.compared} inputs behave differently; ${(row.wallMs / 1000).toFixed(0)} s`,
  );
}
console.log(patchTable(known));

function rowsIn(path: string): PatchRow[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as PatchRow);
}
