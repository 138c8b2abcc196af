import assert from "node:assert/strict";
import { readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { Finding } from "../findings/finding.js";
import { readFindingLines } from "./live-findings.js";
import { LIVE_NAME, type LiveState, readLive } from "./live-state.js";
import { LiveWriter } from "./live-writer.js";
import { HOSTILE_NAME, type UiProject, uiFinding, uiProject, uiSeed, workDone } from "./ui-fixture.js";

let project: UiProject;
beforeEach(() => {
  project = uiProject();
});
afterEach(() => rmSync(project.top, { recursive: true, force: true }));

function read(): LiveState {
  const found = readLive(project.folder.known(LIVE_NAME));
  assert.equal(found.kind, "live", JSON.stringify(found));
  return (found as { readonly live: LiveState }).live;
}

function writer(seedCount: number): { readonly live: LiveWriter; readonly seeds: ReturnType<typeof uiSeed>[] } {
  const { root } = project.folder;
  const seeds = Array.from({ length: seedCount }, (_, index) => uiSeed(index, root));
  const programs = [{ content: `content of ${root}/prog`, path: "/elsewhere", name: `${root}/prog` }];
  return {
    live: new LiveWriter(project.folder, { technique: "amplify", seeds, programs, budgetMs: 60_000, jobs: 2 }),
    seeds,
  };
}

describe("what a campaign writes for its page", () => {
  it("says at once that it has begun, and at the end what it came to", () => {
    const { live, seeds } = writer(3);
    const first = read();
    assert.deepEqual(
      [first.state, first.technique, first.tests, first.jobs, first.pid],
      ["running", "amplify", 3, 2, process.pid],
    );
    live.does("distance 0", `${project.folder.path}/build/prog --number 0 ${project.folder.root}/data`);
    live.does("distance 0", `${project.folder.root}/prog`);
    live.take(workDone("begins", seeds[0]));
    live.take(workDone("ended", seeds[0], { checks: 5, paths: 2, blocks: 10, notExplored: { "solver gave up": 1 } }));
    live.take({ ...workDone("ended", seeds[0], { checks: 6, paths: 3, blocks: 10 }), key: `${seeds[0].id}/1` });
    live.take(workDone("known", seeds[1], { checks: 6, paths: 3, blocks: 12, notExplored: { "solver gave up": 2 } }));
    live.take(workDone("skipped", seeds[2], { checks: 6, paths: 3, blocks: 12, notExplored: { "solver gave up": 2 } }));
    live.take({ kind: "finding", found: uiFinding(1, project.folder.root), finding: {} as Finding });
    live.take({ kind: "note", text: "a note" });
    live.end("time");
    const last = read();
    assert.deepEqual([last.state, last.reason, last.campaign], ["ended", "time", first.campaign]);
    assert.deepEqual(
      [last.looked, last.items, last.checks, last.paths, last.blocks, last.findings],
      [2, 3, 6, 3, 12, 1],
    );
    assert.deepEqual(last.programs, [{ name: "prog", tests: 3, looked: 2, items: 3, checks: 6, findings: 1 }]);
    assert.deepEqual(last.notExplored, { "solver gave up": 2 });
    assert.deepEqual(last.notes, ["a note"]);
    assert.deepEqual([last.timeline.at(-1)?.blocks, last.timeline.at(-1)?.findings], [12, 1]);
    assert.deepEqual(
      readFindingLines(project.folder).map(({ id, program }) => [id, program]),
      [["000000000001", "prog"]],
    );
    assert.deepEqual(
      readdirSync(project.folder.path).sort(),
      ["live-findings.jsonl", "live.json"],
      "nothing is left over",
    );
  });

  it("a second campaign begins with an empty list, unless it goes on with the first", () => {
    const options = { technique: "amplify", seeds: [], programs: [], budgetMs: null, jobs: 1 };
    const found = { kind: "finding", found: uiFinding(1, project.folder.root), finding: {} as Finding } as const;
    const first = new LiveWriter(project.folder, options);
    first.take(found);
    first.end("complete");
    new LiveWriter(project.folder, { ...options, technique: "compose", goesOn: true }).end("complete");
    assert.equal(readFindingLines(project.folder).length, 1);
    new LiveWriter(project.folder, options).end("complete");
    assert.throws(() => readFindingLines(project.folder), /ENOENT/);
  });

  it("stays small, whatever comes", () => {
    const { live, seeds } = writer(1);
    const notExplored = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`reason ${index}`, index]));
    for (let index = 0; index < 3000; index++) {
      live.take({ kind: "note", text: HOSTILE_NAME.repeat(100) });
      live.take({ ...workDone("begins", seeds[0]), key: `item ${index}`, program: `program ${index}` });
      live.take({ ...workDone("ended", seeds[0], { blocks: index + 1, notExplored }), key: `other ${index}` });
    }
    live.end("complete");
    const last = read();
    assert.deepEqual(
      [last.programs.length, last.morePrograms, last.notes.length, last.noteCount],
      [500, 2501, 50, 3000],
    );
    assert.equal(Object.keys(last.notExplored).length, 200);
    assert.ok(last.timeline.length <= 400 && last.timeline.length >= 200);
    assert.ok(last.timeline.every(({ ms }, index) => index === 0 || ms >= last.timeline[index - 1].ms));
  });

  it("a disk that refuses costs the page, not the campaign", () => {
    symlinkSync("/nowhere", join(project.folder.path, LIVE_NAME));
    const { live } = writer(1);
    live.take({ kind: "note", text: "goes on" });
    live.end("complete");
    assert.equal(readdirSync(project.folder.path).length, 1);
  });
});

describe("what was written is looked at before it is believed", () => {
  it("a file that is not there, no JSON, too large, a link, or of another form", () => {
    const path = join(project.folder.path, LIVE_NAME);
    assert.equal(readLive(path).kind, "none");
    const { live } = writer(1);
    live.end("complete");
    const good = read();
    const wrongs: readonly unknown[] = [
      null,
      [],
      {},
      { ...good, version: 2 },
      { ...good, elapsedMs: "1" },
      { ...good, programs: [{}] },
      { ...good, programs: Array.from({ length: 501 }, () => good.programs[0]) },
      { ...good, notes: [1] },
      { ...good, notExplored: { a: "b" } },
      { ...good, startedAt: "yesterday" },
      { ...good, timeline: [{ ms: 1, blocks: 1.5, findings: 0 }] },
      { ...good, findings: -1 },
    ];
    for (const wrong of wrongs) {
      writeFileSync(path, JSON.stringify(wrong));
      assert.equal(readLive(path).kind, "wrong", JSON.stringify(wrong));
    }
    writeFileSync(path, "{");
    assert.match(JSON.stringify(readLive(path)), /is not JSON/);
    truncateSync(path, 100_000_000);
    assert.match(JSON.stringify(readLive(path)), /has 100000000 bytes, and at most/);
    rmSync(path);
    symlinkSync("/dev/zero", path);
    assert.equal(readLive(path).kind, "wrong");
  });
});
