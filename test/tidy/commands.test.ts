// What starts Tangent knows some commands by name before any module can be read: these lists say what the table of commands says.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { COMMANDS, type CommandWork } from "../../src/cli/command-list.js";

const ROOT = resolve(import.meta.dirname, "../../..");
const read = (name: string): string => readFileSync(resolve(ROOT, name), "utf8");

function those(what: CommandWork): string[] {
  return Object.keys(COMMANDS).filter((name) => COMMANDS[name].does?.includes(what) === true);
}

describe("lists of commands", () => {
  it("bin/tangent sets up malloc for those that work in threads", () => {
    const listed = /case \$\{1:-\} in\n {2}([a-z |]+)\)\n {4}if \[ -z "\$\{MALLOC/.exec(read("bin/tangent"));
    assert.deepEqual(listed?.[1].split(" | ").sort(), those("threads").sort());
  });

  it("bin/start.cjs sets V8's flags for those whose runs are short", () => {
    const listed = /const SHORT_RUNS = (\[.*\]);/.exec(read("bin/start.cjs"));
    assert.deepEqual((JSON.parse(listed?.[1] ?? "") as string[]).sort(), those("short runs").sort());
  });

  it("each is listed by its own name", async () => {
    for (const [name, { load }] of Object.entries(COMMANDS)) assert.equal((await load()).command.name, name);
  });
});
