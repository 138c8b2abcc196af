import assert from "node:assert/strict";
import test from "node:test";
import type { EngineEvent } from "../engine/events.js";
import { NO_INPUTS } from "../inputs/symbolic-inputs.js";
import type { SiteId } from "../path/observer.js";
import { newCell } from "../support/guarded-thread.js";
import type { ExplorePlan } from "../techniques/explore.js";
import { BOARD, type CrewReport, type CrewSetup, goneWord, receive, tell } from "./crew-board.js";
import { CrewExplorer } from "./crew-explorer.js";

const PLAN: ExplorePlan = {
  program: "p",
  workingDirectory: "/",
  environment: [],
  heapBytes: 1 << 20,
  inputs: NO_INPUTS,
  seeds: [],
  mode: "pending",
  checks: "eager",
  joins: true,
  tries: true,
  searcher: "dfs",
  randomSeed: 1,
  limits: {},
  stopAtFirst: false,
  solver: {},
};

/** Two members that are no threads; what becomes of them is said by `hired`. */
function crew(
  hired: (setup: CrewSetup) => void,
  limits: ExplorePlan["limits"] = {},
  printed: string[] = [],
): CrewExplorer {
  const basis = {
    confirm: () => ({ kind: "not-reproduced" as const, end: "exit 0" }),
    uninitialised: () => [],
    identify: () => assert.fail("nothing was found"),
    coverageOf: () => ({ coveredInstructions: 0, totalBlocks: 4 }),
    lcovOf: () => "",
    placeOfSite: (site: number) => `site ${site}`,
  };
  const options = {
    source: { kind: "stored" as const, name: "none" },
    plan: { ...PLAN, limits },
    cell: newCell(),
    workers: 2,
    all: false,
    plainTests: 0,
    coverageBlocks: 4,
    hire: hired,
    print: (text: string) => printed.push(text),
  };
  return new CrewExplorer(options, basis);
}

function die({ board, index }: CrewSetup): void {
  Atomics.store(board, goneWord(board, index), 1);
  tell(board, BOARD.activity);
}

/** Says that its part is done, as soon as it has been given one. */
function work(setup: CrewSetup, report: Partial<CrewReport>, explorer: () => CrewExplorer): void {
  const order = receive(setup.port, setup.board, BOARD.mail + setup.index, 0);
  if (order === null) return;
  const statistics = explorer().statistics();
  const solver = explorer().solverStats();
  const nothing = { paths: [], diverged: [], parts: [], printed: [], statistics, solver, finished: true };
  setup.port.postMessage({ ...nothing, ...report });
  tell(setup.board, BOARD.activity);
}

function last(events: Iterable<EngineEvent>): EngineEvent | undefined {
  return [...events].at(-1);
}

test("crew: if all threads die the exploration ends and is not called complete", () => {
  const explorer = crew(die);
  assert.deepEqual(last(explorer.events()), { kind: "done", reason: "exhausted", complete: false });
});

test("crew: a thread that dies at work is counted as lost, and those that are left do the rest", () => {
  const setups: CrewSetup[] = [];
  const explorer = crew((setup) => setups.push(setup));
  const events = explorer.events();
  // The first gets the whole tree, gives a part of it away and dies; the second has that part.
  const part = { values: [], depth: 1, instructions: 0 };
  const told: EngineEvent[] = [];
  let round = 0;
  const timer = explorer as unknown as { assign(isOver: boolean): boolean };
  const assign = timer.assign.bind(explorer);
  timer.assign = (isOver) => {
    const isGoing = assign(isOver);
    if (round++ === 0) {
      work(setups[0], { parts: [part], finished: null }, () => explorer);
      die(setups[0]);
    } else work(setups[1], {}, () => explorer);
    return isGoing;
  };
  for (const event of events) told.push(event);
  assert.deepEqual(told.at(-1), { kind: "done", reason: "exhausted", complete: false });
  assert.equal(explorer.statistics().losses["a thread died with its part"], 1);
});

test("crew: threads that do not stop when the time is over are not waited for", () => {
  const explorer = crew(() => {}, { timeMs: 50 });
  assert.deepEqual(last(explorer.events()), { kind: "done", reason: "time", complete: false });
});

test("crew: what the program wants printed is printed", () => {
  const printed: string[] = [];
  const setups: CrewSetup[] = [];
  const explorer = crew((setup) => setups.push(setup), { timeMs: 50 }, printed);
  const report = { printed: ["x: 7\n"], paths: [], diverged: [], parts: [], finished: null };
  setups[1].port.postMessage({ ...report, statistics: explorer.statistics(), solver: explorer.solverStats() });
  last(explorer.events());
  assert.deepEqual(printed, ["x: 7\n"]);
});

test("crew: a thread's run that took another path than predicted is told with its input", () => {
  const setups: CrewSetup[] = [];
  const explorer = crew((setup) => setups.push(setup), { timeMs: 50 });
  const divergence = { position: 1, reason: "another decision", expectedSite: 1 as SiteId, site: 2 as SiteId };
  const values = [{ name: "stdin", occurrence: 0, bytes: Uint8Array.of(7) }];
  const report = { printed: [], paths: [], diverged: [{ divergence, values }], parts: [], finished: null };
  setups[0].port.postMessage({ ...report, statistics: explorer.statistics(), solver: explorer.solverStats() });
  const told = [...explorer.events()].filter((event) => event.kind === "divergence");
  assert.deepEqual(
    told.map(({ divergence: seen, input }) => ({ seen, values: explorer.valuesOf(input) })),
    [{ seen: divergence, values }],
  );
});
