import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ProjectFolder } from "../project/project-folder.js";
import type { ResultFinding } from "./campaign-result.js";
import { KeptFindings } from "./kept-findings.js";
import { namedBy } from "./named-findings.js";
import { finding } from "./result-fixture.js";

function withStore(body: (kept: KeptFindings, folder: ProjectFolder) => void): void {
  const root = mkdtempSync(join(tmpdir(), "tangent-kept-"));
  try {
    const folder = new ProjectFolder(root);
    body(new KeptFindings(folder), folder);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const one = (id: string, fingerprint = `of ${id}`): ResultFinding => finding({ id, fingerprint });
const states = (kept: KeptFindings): Record<string, string> =>
  Object.fromEntries(kept.list().map(({ finding: { id }, state }) => [id, state]));
const amplified = (...findings: ResultFinding[]) => ({ technique: "amplify" as const, findings });

describe("kept findings", () => {
  it("are there while their campaign goes on, and new at its end", () =>
    withStore((kept) => {
      kept.saw(one("aaa"), "amplify");
      assert.deepEqual(states(kept), { aaa: "new" });
      kept.settle(amplified(one("aaa")));
      assert.deepEqual(states(kept), { aaa: "new" });
    }));

  it("are still there after the next campaign, whether it finds them again or not", () =>
    withStore((kept) => {
      kept.settle(amplified(one("aaa"), one("bbb")), "2026-01-01");
      kept.saw(one("aaa"), "amplify", "2026-01-02");
      kept.settle(amplified(one("aaa"), one("ccc")), "2026-01-02");
      assert.deepEqual(states(kept), { aaa: "still there", bbb: "still there", ccc: "new" });
      assert.deepEqual(
        kept.list().map(({ firstSeen, lastSeen }) => [firstSeen, lastSeen]),
        [
          ["2026-01-01", "2026-01-02"],
          ["2026-01-01", "2026-01-01"],
          ["2026-01-02", "2026-01-02"],
        ],
      );
    }));

  it("that were gone and are found again are back, until the next campaign", () =>
    withStore((kept) => {
      kept.settle(amplified(one("aaa")));
      kept.mark(kept.list()[0], "gone", "0123");
      kept.settle(amplified());
      assert.deepEqual(states(kept), { aaa: "gone" });
      kept.saw(one("aaa"), "amplify");
      kept.settle(amplified(one("aaa")));
      assert.deepEqual(states(kept), { aaa: "back" });
      kept.settle(amplified(one("aaa")));
      assert.deepEqual(states(kept), { aaa: "still there" });
    }));

  it("of an earlier version's ids go on under the new ones, and are found by both", () =>
    withStore((kept) => {
      kept.settle(amplified(one("aaa", "x")), "2026-01-01");
      const now = { ...one("bbb", "y"), formerIds: ["aaa"] };
      kept.saw(now, "amplify", "2026-01-02");
      kept.settle(amplified(now), "2026-01-02");
      assert.deepEqual(states(kept), { bbb: "still there" });
      assert.equal(kept.list()[0].firstSeen, "2026-01-01");
      kept.settle(amplified(one("bbb", "y")), "2026-01-03");
      const found = kept.list().map(({ finding: each }) => each);
      assert.equal(namedBy(found, "aa")[0]?.id, "bbb");
      assert.equal(namedBy(found, "b")[0]?.id, "bbb");
      assert.deepEqual(namedBy(found, ""), []);
    }));

  it("whose lines have moved are the same ones, one for one", () =>
    withStore((kept) => {
      kept.settle(amplified(one("aaa", "text"), one("bbb", "text")), "2026-01-01");
      kept.settle(amplified(one("bbb", "text"), one("ccc", "text"), one("ddd", "text")), "2026-01-02");
      assert.deepEqual(states(kept), { bbb: "still there", ccc: "still there", ddd: "new" });
    }));

  it("of a patch are replaced by those of the next", () =>
    withStore((kept) => {
      kept.settle(amplified(one("aaa")));
      kept.settle({ technique: "patch", findings: [one("bbb")] });
      kept.settle({ technique: "patch", findings: [one("ccc")] });
      assert.deepEqual(states(kept), { aaa: "still there", ccc: "new" });
    }));

  it("can be forgotten; marks of one campaign are not kept; what is no finding, or a link, is passed over", () =>
    withStore((kept, folder) => {
      kept.settle(amplified({ ...one("aaa"), known: true, suppressed: "meant" }, one("bbb")));
      assert.equal(kept.list()[0].finding.suppressed, undefined);
      assert.equal(kept.list()[0].finding.known, undefined);
      writeFileSync(folder.file("findings", "ccc.json"), "{}");
      symlinkSync(folder.file("findings", "bbb.json"), join(folder.path, "findings", "ddd.json"));
      kept.forget("aaa");
      assert.deepEqual(states(kept), { bbb: "new" });
    }));
});
