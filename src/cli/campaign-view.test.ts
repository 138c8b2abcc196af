import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import type { Finding } from "../findings/finding.js";
import { NO_SOURCES } from "../project/sources.js";
import { type CampaignResult, TOOK_ALL_THEIR_TIME } from "../report/campaign-result.js";
import { result } from "../report/result-fixture.js";
import { CampaignView, statusLine } from "./campaign-view.js";
import type { CommandContext } from "./command.js";

/** What is written to a terminal, or to a file, while `body` runs with a clock of its own. */
function written(
  isTTY: boolean,
  body: (view: CampaignView, pass: (ms: number) => void, lines: readonly string[]) => void,
): string[] {
  const before = Object.getOwnPropertyDescriptor(process.stderr, "isTTY");
  Object.defineProperty(process.stderr, "isTTY", { value: isTTY, configurable: true });
  mock.timers.enable({ apis: ["setInterval"] });
  const lines: string[] = [];
  const context = { error: (text: string) => lines.push(text), out: () => {}, env: {} } as unknown as CommandContext;
  try {
    body(new CampaignView(context, () => {}, false, NO_SOURCES), (ms) => mock.timers.tick(ms), lines);
  } finally {
    mock.timers.reset();
    if (before === undefined) delete (process.stderr as { isTTY?: boolean }).isTTY;
    else Object.defineProperty(process.stderr, "isTTY", before);
  }
  return lines;
}

describe("what a campaign shows while it goes on", () => {
  it("on a terminal something moves every second, whatever takes long", () => {
    const lines = written(true, (view, pass, soFar) => {
      view.begins("getting ready", "40 tests");
      pass(3000);
      const program = { content: "c", path: "/p/prog", name: "/p/prog" };
      view.show({ kind: "loading", program, progress: { stage: "translate", done: 0, total: 1 } });
      pass(4000);
      view.show({ kind: "loaded" });
      view.status("distance 0, test 3 of 40", "./prog x", 100);
      pass(5000);
      view.end();
      const shown = soFar.length;
      pass(10_000);
      assert.equal(soFar.length, shown, "nothing after the end");
    });
    const count = (words: string): number => lines.filter((line) => line.includes(words)).length;
    assert.equal(count("getting ready: 40 tests"), 3);
    assert.equal(count("translating: prog"), 4);
    assert.equal(count("distance 0, test 3 of 40: ./prog x"), 6);
  });

  it("a finding that an earlier campaign told is told in a line, as still there", () => {
    const told: string[] = [];
    const context = { error: () => {}, out: () => {}, env: {} } as unknown as CommandContext;
    const view = new CampaignView(context, (text) => told.push(text), false, NO_SOURCES);
    const [found] = result().findings;
    view.show({ kind: "finding", found, finding: {} as Finding, isEarlier: true });
    assert.equal(told.length, 1);
    assert.match(told[0], new RegExp(`^==tangent== still there \\(told by an earlier campaign\\): ${found.id} .*\\n$`));
  });

  it("says that everything was done only if no test would have needed more time", () => {
    const told = (notExplored: CampaignResult["notExplored"]): string => {
      const result = {
        findings: [],
        durationMs: 1000,
        reason: "complete",
        totals: { divergences: 0 },
        notExplored,
      } as unknown as CampaignResult;
      return written(false, (view) => view.summary(result, "3 tests")).join("");
    };
    assert.match(told({}), /^tangent: everything was done after 1\.0 s: 3 tests/);
    assert.match(told({ [TOOK_ALL_THEIR_TIME]: 1 }), /^tangent: every test had its time after 1\.0 s: 3 tests/);
  });

  it("a file gets no such lines", () => {
    const lines = written(false, (view, pass) => {
      view.begins("getting ready", "40 tests");
      view.status("distance 0, test 1 of 40", "./prog x", 5000);
      pass(60_000);
    });
    assert.deepEqual(lines, ["tangent: distance 0, test 1 of 40\n"]);
  });

  it("a file is told at once of a campaign whose first item takes a while to come", () => {
    const told = (count: number): string[] => written(false, (view) => view.prepares(`${count} tests`, count));
    assert.deepEqual(told(22_701), ["tangent: getting ready: 22701 tests\n"]);
    assert.deepEqual(told(40), []);
  });

  it("for how long is said where it is noticeable, and is not cut off", () => {
    assert.equal(statusLine("translating", "prog", 500, 80), "tangent: translating: prog");
    assert.equal(statusLine("translating", "prog", 12_345, 80), "tangent: translating: prog (12 s)");
    const narrow = statusLine("distance 0", "a very long command line", 12_345, 30);
    assert.equal(narrow.length, 29);
    assert.match(narrow, /\(12 s\)$/);
  });
});
