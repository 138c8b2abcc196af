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
  for (const name of ["time", "test-time", "distance", "sample"]) {
    const [, value] = new RegExp(`^ {2}${name}:\\n(?: {4}.*\\n)*? {4}default: (.*)\\n`, "m").exec(action) ?? [];
    assert.equal(value, '""', name);
  }
});
