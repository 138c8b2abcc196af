// What a technique asks of the engine, on real C: to see every branch with both its sides, to know why a path is infeasible,
// to choose the order, the checks and the end.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ProgramImage } from "../jit/image.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import { type AbsoluteRow, type OtherSide, ROW } from "../path/tree.js";
import type { Searcher, SearcherParts } from "../search/searcher.js";
import { assembleSolver } from "../solver/chain.js";
import { Engine } from "./engine.js";
import type { BranchPlace } from "./options.js";
import { compileUnit, executorOf, exploreUnit, unit } from "./unit-fixture.js";

const SOURCE = `
int grade(int age, int points) {
  if (age < 18)                        /* 3 */
    return 1;
  if (points > 50) {                   /* 5 */
    if (age == 12)                      /* 6: never */
      return 2;
    if (points > 90)                    /* 8 */
      return 3;
  }
  switch (points) {                     /* 11 */
    case 7: return 4;
    case 8: return 5;
  }
  return 6;
}
int loops(unsigned char *p) {
  int n = 0;
  for (int k = 0; k < 3; k++)
    if (p[k] > 100) n++;               /* 20 */
  if (p[1] == 50 && n == 3)            /* 21 */
    return -1;
  return n;
}
int risky(int a, int b, int *t) {
  int r = 0;
  if (a) r += 100 / (b + 1);           /* 27 */
  return r + t[a & 3];                  /* 28 */
}
int main(int argc, char **argv) { (void)argv; return grade(argc, argc); }
#include <sys/wait.h>
#include <unistd.h>
int asks(int n) {
  int status = 0;
  if (fork() == 0) _exit(n == 7 ? 1 : 0);
  wait(&status);
  return status != 0;
}
`;

const SYMBOLIC = { kind: "symbolic" } as const;
const GRADE = unit("grade", { parameters: [SYMBOLIC, SYMBOLIC] });
const LOOPS = unit("loops", { parameters: [{ kind: "object", size: 3 }] });
const RISKY = unit("risky", { parameters: [SYMBOLIC, SYMBOLIC, { kind: "object", size: 8 }] });

