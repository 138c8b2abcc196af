import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ProjectFolder } from "../project/project-folder.js";
import { keepInputs, knownInputs } from "./kept-inputs.js";
import { patchInput, patchResult, patchTarget } from "./patch-fixture.js";
import { result } from "./result-fixture.js";

const root = mkdtempSync(join(tmpdir(), "tangent-inputs-"));
after(() => rmSync(root, { recursive: true }));

function made(...ids: readonly string[]) {
  const inputs = ids.map((id) => patchInput({ id }));
  const targets = ids.map((_, input) =>
    patchTarget(input + 1, { kind: "reached", input, by: "move", milliseconds: 1 }),
  );
  return patchResult({ inputs, targets });
}

describe("inputs that are kept", () => {
  const folder = new ProjectFolder(root);

  it("are known by their ids when another campaign has ended", () => {
    keepInputs(folder, made("aaa111", "aaa222"));
    for (const later of [result(), made("bbb333"), null]) {
      const [{ input, targets }, ...others] = knownInputs(folder, later, "aaa2");
      assert.deepEqual([input.id, targets.map(({ line }) => line), others.length], ["aaa222", [2], 0]);
      assert.equal(knownInputs(folder, later, "aaa").length, 2);
    }
    assert.equal(
      knownInputs(folder, made("bbb333"), "bbb")[0].input.id,
      "bbb333",
      "of the last campaign they need not be",
    );
  });

  it("a file that is none, or another's, is passed over", () => {
    writeFileSync(folder.file("inputs", "ccc.json"), "{}");
    writeFileSync(folder.file("inputs", "ddd.json"), JSON.stringify({ input: patchInput({ id: "eee" }), targets: [] }));
    assert.deepEqual(knownInputs(folder, null, "ccc"), []);
    assert.deepEqual(knownInputs(folder, null, "ddd"), []);
  });

  it("the oldest are forgotten where there are too many", () => {
    rmSync(folder.known("inputs"), { recursive: true });
    keepInputs(folder, made("aaa111", "aaa222"));
    utimesSync(folder.known("inputs", "aaa222.json"), 1, 1);
    keepInputs(folder, made("bbb333"), 2);
    assert.deepEqual(readdirSync(folder.known("inputs")).sort(), ["aaa111.json", "bbb333.json"]);
  });
});
