import assert from "node:assert/strict";
import { it } from "node:test";
import type { Found, WorkItem } from "../campaign/technique.js";
import { Desk } from "./desk.js";

const FOUND = { finding: { kind: "wild-access", message: "wild" }, witness: [], depth: 1 } as unknown as Found;
const ITEM = { key: "k", program: "p", label: "l", work: {} } as unknown as WorkItem;

it("what is run again for workers has the campaign's time and no more, waiting for its turn included", {
  timeout: 60_000,
}, async () => {
  const setup = { technique: "amplify", setup: {}, env: {}, startable: [] };
  const desk = new Desk(new URL("./silent-thread-fixture.js", import.meta.url), setup);
  const program = { content: "c", path: "/none", name: "none" };
  const endMs = performance.now() + 200;
  // Nobody answers, neither to the loading nor to the runs, each of which would be waited for by itself.
  const all = await Promise.all([1, 2, 3].map(() => desk.again({ program }, ITEM, FOUND, endMs)));
  for (const events of all) assert.deepEqual(events[0], { kind: "unconfirmed", what: "wild-access" });
  assert.match(JSON.stringify(all.at(-1)), /no time left to run again here: wild/);
  desk.close();
});
