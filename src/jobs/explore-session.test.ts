import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { EngineEvent } from "../engine/events.js";
import type { PathEnd, RunOutcome } from "../engine/executor.js";
import { Counters, CoverageCurve, type EngineStatistics } from "../engine/statistics.js";
import type { Confirmation } from "../findings/confirmation.js";
import type { Finding } from "../findings/finding.js";
import type { FindingIdentity } from "../findings/identity.js";
import type { KindName } from "../findings/kinds.js";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import { NO_SITE, type SiteId } from "../path/observer.js";
import { renderSummary } from "../report/explore-summary.js";
import { FileWriter } from "../report/file-writer.js";
import { RunFolder } from "../report/run-folder.js";
import { type Explorer, ExploreSession, type SessionMessage } from "./explore-session.js";

const base = mkdtempSync(join(tmpdir(), "tangent-session-"));
after(() => rmSync(base, { recursive: true }));

const FINDING: Finding = {
  kind: "abort",
  access: null,
  size: 0,
  address: null,
  firstBadAddress: null,
  stack: [{ functionName: "main", origin: "program", file: "/a.c", line: 3, column: 1 }],
  userFrame: 0,
  object: null,
  message: "The program called abort.",
  check: null,
  confirmed: true,
};
const DETECTED = { kind: "abort", stackKey: "main:3", site: null, detail: null };

function outcome(end: PathEnd, newBlocks: number[] = []): RunOutcome {
  return { end, instructions: 10, newBlocks, objects: [{ name: "stdin", size: 1, firstVariable: 0 }], losses: {} };
}
function finished(byte: number, end: PathEnd, newBlocks: number[] = []): EngineEvent {
  return {
    kind: "run-finished",
    input: Uint8Array.of(byte),
    outcome: outcome(end, newBlocks),
    origin: "revived",
    depth: 1,
    isPath: true,
  };
}
const EXIT: PathEnd = { kind: "exit", code: 0 };
const BUG: PathEnd = { kind: "finding", finding: DETECTED };
const confirmed = (byte: number): EngineEvent => ({
  kind: "finding-confirmed",
  finding: DETECTED,
  input: Uint8Array.of(byte),
  smaller: null,
  outcome: outcome(BUG),
  depth: 1,
});
const DONE: EngineEvent = { kind: "done", reason: "exhausted", complete: true };

/** An exploration that says what it is told to say. */
class FakeExplorer implements Explorer {
  private readonly counters = new Counters();

  constructor(
    private readonly list: readonly EngineEvent[],
    /** How findings end when they are run again, if not as before. */
    private readonly ends: Exclude<Confirmation, { kind: "confirmed" }> | null = null,
  ) {}

  *events(): Generator<EngineEvent, EngineStatistics> {
    for (const event of this.list) {
      if (event.kind === "run-finished") {
        this.counters.paths++;
        this.counters.coveredBlocks += event.outcome.newBlocks.length;
      }
      if (event.kind === "finding-confirmed") this.counters.findings++;
      yield event;
    }
    return this.statistics();
  }

  valuesOf(input: Uint8Array): ReturnType<Explorer["valuesOf"]> {
    return [{ name: "stdin", occurrence: 0, bytes: input }];
  }

  statistics(): EngineStatistics {
    const solver = {
      queries: 1,
      satisfiable: 1,
      unsatisfiable: 0,
      unknown: 0,
      timeMs: 1,
      unsatisfiableTimeMs: 0,
      checksPutOff: 0,
    };
    return {
      ...this.counters,
      timeMs: 10,
      pathsPerSecond: 100,
      pending: 0,
      treeBytes: 0,
      solver,
      solverShare: 0.1,
      unsatisfiableShare: 0,
      coverage: new CoverageCurve().points,
    };
  }

  solverStats(): ReturnType<Explorer["solverStats"]> {
    return { total: { calls: 0 }, unsatShare: 0, layers: [], details: {} } as unknown as ReturnType<
      Explorer["solverStats"]
    >;
  }

  readonly withdrawn: string[] = [];

  confirm(values: ReturnType<Explorer["valuesOf"]>): Confirmation {
    if (this.ends !== null) return this.ends;
    const [byte] = values[0].bytes;
    const finding = byte >= 0x80 ? { ...FINDING, kind: "no-progress" as const } : FINDING;
    return { kind: "confirmed", finding };
  }

  identify({ kind }: Finding): FindingIdentity {
    return { id: kind, formerId: kind, group: kind, fingerprint: kind, identity: kind, cause: kind, place: kind };
  }

  placeOfSite(site: SiteId): string {
    return `main /a.c:${site}`;
  }

