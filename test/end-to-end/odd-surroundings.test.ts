// Tangent started where little is as usual: no home that can be used, a working directory that has no name any more.

import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

const TANGENT = resolve(import.meta.dirname, "../../../bin/tangent");
const top = mkdtempSync(join(tmpdir(), "tangent-odd-"));
// `rm` goes down without naming the whole path.
after(() => spawnSync("rm", ["-rf", top]));

const tangent = (words: readonly string[], env: NodeJS.ProcessEnv): SpawnSyncReturns<string> =>
  spawnSync(TANGENT, words, { env: { ...process.env, ...env }, encoding: "utf8", cwd: top });

test("without a home that can be looked into, whoever needs none is answered", () => {
  const homes = ["/dev/null", join(top, "nowhere", "at", "all")];
  for (const home of homes) {
    const env = { HOME: home, XDG_CACHE_HOME: "", XDG_STATE_HOME: "", TANGENT_CACHE: "", TANGENT_STATE: "" };
    for (const word of ["--version", "help"]) {
      const { status, stdout, stderr } = tangent([word], env);
      assert.deepEqual([status, stderr], [0, ""], `${word} with HOME=${home}`);
      assert.notEqual(stdout, "");
    }
  }
});

/** Shells keep the path as text and do not get there. */
const GO_DEEP = `
  const fs = require("node:fs");
  for (let n = 0; n < 20; n++) {
    fs.mkdirSync("d".repeat(250), { recursive: true });
    process.chdir("d".repeat(250));
  }
  const { status } = require("node:child_process").spawnSync(process.argv[1], process.argv.slice(2), { stdio: "inherit" });
  process.exit(status);`;

test("a working directory whose path is too long, or that is gone, is told without a stack", () => {
  const options = { cwd: top, encoding: "utf8" } as const;
  const starts: readonly ((words: readonly string[]) => SpawnSyncReturns<string>)[] = [
    (words) => spawnSync(process.execPath, ["-e", GO_DEEP, TANGENT, ...words], options),
    (words) =>
      spawnSync("sh", ["-c", 'mkdir gone; cd gone; rmdir ../gone; exec "$0" "$@"', TANGENT, ...words], options),
  ];
  for (const start of starts) {
    for (const words of [["findings"], ["ui"]]) {
      const { status, stderr } = start(words);
      assert.equal(status, 3, stderr);
      assert.match(stderr, /the working directory has no name that the system gives/, words[0]);
      assert.doesNotMatch(stderr, /internal error|\n +at /, words[0]);
    }
    assert.equal(start(["--version"]).status, 0);
  }
});
