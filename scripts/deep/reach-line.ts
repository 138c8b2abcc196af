// Directed search for one line in a tree that is built and has its tests recorded: what `tangent reach FILE:LINE` does, without building
// again. `node reach-line.js TREE FILE:LINE SECONDS RESULT` writes the results as `tangent reach --json` does.

import { writeFileSync } from "node:fs";
import { runPatchCampaign } from "../../src/jobs/patch-campaign.js";
import type { ResultFinding } from "../../src/report/campaign-result.js";
import { testsOf } from "../patches/patch-tests.js";

const [tree, place, seconds, output] = process.argv.slice(2);
const colon = place.lastIndexOf(":");
const { folder, seeds, programs } = testsOf({
  project: tree,
  commit: "",
  newTree: tree,
  oldTree: null,
  coverageTree: null,
  places: [],
  suiteLines: new Set(),
});
const budgetMs = Number(seconds) * 1000;
const findings: ResultFinding[] = [];
const { result } = await runPatchCampaign(
  {
    folder,
    seeds,
    programs,
    oldPrograms: [],
    changes: null,
    places: [{ file: place.slice(0, colon), line: Number(place.slice(colon + 1)) }],
    functions: [],
    sourceRoot: tree,
    env: process.env,
    budgetMs,
    targetMs: budgetMs,
    workers: 1,
    without: [],
  },
  (message) => {
    if (message.kind === "finding") {
      // Written at once: who measures may end this process at any time.
      findings.push(message.found);
      writeFileSync(output, JSON.stringify({ findings }));
      const stack = message.found.stack.map(
        ({ function: name, file, line }, at) => `    #${at} ${name} ${file}:${line}:0`,
      );
      console.log(`finding ${message.found.kind}\n${stack.join("\n")}`);
    } else if (message.kind === "note") console.log(message.text);
    else if (message.kind === "failed") console.log(message.message);
  },
);
if (result !== null) writeFileSync(output, JSON.stringify(result));
