import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { EXPLORATION_MODES } from "../path/frontier.js";
import { assembleSolver } from "../solver/chain.js";
import { Random } from "../support/random.js";
import { Engine } from "./engine.js";
import type { EngineEvent } from "./events.js";
import { ExplorationFiles } from "./exploration-files.js";
import type { EngineOptions } from "./options.js";
import { checksum, DamagedFile, Packer } from "./packing.js";
import { ResumableExploration } from "./resumable-exploration.js";
import { type Script, ScriptExecutor } from "./script-executor.js";
import { assuming, endsOf, explore, independent, keyword, outOfBounds, pinned } from "./script-fixture.js";
import { restoreSnapshot } from "./snapshot.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-resumable-"));
after(() => rmSync(folder, { recursive: true }));
let folders = 0;
const newFolder = () => join(folder, `${folders++}`);

/** Many kinds of rows in one program: 64 + 9 + 9 + 3 + 6 paths. */
const mixed: Script = (run) => {
  const part = run.switch(
    90,
    [0, 1, 2, 3].map((value) => run.compare("eq", run.arena.extract(run.byte(15), 0, 2), value)),
  );
  if (part === 0) return independent(6)(run);
  if (part === 1) return keyword("while")(run);
  if (part === 2) return pinned(run);
  return run.if(91, run.compare("ult", run.byte(14), 9)) ? assuming(run) : outOfBounds(run);
};
const PATHS = 64 + 8 + 9 + 3 + 6;

function newExploration(path: string, options: Partial<EngineOptions>, snapshotEveryMs: number, script = mixed) {
  const arena = new ExprArena();
  const executor = new ScriptExecutor(arena, script);
  const solver = assembleSolver(arena, {});
  let time = 0;
  const now = () => time++;
  const engine = new Engine(executor, { random: new Random(5), searcher: "random", now, ...options, solver });
  const files = ExplorationFiles.open(path);
  return new ResumableExploration(engine, files, { program: "mixed", snapshotEveryMs, flushEveryMs: 0 });
}

/** Explores until so many paths are finished, then leaves everything as a killed process would. */
function exploreSome(exploration: ResumableExploration, paths: number): EngineEvent[] {
  const events: EngineEvent[] = [];
  for (const event of exploration.explore()) {
    events.push(event);
    if (endsOf(events).length >= paths) break;
  }
  return events;
}

