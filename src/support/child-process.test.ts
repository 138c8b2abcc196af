import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runChild, startChild } from "./child-process.js";
import { childEnvironment, KNOWN_VARIABLES, secretOf, withdrawSecrets } from "./own-environment.js";

const NAMES = [...KNOWN_VARIABLES.passed, ...KNOWN_VARIABLES.notPassed];

function withAll(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, ...Object.fromEntries(NAMES.map((name) => [name, `value of ${name}`])) };
}

function namesIn(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => /^(TANGENT_\w+)=/.exec(line)?.[1] ?? []);
}

describe("what a child process inherits", () => {
  it("settings of ours, and no secret, whichever way it is started", async () => {
    const passed = [...KNOWN_VARIABLES.passed].sort();
    assert.ok(passed.length > 5);
    const { stdout } = runChild("env", [], { env: withAll(), encoding: "utf8" });
    assert.deepEqual([...namesIn(stdout)].sort(), passed);
    const child = startChild("env", [], { env: withAll(), stdio: ["ignore", "pipe", "ignore"] });
    let said = "";
    for await (const piece of child.stdout) said += String(piece);
    assert.deepEqual([...namesIn(said)].sort(), passed);
  });

  it("no secret either where nothing is said of its environment, which then is ours", () => {
    process.env.TANGENT_QUEUE_KEY = "secret";
    const { stdout } = runChild("env", [], { encoding: "utf8" });
    delete process.env.TANGENT_QUEUE_KEY;
    assert.match(stdout, /^PATH=/m);
    assert.doesNotMatch(stdout, /TANGENT_QUEUE_KEY/);
  });

  it("a secret that was withdrawn is in no environment, and is known to who asks for it by name", () => {
    const env = withAll();
    withdrawSecrets(env);
    assert.equal(env.TANGENT_QUEUE_PASSWORD, undefined);
    assert.equal(secretOf("TANGENT_QUEUE_PASSWORD", env), "value of TANGENT_QUEUE_PASSWORD");
    assert.deepEqual(childEnvironment({ A: "1" }), { A: "1" });
  });
});
