// All commands, and what is to be prepared for each before its module is loaded. `bin/tangent` and `bin/start.cjs` start before
// anything of this can be read and have lists of their own; test/tidy keeps them the same as this one.

import type { Command } from "./command.js";

/**
 * threads: it works in threads that take and free much memory, and translates programs; short runs: their code is V8's to compile
 * late; translates: it fills the cache without threads.
 */
export type CommandWork = "threads" | "short runs" | "translates";

export interface ListedCommand {
  load(): Promise<{ readonly command: Command }>;
  readonly does?: readonly CommandWork[];
}

export const COMMANDS: { readonly [name: string]: ListedCommand } = {
  cc: { load: () => import("./cc.js") },
  "c++": { load: () => import("./cxx.js") },
  ar: { load: () => import("./ar.js") },
  ranlib: { load: () => import("./ranlib.js") },
  nm: { load: () => import("./nm.js") },
  run: { load: () => import("./run.js") },
  explore: { load: () => import("./explore.js"), does: ["threads"] },
  replay: { load: () => import("./replay.js") },
  init: { load: () => import("./init.js") },
  build: { load: () => import("./build.js"), does: ["translates"] },
  record: { load: () => import("./record.js") },
  seeds: { load: () => import("./seeds.js") },
  amplify: { load: () => import("./amplify.js"), does: ["threads", "short runs"] },
  test: { load: () => import("./test.js"), does: ["threads", "short runs"] },
  fuzz: { load: () => import("./fuzz.js"), does: ["threads", "short runs"] },
  patch: { load: () => import("./patch.js"), does: ["threads"] },
  reach: { load: () => import("./reach.js"), does: ["threads"] },
  unit: { load: () => import("./unit.js"), does: ["threads"] },
  compose: { load: () => import("./compose.js"), does: ["threads"] },
  report: { load: () => import("./report.js") },
  merge: { load: () => import("./merge.js") },
  findings: { load: () => import("./findings.js") },
  show: { load: () => import("./show.js") },
  explain: { load: () => import("./explain.js") },
  demo: { load: () => import("./demo.js"), does: ["threads", "short runs"] },
  ir: { load: () => import("./ir.js") },
  cache: { load: () => import("./cache.js") },
  ui: { load: () => import("./ui.js") },
  worker: { load: () => import("./worker.js"), does: ["threads", "short runs"] },
  help: { load: loadHelp },
};

async function loadHelp(): Promise<{ readonly command: Command }> {
  const { makeHelp } = await import("./help.js");
  const command = makeHelp(async () => {
    const others = Object.entries(COMMANDS).filter(([name]) => name !== "help");
    const loaded = await Promise.all(others.map(([, { load }]) => load()));
    return [...loaded.map((module) => module.command), command];
  });
  return { command };
}