describe("the engine for techniques", () => {
  let image: ProgramImage;
  before(async () => {
    image = await compileUnit(SOURCE);
  });
  const lineOf = (site: number): number => image.locations[image.sites[site]?.location ?? -1]?.line ?? 0;

  it("a function that leaves the answer to another process is not explored on every way", () => {
    const { isComplete, statistics } = exploreUnit(image, unit("asks", { parameters: [SYMBOLIC] }), {
      engine: { limits: { paths: 9, timeMs: 20_000 } },
    });
    assert.equal(isComplete, false, JSON.stringify(statistics.losses));
  });

  it("a listener sees every branch with its static identity, both sides, and what is known of the other", () => {
    const executor = executorOf(image, GRADE);
    const seen = new Map<number, Set<OtherSide>>();
    const engine: Engine = new Engine(executor, {
      solver: assembleSolver(executor.arena, {}),
      mode: "eager",
      searcher: "dfs",
      listeners: [
        {
          decision: (site, kind, _holds, _position, row) => {
            if ((kind & 0x7f) !== ROW.branch || row < 0) return;
            const known = seen.get(lineOf(site)) ?? new Set();
            known.add(engine.tree.knowledge(row));
            seen.set(lineOf(site), known);
            const { successors, kind: what, functionIndex } = image.sites[site];
            assert.equal(what, "branch");
            assert.equal(image.functions[functionIndex].name, "grade");
            assert.equal(new Set(successors).size, 2);
            for (const block of successors) assert.equal(image.coverage[block].functionIndex, functionIndex);
          },
        },
      ],
    });
    const last = [...engine.explore()].at(-1);
    assert.ok(last?.kind === "done" && last.complete);
    assert.deepEqual(
      [...seen.keys()].sort((a, b) => a - b),
      [3, 5, 6, 8],
    );
    assert.deepEqual(seen.get(6), new Set(["infeasible"]));
    for (const line of [3, 5, 8]) assert.equal(seen.get(line)?.has("infeasible"), false);
    assert.ok(seen.get(3)?.has("feasible"));
  });

  it("the other side of a branch is open until it is asked, then feasible or infeasible", () => {
    const rows: { line: number; row: AbsoluteRow }[] = [];
    const explored = exploreUnit(image, GRADE, {
      engine: {
        limits: { paths: 1 },
        seeds: [],
        listeners: [{ decision: (site, _kind, _holds, _position, row) => rows.push({ line: lineOf(site), row }) }],
      },
    });
    const { tree } = explored.engine;
    assert.deepEqual(
      rows.map(({ line, row }) => [line, tree.knowledge(row)]),
      [[3, "open"]],
    );
  });

  it("why a pending path is infeasible is told by the earlier branches, named by site and occurrence", () => {
    const why: string[] = [];
    const place = ({ site, occurrence }: BranchPlace): string => `${lineOf(site)}#${occurrence}`;
    const { isComplete } = exploreUnit(image, GRADE, {
      engine: { listeners: [{ infeasible: (goal, core) => why.push(`${place(goal)} by ${core.map(place)}`) }] },
    });
    // points > 50 leaves no case of the switch.
    assert.deepEqual(new Set(why), new Set(["6#0 by 3#0", "11#0 by 5#0"]));
    assert.equal(isComplete, true);
    const loops: string[] = [];
    exploreUnit(image, LOOPS, {
      engine: { listeners: [{ infeasible: (goal, core) => loops.push(`${place(goal)} by ${core.map(place)}`) }] },
    });
    // The second time round the loop is the one that p[1] == 50 contradicts.
    assert.ok(loops.length > 0);
    assert.deepEqual(new Set(loops), new Set(["21#0 by 20#1"]));
  });

  it("a technique asks for itself, without giving the path up", () => {
    // What lies deepest is asked last, so the branch on line 6 is still pending.
    const { engine } = exploreUnit(image, GRADE, {
      engine: { limits: { paths: 3 }, searcher: (parts) => new ByRank(parts, lineOf) },
    });
    const reasons: string[] = [];
    const { pending } = engine.tree;
    for (let place = 0; place < pending.end; place++) {
      const id = place as PendingId;
      if (!pending.isLive(id)) continue;
      const core = engine.whyInfeasible(id);
      reasons.push(
        `${lineOf(engine.tree.siteOf(id))}: ${core === null ? "feasible" : core.map(({ site }) => lineOf(site))}`,
      );
      assert.ok(pending.isLive(id));
    }
    assert.ok(reasons.includes("6: 3"), reasons.join("; "));
    assert.ok(reasons.some((reason) => reason.endsWith("feasible")));
  });

  it("a searcher of the technique's own decides which side of which branch comes next", () => {
    const order: number[] = [];
    exploreUnit(image, GRADE, {
      engine: {
        searcher: (parts) => {
          const searcher = new ByRank(parts, (site) => lineOf(site));
          return Object.assign(searcher, { taken: (site: number) => order.push(lineOf(site)) });
        },
      },
    });
    // Nearest to the start of the function first: the paper's breadth, by lines.
    assert.deepEqual(order.slice(0, 2), [3, 5]);
    assert.equal(order.at(-1), 11);
  });

  it("checks are chosen by site and kind", () => {
    const all = exploreUnit(image, RISKY);
    assert.deepEqual(all.findings.map(({ kind }) => kind).sort(), ["division-by-zero", "read"]);
    const some = exploreUnit(image, RISKY, {
      engine: { checks: (site, kind) => (kind === "division-by-zero" && lineOf(site) === 27 ? "eager" : "off") },
    });
    assert.deepEqual(
      some.findings.map(({ kind }) => kind),
      ["division-by-zero"],
    );
    assert.deepEqual(exploreUnit(image, RISKY, { engine: { checks: "off" } }).findings, []);
  });

  it("limits of the engine end the exploration, and so does one of the technique's own", () => {
    const { statistics, events } = exploreUnit(image, LOOPS, { engine: { limits: { paths: 3 } } });
    assert.equal(statistics.paths, 3);
    assert.deepEqual(events.at(-1), { kind: "done", reason: "paths", complete: false });
    let decisions = 0;
    const limited = exploreUnit(image, LOOPS, {
      engine: {
        abort: {
          get aborted() {
            return decisions > 10;
          },
        },
        listeners: [{ decision: () => decisions++ }],
      },
    });
    assert.deepEqual(limited.events.at(-1), { kind: "done", reason: "aborted", complete: false });
    assert.ok(decisions > 10 && decisions < 20);
  });
});

/** Takes what comes first by a rank of the site. */
class ByRank implements Searcher {
  readonly bytes = 0;
  taken: (site: number) => unknown = () => {};
  private readonly held: PendingId[] = [];

  constructor(
    private readonly parts: SearcherParts,
    private readonly rank: (site: number) => number,
  ) {}

  get size(): number {
    return this.held.length;
  }
  add(id: PendingId): void {
    this.held.push(id);
  }
  take(): PendingId {
    const { tree } = this.parts;
    this.held.sort((a, b) => this.rank(tree.siteOf(a)) - this.rank(tree.siteOf(b)));
    const id = this.held.shift() ?? NO_PENDING;
    if (id !== NO_PENDING) this.taken(tree.siteOf(id));
    return id;
  }
  remove(id: PendingId): void {
    this.held.splice(this.held.indexOf(id), 1);
  }
}
