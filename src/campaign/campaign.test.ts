import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { Campaign, type CampaignEnd, type CampaignOptions } from "./campaign.js";
import { threadCrew } from "./crew.js";
import type { CampaignEvent } from "./events.js";
import { type FakeItem, FakeTechnique, type FakeWork, FRAIL_TRIES, fakeItem } from "./fake-technique-fixture.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-campaign-"));
let journals = 0;
const freshJournal = (): string => join(folder, `${journals++}.journal`);

type Event = CampaignEvent<FakeWork, string>;

interface Held {
  readonly technique: FakeTechnique;
  readonly campaign: Campaign<FakeWork, string>;
  readonly events: Event[];
  readonly end: CampaignEnd;
}

async function hold(
  technique: FakeTechnique,
  options: Partial<CampaignOptions> = {},
  journalPath = freshJournal(),
  watch: (event: Event, campaign: Campaign<FakeWork, string>) => void = () => {},
): Promise<Held> {
  const events: Event[] = [];
  const programs = ["p", "q", "slow", "bad", "stuck", "frail"].map((content) => ({
    content,
    path: `/${content}`,
    name: content,
  }));
  const campaign: Campaign<FakeWork, string> = new Campaign(
    {
      technique,
      programs,
      script: new URL("./fake-technique-fixture.js", import.meta.url),
      setup: { technique: "fake", setup: null, env: {}, startable: [] },
      journalPath,
      listen: (event) => {
        events.push(event);
        watch(event, campaign);
      },
    },
    { budgetMs: 60_000, tool: "1.0.0", ...options },
  );
  return { technique, campaign, events, end: await campaign.run() };
}

const ends = (...keys: string[]): FakeItem[] => keys.map((key) => fakeItem(key, { what: "end" }));
const kinds = (events: readonly Event[], kind: Event["kind"]): string[] =>
  events.flatMap((event) => (event.kind === kind && "item" in event ? [event.item.key] : []));