  withdraw({ stackKey }: { readonly stackKey: string }): void {
    this.withdrawn.push(stackKey);
  }

  isStopped = false;
  stop(): void {
    this.isStopped = true;
  }

  coverage(): ReturnType<Explorer["coverage"]> {
    return { coveredInstructions: 7, totalBlocks: 10 };
  }

  lcov(): string {
    return "TN:\n";
  }

  keepFailure(): string | null {
    return null;
  }
}

function session(name: string, explorer: FakeExplorer, json = false, stopAt: KindName | null = null) {
  const messages: SessionMessage[] = [];
  const record = {
    program: "p",
    programPath: "/bin/true",
    native: true,
    inputs: { ...NO_INPUTS, stdin: 1 },
    producer: "t",
    writeAll: false,
    mostPlainTests: 1,
    testsBefore: 0,
    findingsBefore: 0,
    startedAt: new Date(0),
  };
  let now = 0;
  const options = { program: "p", limitMs: null, stopAt, json, now: () => (now += 60), memoryBytes: () => 0 };
  const folder = new RunFolder(record, new FileWriter(join(base, name)));
  const summary = new ExploreSession(explorer, folder, options, (message) => messages.push(message)).run();
  const read = (file: string): string => readFileSync(join(base, name, file), "utf8");
  return { messages, summary, read, has: (file: string) => existsSync(join(base, name, file)) };
}

test("session: paths are written by what they bring, findings with their error text and folder", () => {
  const explorer = new FakeExplorer([
    finished(1, EXIT, [0]),
    finished(2, EXIT),
    finished(3, EXIT),
    finished(4, BUG),
    { kind: "finding-candidate", finding: DETECTED, input: Uint8Array.of(4) },
    confirmed(4),
    finished(5, BUG),
    finished(6, EXIT, [1]),
    DONE,
  ]);
  const { summary, read, has, messages } = session("paths", explorer);
  assert.equal(
    read("tests.csv").replace(/,[\d.]+$/gm, ""),
    "test,end,covers_new,instructions,seconds\ntest000001,exit 0,1,10\ntest000002,exit 0,0,10\ntest000003,abort,0,10\ntest000004,exit 0,1,10\n",
  );
  assert.ok(has("test000003.abort.err"));
  assert.ok(has("findings/001-abort/reproduce.sh"));
  assert.equal(summary.testsSkipped, 2, "the third path, and the second that shows the same finding");
  assert.equal(summary.findings, 1);
  assert.deepEqual(
    messages.filter(({ kind }) => kind !== "status" && kind !== "so-far").map(({ kind }) => kind),
    ["seen", "judged", "finding", "ending", "done"],
  );
  assert.match(read("coverage.csv"), /^seconds,.*\n0.010,7,/);
  assert.equal(JSON.parse(read("statistics.json")).paths, 6);
});

test("session: the first finding of the wanted kind is the last, others are not", () => {
  const aborted: EngineEvent = { kind: "done", reason: "aborted", complete: false };
  const other = new FakeExplorer([finished(1, BUG), confirmed(1), DONE]);
  assert.equal(session("other-kind", other, false, "stack-overflow").summary.reason, "exhausted");
  assert.equal(other.isStopped, false);
  const wanted = new FakeExplorer([finished(1, BUG), confirmed(1), aborted]);
  assert.equal(session("wanted-kind", wanted, false, "abort").summary.reason, "first-finding");
  assert.equal(wanted.isStopped, true);
});

test("session: a run that was set aside has a test if it covered something new, and is no finding", () => {
  const cut: PathEnd = { kind: "limit", limit: "instructions" };
  const setAside = (byte: number, newBlocks: number[]): EngineEvent => {
    const event = finished(byte, cut, newBlocks);
    return event.kind === "run-finished" ? { ...event, isPath: false } : event;
  };
  const { summary, read } = session("set-aside", new FakeExplorer([setAside(0x80, [0]), setAside(0x81, []), DONE]));
  assert.match(read("tests.csv"), /^test000001,set aside,1,10,/m);
  assert.equal(summary.testsWritten, 1);
  assert.equal(summary.findings, 0);
});

test("session: a finding that a concrete run does not show is not reported, but counted", () => {
  const explorer = new FakeExplorer([finished(1, BUG), confirmed(1), DONE], {
    kind: "not-reproduced",
    end: "exit 0",
  });
  const { summary, messages, has } = session("unconfirmed", explorer);
  assert.deepEqual(explorer.withdrawn, ["main:3"], "another witness is wanted");
  assert.equal(summary.unconfirmed, 1);
  assert.ok(!messages.some(({ kind }) => kind === "finding"));
  assert.ok(!has("findings"));
  assert.ok(has("test000001.ktest"), "the path itself is a test all the same");
});

