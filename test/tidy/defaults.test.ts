// Defaults that users see in several places have one value: the GitHub Action has none of its own where the command has one, and what
// the help says is what happens.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { AMPLIFY_OPTIONS } from "../../src/cli/amplify.js";
import { ROOT, readSources } from "./sources.js";

it("the largest distance of a campaign has one default", () => {
  const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");
  const said = /\(default (\d+)\)/.exec(AMPLIFY_OPTIONS.distance.help)?.[1];
  assert.ok(said !== undefined);
  const product = readSources("src").filter(({ name }) => !name.endsWith(".test.ts"));
  const used = product.flatMap(({ text }) => Array.from(text.matchAll(/\bmaxDistance: (\d+)/g), ([, value]) => value));
  assert.deepEqual(used, [said], "what is used is what is said");
  assert.match(read("src/cli/init.ts"), new RegExp(`# distance = ${said} `));
  assert.match(read("docs/ci.md"), new RegExp(`\`distance\` \\|.*\\b${said} \\|`));
});

it("the action leaves to tangent.toml and to the command what they have a default for", () => {
  const action = readFileSync(join(ROOT, "action.yml"), "utf8");
  for (const name of ["time", "test-time", "distance", "sample", "revisions", "target-time"]) {
    const [, value] = new RegExp(`^ {2}${name}:\\n(?: {4}.*\\n)*? {4}default: (.*)\\n`, "m").exec(action) ?? [];
    assert.equal(value, '""', name);
  }
});

it("the action gives no token to what runs a project's build and tests", () => {
  const action = readFileSync(join(ROOT, "action.yml"), "utf8");
  const steps = action
    .slice(action.indexOf("  steps:"))
    .split(/^ {4}- /m)
    .slice(1);
  const publishing = steps.filter((step) => /github\.token|GH_TOKEN|codeql-action|secrets\./.test(step));
  assert.equal(publishing.length, 2);
  for (const step of publishing) assert.match(step, /steps\.found\.outputs/, "only what mode report has looked at");
  const running = steps.filter((step) => /bin\/tangent|npm ci/.test(step));
  assert.equal(running.length, 2);
  for (const step of running) assert.match(step, /if: inputs\.mode != 'report'/);
  const found = steps.find((step) => step.includes("id: found")) ?? "";
  assert.match(found, /if: inputs\.mode == 'report' &&/);
});