describe("campaign", () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("does all rounds in order and says that it is complete", async () => {
    const { technique, events, end } = await hold(new FakeTechnique([ends("a", "b"), [], ends("c")]));
    assert.deepEqual(technique.absorbed, ["a: ended", "b: ended", "c: ended"]);
    assert.deepEqual(kinds(events, "item-begins"), ["a", "b", "c"]);
    assert.equal(end.reason, "complete");
  });

  it("a hand that would be idle gets more to do, which is absorbed after what began before", async () => {
    const long = fakeItem("long", { what: "end", ms: 1500 });
    const technique = () => new FakeTechnique([[long, ...ends("a")], ends("z")], {}, [], [], ends("b", "c"));
    const two = technique();
    const { events } = await hold(two, { workers: 2 });
    assert.deepEqual(two.absorbed, ["long: ended", "a: ended", "b: ended", "c: ended", "z: ended"]);
    const order = kinds(events, "item-begins");
    assert.ok(order.indexOf("c") < order.indexOf("z"), "in the same round");
    const one = technique();
    await hold(one, { workers: 1 });
    assert.deepEqual(one.absorbed, ["long: ended", "a: ended", "z: ended"], "nobody was idle");
  });

  it("a thread that is idle at a campaign's end serves the next one, to which it is as a new one; one that hangs does not", async () => {
    const script = new URL("./fake-technique-fixture.js", import.meta.url);
    const crew = threadCrew(2);
    const [first, second] = [crew.hire(script), crew.hire(script)];
    crew.dismiss(first);
    second.discard();
    crew.dismiss(second);
    const other = threadCrew(2);
    assert.equal(other.hire(script), first);
    const third = other.hire(script);
    assert.ok(third !== second && third.isAlive);
    for (const hand of [first, third]) hand.discard();
    for (const keys of [["a"], ["b"]]) {
      const { events } = await hold(new FakeTechnique([ends(...keys)]), { workers: 1 });
      assert.deepEqual(kinds(events, "item-begins"), keys);
      assert.equal(events.filter(({ kind }) => kind === "program-ready").length, 1, "its programs are loaded again");
    }
  });

  it("a round whose part of the time is up gives way to the next, and only then", async () => {
    const rounds = [ends("a"), ends("b", "c"), ends("d")];
    const { technique, events, end } = await hold(new FakeTechnique(rounds, {}, ends("e"), [0.9, 0, 1]));
    assert.deepEqual(kinds(events, "item-begins"), ["a", "d", "e"]);
    assert.deepEqual(technique.absorbed, ["a: ended", "d: ended", "e: ended"]);
    assert.equal(end.reason, "complete");
  });

  it("a program that an item starts is got ready when it is wanted; one that cannot be is done without", async () => {
    const items = [
      fakeItem("a", { what: "start", programs: ["q", "bad", "nowhere"] }),
      fakeItem("b", { what: "start", programs: ["bad", "q"] }),
      ...ends("c"),
    ];
    const { technique, events, end } = await hold(new FakeTechnique([items]));
    assert.deepEqual(technique.absorbed, ["a: started q", "b: started q", "c: ended"]);
    assert.deepEqual(kinds(events, "item-begins"), ["a", "b", "c"], "an item begins once");
    assert.equal(events.filter(({ kind }) => kind === "program-failed").length, 1);
    assert.equal(end.reason, "complete");
  });

  it("an item whose finding could not be kept is done again by the next campaign", async () => {
    const items = [fakeItem("finds", { what: "find", ids: ["x"] }), ...ends("b")];
    const path = freshJournal();
    await hold(new FakeTechnique([items]), {}, path, (event, campaign) => {
      if (event.kind === "finding") campaign.doAgainNextTime(event.placed.item.key);
    });
    const { events } = await hold(new FakeTechnique([items]), {}, path);
    assert.deepEqual(kinds(events, "item-begins"), ["finds"]);
    assert.deepEqual(kinds(events, "item-known"), ["b"]);
  });

  it("threads that wait for a program until the time is up do not begin to load it themselves, one after the other", async () => {
    const items = Array.from({ length: 20 }, (_, index) => fakeItem(`s${index}`, { what: "end" }, "stuck"));
    const { end } = await hold(new FakeTechnique([items]), { budgetMs: 300, workers: 20 });
    assert.equal(end.reason, "time");
    assert.ok(end.durationMs < 10_000, `${end.durationMs} ms, and a second each for twenty threads would be 20000`);
  });

  it("a program that could be loaded is loaded again if a thread dies of it, and its items are done", async () => {
    rmSync(FRAIL_TRIES, { force: true });
    const items = [
      fakeItem("a", { what: "end" }, "frail"),
      fakeItem("exits", { what: "exit" }, "frail"),
      fakeItem("b", { what: "end" }, "frail"),
    ];
    const { technique, events } = await hold(new FakeTechnique([items]), { workers: 1 });
    assert.ok(technique.absorbed.includes("b: ended"), technique.absorbed.join());
    assert.equal(events.filter(({ kind }) => kind === "program-failed").length, 0);
    assert.equal(readFileSync(FRAIL_TRIES, "utf8").length, 3);
    rmSync(FRAIL_TRIES);
  });

  it("what throws, dies or hangs costs its own item only, and what it had found is kept", async () => {
    const items = [
      fakeItem("throws", { what: "throw", ids: ["x"] }),
      fakeItem("ok", { what: "end" }),
      fakeItem("hangs", { what: "hang", ids: ["y"] }),
      fakeItem("exits", { what: "exit" }),
      fakeItem("skipped", { what: "skip" }),
      fakeItem("last", { what: "find", ids: ["x", "z"] }),
    ];
    const { technique, campaign, events, end } = await hold(new FakeTechnique([items]), { itemMs: 300 });
    assert.deepEqual(technique.absorbed, ["ok: ended", "last: ended"]);
    const lost = events.flatMap((event) => (event.kind === "item-lost" ? [`${event.item.key} ${event.why}`] : []));
    assert.deepEqual(lost, ["throws died", "hangs overdue", "exits died"]);
    assert.deepEqual(kinds(events, "item-skipped"), ["skipped"]);
    assert.deepEqual(
      campaign.found.list().map(({ found, item }) => `${found.identity.id} by ${item.key}`),
      ["x by throws", "y by hangs", "z by last"],
    );
    assert.equal(end.reason, "complete");
  });

  it("ends when the time is up, also if the item of that moment never would", async () => {
    const started = performance.now();
    const items = [fakeItem("hangs", { what: "hang" }), ...ends("never")];
    const { technique, end } = await hold(new FakeTechnique([items]), { budgetMs: 500 });
    assert.equal(end.reason, "time");
    assert.deepEqual(technique.absorbed, []);
    assert.ok(performance.now() - started < 20_000);
  });

  it("has a last round when all is done, and when the time is up", async () => {
    const settings = { depth: 1 };
    const done = await hold(new FakeTechnique([ends("a")], settings, ends("last")));
    assert.deepEqual(done.technique.absorbed, ["a: ended", "last: ended"]);
    assert.equal(done.end.reason, "complete");
    const items = ["hangs", "too"].map((key) => fakeItem(key, { what: "hang-politely" }));
    const late = await hold(new FakeTechnique([[...items, ...ends("never")]], settings, ends("last")), {
      budgetMs: 8000,
    });
    assert.deepEqual(late.technique.absorbed, ["hangs: asked to stop", "last: ended", "too: asked to stop"]);
    assert.equal(late.end.reason, "time", "what comes after the time is no reason to call it complete");
  });

  it("what was kept for the last round and not needed is used for what was not begun", async () => {
    const items = [fakeItem("hangs", { what: "hang-politely" }), ...ends("next")];
    const technique = new FakeTechnique([items, ends("after")], { depth: 1 }, ends("last"));
    const { end } = await hold(technique, { budgetMs: 8000, itemMs: 8000 });
    assert.deepEqual(technique.absorbed, ["hangs: asked to stop", "last: ended", "next: ended", "after: ended"]);
    assert.equal(end.reason, "complete");
  });

  it("its time may have begun before it did: what was loaded for it counts", async () => {
    const began = { budgetMs: 3_600_000, beganMs: performance.now() - 3_600_000 };
    const late = await hold(new FakeTechnique([ends("a")]), began);
    assert.equal(late.end.reason, "time");
    assert.deepEqual(late.technique.absorbed, []);
    assert.ok(late.end.durationMs >= 3_600_000);
  });

  it("a campaign that is stopped has no last round", async () => {
    const items = [fakeItem("one", { what: "hang-politely" })];
    const technique = new FakeTechnique([items], { depth: 1 }, ends("last"));
    const { events, end } = await hold(technique, {}, freshJournal(), (event, its) => {
      if (event.kind === "item-begins") setTimeout(() => its.stop(), 50);
    });
    assert.equal(end.reason, "aborted");
    assert.deepEqual(kinds(events, "item-begins"), ["one"]);
  });

  it("when it is asked to stop, polite items report and others are left behind", async () => {
    for (const what of ["hang-politely", "hang"] as const) {
      const items = [fakeItem("first", { what: "find", ids: ["f"] }), fakeItem("one", { what }), ...ends("never")];
      const held = await hold(new FakeTechnique([items]), {}, freshJournal(), (event, its) => {
        if (event.kind === "item-begins" && event.item.key === "one") setTimeout(() => its.stop(), 50);
      });
      const { technique, campaign, events, end } = held;
      assert.equal(end.reason, "aborted");
      assert.deepEqual(kinds(events, "item-cut"), what === "hang" ? ["one"] : []);
      assert.deepEqual(technique.absorbed, what === "hang" ? ["first: ended"] : ["first: ended", "one: asked to stop"]);
      assert.equal(campaign.found.count, 1);
    }
  });

  it("goes on where an earlier one was stopped, and does again what was cut short", async () => {
    const path = freshJournal();
    const rounds = (): FakeItem[][] => [[...ends("a", "b"), fakeItem("cut", { what: "cut" })], ends("c", "d")];
    const first = await hold(new FakeTechnique(rounds()), {}, path, (event, campaign) => {
      if (event.kind === "item-begins" && event.item.key === "c") campaign.stop();
    });
    assert.equal(first.end.reason, "aborted");
    const second = await hold(new FakeTechnique(rounds()), {}, path);
    assert.deepEqual(second.technique.recalled, ["a", "b"]);
    assert.equal(second.end.known, 2);
    assert.deepEqual(second.technique.absorbed, ["cut: cut", "c: ended", "d: ended"]);
    const again = await hold(new FakeTechnique(rounds()), { again: true }, path);
    assert.equal(again.end.known, 0);
    assert.equal(again.technique.absorbed.length, 5);
  });

  it("what its time cut is known to the next campaign, and done again only with twice the time", async () => {
    const path = freshJournal();
    const held = async (ms: number, itemMs: number): Promise<Held> => {
      const technique = new FakeTechnique([[...ends("a"), fakeItem("cut", { what: "cut", ms })]]);
      technique.keepsCutItems = true;
      return hold(technique, { itemMs }, path);
    };
    assert.deepEqual((await held(200, 300)).technique.absorbed, ["a: ended", "cut: cut"]);
    const same = await held(200, 300);
    assert.deepEqual([same.technique.absorbed, same.technique.recalled], [[], ["a", "cut"]]);
    const longer = await held(0, 60_000);
    assert.deepEqual([longer.technique.absorbed, longer.technique.recalled], [["cut: cut"], ["a"]]);
  });

  it("what is no longer wanted when its turn comes is passed by", async () => {
    const technique = new FakeTechnique([ends("a", "b", "c")]);
    technique.unwanted.add("b");
    await hold(technique);
    assert.deepEqual([technique.absorbed, technique.passedBy], [["a: ended", "c: ended"], ["b"]]);
  });

  it("of two equal findings the one of the lower rank stands, though it came later", async () => {
    const found = ["first", "second"].map((key) => fakeItem(key, { what: "find", ids: ["f"] }));
    const technique = new FakeTechnique([found]);
    technique.ofLowRank.add("first");
    const { campaign, events } = await hold(technique);
    assert.deepEqual(
      campaign.found.list().map(({ item }) => item.key),
      ["second"],
    );
    assert.equal(events.filter(({ kind }) => kind === "finding").length, 1, "it is told once");
  });

  it("a journal of another version or with other settings is told and not continued", async () => {
    const path = freshJournal();
    await hold(new FakeTechnique([ends("a")]), { tool: "0.9.0" }, path);
    const other = await hold(new FakeTechnique([ends("a")]), {}, path);
    assert.equal(other.end.known, 0);
    assert.ok(other.campaign.journal.isBegunAnew);
    assert.ok(other.events.some((event) => event.kind === "note" && /0\.9\.0/.test(event.text)));
    const settings = await hold(new FakeTechnique([ends("a")], { depth: 2 }), {}, path);
    assert.equal(settings.end.known, 0);
  });

  it("what the journal remembers is judged by the technique: nonsense is done again", async () => {
    const path = freshJournal();
    await hold(new FakeTechnique([ends("a", "b")]), {}, path);
    writeFileSync(path, readFileSync(path, "utf8").replace('{"result":"ended"}', '"anything"'));
    const { technique, end } = await hold(new FakeTechnique([ends("a", "b")]), {}, path);
    assert.deepEqual(technique.absorbed, ["a: ended"]);
    assert.equal(end.known, 1);
  });

  it("programs are got ready when an item first needs them; one that cannot be costs its own items only", async () => {
    const items = [
      fakeItem("a", { what: "end" }),
      fakeItem("b", { what: "end" }, "bad"),
      fakeItem("c", { what: "end" }, "q"),
      fakeItem("d", { what: "end" }, "bad"),
      fakeItem("e", { what: "end" }, "unheard-of"),
    ];
    const { technique, events } = await hold(new FakeTechnique([items]));
    assert.deepEqual(technique.absorbed, ["a: ended", "c: ended"]);
    assert.deepEqual(kinds(events, "item-skipped"), ["b", "d", "e"]);
    const programs = events.flatMap((event) =>
      event.kind === "program-ready" || event.kind === "program-failed" ? [`${event.kind} ${event.program.name}`] : [],
    );
    assert.deepEqual(programs, ["program-ready p", "program-failed bad", "program-ready q"]);
    const notes = events.flatMap((event) => (event.kind === "note" ? [event.text] : []));
    assert.deepEqual(notes, ["q: warning: half of it is missing"]);
    const order = events.map((event) => event.kind);
    assert.ok(order.indexOf("item-ended") < order.lastIndexOf("program-ready"), "the first item did not wait for all");
  });

  it("what an item needs of its program besides is made once, and only for those that need it", async () => {
    const needing = (key: string, needs: readonly string[], program = "p"): FakeItem => ({
      ...fakeItem(key, { what: "extra" }, program),
      needs,
    });
    const items = [
      needing("a", []),
      needing("b", ["graph"]),
      needing("c", ["graph", "old"]),
      needing("d", ["bad"]),
      needing("e", ["graph"], "q"),
    ];
    const { technique, events } = await hold(new FakeTechnique([items]));
    assert.deepEqual(technique.absorbed, ["a: ", "b: graph 1", "c: graph 1, old 2", "e: graph 3"]);
    assert.deepEqual(kinds(events, "item-skipped"), ["d"]);
    const failures = events.flatMap((event) => (event.kind === "program-failed" ? [event.message] : []));
    assert.deepEqual(failures, ["p has no bad"]);
  });

  it("several threads: nothing in the results depends on which of them was faster", async () => {
    const items = [
      fakeItem("slow", { what: "find", ms: 300, ids: ["x"] }, "slow"),
      fakeItem("quick", { what: "find", ids: ["x", "y"] }),
      fakeItem("dies", { what: "throw" }),
      fakeItem("third", { what: "find", ids: ["y", "z"] }, "slow"),
    ];
    const outcomes: unknown[] = [];
    for (const workers of [1, 2, 4]) {
      const { technique, campaign, end } = await hold(new FakeTechnique([items, ends("later")]), { workers });
      assert.equal(end.reason, "complete");
      const found = campaign.found.list().map(({ found, item }) => `${found.identity.id} by ${item.key}`);
      outcomes.push({ absorbed: technique.absorbed, found });
    }
    assert.deepEqual(outcomes[0], {
      absorbed: ["slow: ended", "quick: ended", "third: ended", "later: ended"],
      found: ["x by slow", "y by quick", "z by third"],
    });
    assert.deepEqual(outcomes[1], outcomes[0]);
    assert.deepEqual(outcomes[2], outcomes[0]);
  });

  it("gives up if no thread lives", async () => {
    const items = Array.from({ length: 20 }, (_, index) => fakeItem(`${index}`, { what: "exit" }));
    const { events, end } = await hold(new FakeTechnique([items]));
    assert.equal(end.reason, "failed");
    assert.match(end.message, /no thread/);
    assert.ok(kinds(events, "item-lost").length < 20);
  });
});