test("session: a failure that there was no time to confirm is told as that, and its input is kept", () => {
  const seen: EngineEvent = { kind: "finding-unconfirmed", finding: DETECTED, input: Uint8Array.of(1), objects: [] };
  const byEngine = session("seen", new FakeExplorer([finished(1, BUG), seen, seen, DONE]));
  assert.equal(byEngine.summary.seen, 1, "each place once");
  assert.equal(byEngine.summary.unconfirmed, 0, "it is no contradiction");
  assert.match(
    renderSummary(byEngine.summary),
    /1 failure was seen but could not be confirmed in time: tangent replay /,
  );
  const cut = new FakeExplorer([finished(1, BUG), confirmed(1), DONE], { kind: "limit", limit: "time" });
  const { summary, has, messages } = session("cut", cut);
  assert.equal(summary.seen, 1);
  assert.ok(has("unconfirmed/001.ktest"));
  assert.deepEqual(
    messages.flatMap((message) => (message.kind === "seen" ? [message.name] : message.kind === "judged" ? [""] : [])),
    ["unconfirmed/001.ktest", ""],
    "whoever ends the thread in between can keep it",
  );
});

test("session: events are JSON, a line each", () => {
  const { messages } = session("json", new FakeExplorer([finished(1, BUG, [0]), confirmed(1), DONE]), true);
  const lines = messages
    .flatMap((message) => (message.kind === "events" ? message.text.trimEnd().split("\n") : []))
    .map((line) => JSON.parse(line) as { event: string; seconds: number; input?: Record<string, string> });
  assert.deepEqual(
    lines.map(({ event }) => event).filter((event) => event !== "progress"),
    ["path", "finding", "done", "summary"],
  );
  assert.equal(lines[0].input?.stdin, "01");
  assert.ok(lines.every(({ seconds }) => seconds > 0));
});

test("session: two places of one identity are one finding, and a smaller witness is shown if it is the same", () => {
  const other = { ...DETECTED, stackKey: "main:3 < elsewhere" };
  const small = { ...confirmed(9), smaller: Uint8Array.of(1) } as EngineEvent;
  const again = { ...confirmed(4), finding: other } as EngineEvent;
  const unlike = { ...confirmed(0x90), smaller: Uint8Array.of(2) } as EngineEvent;
  const list = [finished(9, BUG), small, finished(4, BUG), again, finished(0x90, BUG), unlike, DONE];
  const { summary, read, messages } = session("identity", new FakeExplorer(list));
  assert.deepEqual(
    messages.flatMap((message) => (message.kind === "finding" ? [message.sameCause] : [])),
    [null, null],
  );
  assert.equal(summary.findings, 2);
  const input = (folder: string): string => JSON.parse(read(`findings/${folder}/finding.json`)).input.stdin;
  assert.equal(input("001-abort"), "01");
  assert.equal(input("002-no-progress"), "90", "the smaller one shows something else");
});

test("session: a path that ended silently is no test", () => {
  const { has, summary } = session("silent", new FakeExplorer([finished(1, { kind: "silent" }, [0]), DONE]));
  assert.ok(!has("test000001.ktest"));
  assert.equal(summary.testsWritten, 0);
});

test("session: paths that used up their instructions are one finding per function", () => {
  const cut: PathEnd = { kind: "limit", limit: "instructions" };
  const list = [finished(0x80, cut, [0]), finished(0x81, cut), DONE];
  const { summary, read, messages } = session("cut", new FakeExplorer(list));
  assert.equal(summary.findings, 1);
  assert.equal(messages.filter(({ kind }) => kind === "finding").length, 1);
  assert.match(read("tests.csv"), /test000001,no-progress,.*\ntest000002,limit instructions,/);
});

test("session: an input that took another path than predicted is kept, with the place; of many the first", () => {
  const divergence = {
    position: 7,
    reason: "another decision than predicted",
    expectedSite: 3 as SiteId,
    site: NO_SITE,
  };
  const diverged = (byte: number): EngineEvent => {
    const input = Uint8Array.of(byte);
    return { kind: "divergence", divergence, input, objects: outcome(EXIT).objects };
  };
  const events = Array.from({ length: 20 }, (_, n) => diverged(0x41 + n));
  const { read, has } = session("diverged", new FakeExplorer([...events, DONE]));
  assert.ok(read("divergences/001.ktest").includes("stdin\0\0\0\x01A"));
  assert.equal(
    read("divergences/001.txt"),
    "reason: another decision than predicted\ndecision: 7\nexpected: main /a.c:3\nseen: none\n",
  );
  assert.ok(has("divergences/016.ktest"));
  assert.ok(!has("divergences/017.ktest"));
});