describe("resumable exploration", () => {
  const whole = explore(mixed);

  it("the program used here has as many paths as it should", () => {
    assert.equal(whole.statistics.paths, PATHS);
  });

  for (const mode of EXPLORATION_MODES) {
    for (const snapshotEveryMs of [10, 150, Number.POSITIVE_INFINITY]) {
      for (const killedAfter of [1, 17, 60, 89]) {
        it(`${mode}: killed after ${killedAfter} paths with snapshots every ${snapshotEveryMs} ticks, loses nothing`, () => {
          const path = newFolder();
          exploreSome(newExploration(path, { mode }, snapshotEveryMs), killedAfter);
          const resumed = newExploration(path, { mode }, snapshotEveryMs);
          const result = resumed.resume();
          assert.equal(result.kind, "resumed");
          if (result.kind === "resumed") assert.equal(result.report?.lost ?? 0, 0);
          const events = [...resumed.explore()];
          const { counters } = resumed.engine;
          assert.equal(counters.paths, PATHS);
          assert.equal(counters.divergences, 0);
          assert.equal(counters.findings, 1);
          assert.deepEqual(events.at(-1), { kind: "done", reason: "exhausted", complete: true });
          assert.equal(resumed.engine.tree.pending.count, 0);
        });
      }
    }
  }

  it("together, before and after, every path is explored exactly once if the snapshot is fresh", () => {
    const path = newFolder();
    const first = newExploration(path, {}, Number.POSITIVE_INFINITY);
    const before = exploreSome(first, 40);
    first.save();
    const second = newExploration(path, {}, Number.POSITIVE_INFINITY);
    second.resume();
    const after = [...second.explore()];
    assert.deepEqual([...endsOf(before), ...endsOf(after)].sort(), whole.ends);
  });

  it("a journal cut anywhere costs only what was cut off", () => {
    const path = newFolder();
    exploreSome(newExploration(path, {}, 100), 50);
    const bytes = readFileSync(join(path, "journal.bin")).length;
    for (const cut of [1, 7, 8, 9, 30, 100, bytes - 3, bytes]) {
      const copy = newFolder();
      cpSync(path, copy, { recursive: true });
      truncateSync(join(copy, "journal.bin"), bytes - cut);
      const resumed = newExploration(copy, {}, 100);
      resumed.resume();
      for (const _ of resumed.explore());
      assert.equal(resumed.engine.counters.paths, PATHS, `cut by ${cut}`);
    }
  });

  for (const mode of EXPLORATION_MODES) {
    it(`${mode}: a run that the end of the time cut short anywhere goes on after a restart`, () => {
      for (let cutAt = 1; cutAt <= 400; cutAt += 13) {
        const path = newFolder();
        let decisions = 0;
        let isOver = false;
        // Cuts the first run there is after so many decisions, as a clock would.
        const slow: Script = (run) => {
          const original = run.if.bind(run);
          run.if = (site, condition) => {
            if (++decisions === cutAt) {
              isOver = true;
              run.timeIsUp();
            }
            return original(site, condition);
          };
          return mixed(run);
        };
        const limits = { timeMs: 10 ** 6, timePerRunMs: 10 ** 6 };
        const now = () => (isOver ? 10 ** 6 : 0);
        const first = newExploration(path, { mode, limits, now }, Number.POSITIVE_INFINITY, slow);
        for (const _ of first.explore());
        const resumed = newExploration(path, { mode }, Number.POSITIVE_INFINITY);
        const result = resumed.resume();
        assert.ok(result.kind === "resumed" && (result.report?.lost ?? 0) === 0, `cut at ${cutAt}`);
        for (const _ of resumed.explore());
        const { paths, divergences } = resumed.engine.counters;
        assert.deepEqual({ paths, divergences }, { paths: PATHS, divergences: 0 }, `cut at ${cutAt}`);
      }
    });
  }

  it("a damaged snapshot is noticed, and the journal is used instead", () => {
    const path = newFolder();
    exploreSome(newExploration(path, {}, 100), 50);
    const file = join(path, "snapshot.bin");
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(file, bytes);
    const files = ExplorationFiles.open(path);
    assert.equal(files.saved.snapshot, null);
    assert.match(files.saved.problems[0], /damaged/);
    files.close();
    const resumed = newExploration(path, {}, 100);
    resumed.resume();
    for (const _ of resumed.explore());
    assert.equal(resumed.engine.counters.paths, PATHS);
  });

  it("a snapshot that is whole but cannot be read is as good as none, and is told: it is not of another program", () => {
    const path = newFolder();
    exploreSome(newExploration(path, {}, 100), 50);
    const file = join(path, "snapshot.bin");
    const whole = new Uint8Array(readFileSync(file).subarray(4));
    const random = new Random(3);
    for (let trial = 0; trial < 200; trial++) {
      let content = whole.slice();
      if (trial % 2 === 0) content = content.subarray(0, random.next() % content.length);
      else for (let k = 0; k < 5; k++) content[random.next() % content.length] = random.next();
      const header = Buffer.alloc(4);
      header.writeUInt32LE(checksum(content));
      const copy = newFolder();
      cpSync(path, copy, { recursive: true });
      writeFileSync(join(copy, "snapshot.bin"), Buffer.concat([header, content]));
      const resumed = newExploration(copy, {}, Number.POSITIVE_INFINITY);
      const result = resumed.resume();
      if (trial % 2 === 0) {
        assert.ok(result.kind === "resumed" && result.report === null, `trial ${trial}`);
        assert.match(result.problems[0], /damaged/);
        for (const _ of resumed.explore());
        assert.equal(resumed.engine.counters.paths, PATHS);
      } else if (result.kind === "resumed") for (const _ of resumed.explore());
    }
  });

  it("a header that is none, or says strange things, is damage and changes nothing", () => {
    const headers: unknown[] = [null, 7, [], { version: 2, program: "mixed" }];
    const strange = { counters: { __proto__: null, paths: "many", runs: 3 }, solver: {}, findings: [], curve: [] };
    headers.push({ version: 2, program: "mixed", ...strange, timeMs: -1, segments: 0, seeds: 0, journal: 0 });
    for (const header of headers) {
      const packer = new Packer();
      packer.json(header);
      const exploration = newExploration(newFolder(), {}, 100);
      const outcome = () => restoreSnapshot(exploration.engine, packer.finish(), "mixed");
      if (Array.isArray(header)) assert.equal(outcome(), "other-version");
      else assert.throws(outcome, DamagedFile, JSON.stringify(header));
      assert.equal(exploration.engine.counters.runs, 0);
    }
  });

  it("a program that has changed is not misread: what does not fit is counted, the rest goes on", () => {
    const path = newFolder();
    const first = newExploration(path, { searcher: "bfs" }, Number.POSITIVE_INFINITY);
    exploreSome(first, 30);
    first.save();
    const changed: Script = (run) => {
      if (run.input[15] % 4 === 1) run.if(77, run.compare("ult", run.byte(3), 4));
      return mixed(run);
    };
    const resumed = newExploration(path, { searcher: "bfs" }, Number.POSITIVE_INFINITY, changed);
    const result = resumed.resume();
    assert.ok(result.kind === "resumed" && result.report !== null && result.report.lost > 0);
    const events = [...resumed.explore()];
    assert.deepEqual(events.at(-1), { kind: "done", reason: "exhausted", complete: false });
    assert.ok(resumed.engine.counters.divergences > 0);
  });

  it("a snapshot of another program is refused", () => {
    const path = newFolder();
    newExploration(path, {}, 100).save();
    const arena = new ExprArena();
    const solver = assembleSolver(arena, {});
    const engine = new Engine(new ScriptExecutor(arena, mixed), { solver });
    const exploration = new ResumableExploration(engine, ExplorationFiles.open(path), {
      program: "another",
      snapshotEveryMs: 100,
      flushEveryMs: 0,
    });
    assert.deepEqual(exploration.resume(), { kind: "other-program" });
  });

  it("an input longer than the buffer is journaled whole", () => {
    const path = newFolder();
    const files = ExplorationFiles.open(path);
    const long = new Uint8Array(200_000).fill(7);
    files.append(Uint8Array.of(1));
    files.append(long);
    files.append(Uint8Array.of(2));
    files.close();
    const again = ExplorationFiles.open(path);
    assert.deepEqual(
      again.saved.journal.map(({ input }) => input.length),
      [1, 200_000, 1],
    );
    assert.deepEqual(again.saved.journal[1].input, long);
    assert.deepEqual(again.saved.problems, []);
    again.close();
  });
});
