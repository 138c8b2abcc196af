// Composition on small programs: failures deep in a function are lifted to main, and twins whose callers check are explained. Some of
// each kind; `npm run qualify:compose` does all of them.

import { describeComposition } from "./compose-fixture.js";
import { composeInProcess } from "./compose-in-process.js";
import { COMPOSE_PROGRAMS } from "./compose-manifest.js";

/** The others take minutes. */
const CHOSEN = new Set(["paper", "ring-state", "two-chains", "expression-tree", "undo", "label-copy", "checksum"]);
const BUDGET_MS = 20_000;

const others = COMPOSE_PROGRAMS.filter(({ name }) => !CHOSEN.has(name)).flatMap(({ name }) => [name, `${name}-twin`]);
const skip = Object.fromEntries(others.map((name) => [name, "npm run qualify:compose"]));

describeComposition((entry) => composeInProcess(entry, { budgetMs: BUDGET_MS, stopsAtMark: !entry.isTwin }), skip);
