// The exit status where something else than the program under test went wrong: a script that asks for it must never take
// our own trouble for findings.

import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

const TANGENT = resolve(import.meta.dirname, "../../../bin/tangent");
const directory = mkdtempSync(join(tmpdir(), "tangent-status-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const USAGE_STATUS = 2;
const TROUBLE_STATUS = 3;

function shell(script: string, env: NodeJS.ProcessEnv = {}): SpawnSyncReturns<string> {
  return spawnSync("bash", ["-c", script, "bash", TANGENT], {
    encoding: "utf8",
    cwd: directory,
    env: { ...process.env, ...env },
  });
}

/** Code that runs before ours, in the same process. */
function before(code: string): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(code)}` };
}

test("exit status: a bug of ours is trouble, with its stack, and not a finding", () => {
  const thrown = shell('"$1" seeds', before('process.cwd = () => { throw new Error("our own bug"); };'));
  assert.equal(thrown.status, TROUBLE_STATUS, thrown.stderr);
  assert.match(thrown.stderr, /internal error[\s\S]*our own bug\n +at /);
  const throwing = 'process.stdout.write = () => setImmediate(() => { throw new Error("later"); });';
  const later = shell('"$1" help', before(throwing));
  assert.equal(later.status, TROUBLE_STATUS, later.stderr);
  assert.match(later.stderr, /internal error[\s\S]*later\n +at /);
});

test("exit status: a reader that goes away early ends every command quietly, as SIGPIPE ends other tools", () => {
  const gone = 'trap "" PIPE; while echo x; do :; done 2>/dev/null';
  for (const command of ["help", "help explore", "seeds --nothing 2>&1", "show 2>&1"]) {
    const { stdout, stderr } = shell(`{ ${gone}; "$1" ${command}; echo "status $?" >&2; } | true`);
    assert.equal(stdout, "");
    assert.equal(stderr, "status 141\n", command);
  }
});

test("exit status: seeds that nobody wants to see are not counted either", () => {
  const folder = join(directory, "seeds", ".tangent", "seeds");
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < 2000; at++) {
    const id = `a${at}`;
    const seed = {
      ...{ id, program: "/w/p", programContent: "c", arguments: ["p", "x".repeat(60)], environment: [], files: [] },
      ...{ workingDirectory: "/w", umask: 0, stdin: { kind: "empty" }, end: { kind: "unknown" } },
      recorded: { at: "", milliseconds: 1, times: 1 },
    };
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(seed));
  }
  const { stdout, stderr } = shell('cd seeds; { "$1" seeds; echo "status $?" >&2; } | head -n 1');
  assert.match(stdout, /^a\d+ {2}p x+\n$/);
  assert.equal(stderr, "status 141\n");
});

test("exit status: what cannot be printed is told, and is trouble", () => {
  const { status, stderr } = shell('"$1" help > /dev/full');
  assert.equal(status, TROUBLE_STATUS, stderr);
  assert.match(stderr, /not everything could be printed: ENOSPC/);
});

test("exit status: a command that does not exist is a wrong command line, with the one that is meant", () => {
  for (const [words, told] of [
    ["tset", "there is no command tset; is `tangent test` meant?"],
    ["help comopse", "there is no command comopse; is `tangent help compose` meant?"],
    ["unit --tiem 3", "unknown option --tiem; is --time meant?"],
  ]) {
    const { status, stderr } = shell(`"$1" ${words}`);
    assert.equal(status, USAGE_STATUS);
    assert.ok(stderr.includes(told), stderr);
  }
});

test("exit status: an id that nothing has is told as such", () => {
  for (const id of ["abc123", "cb"]) {
    const { status, stderr } = shell(`"$1" replay ${id}`);
    assert.equal(status, TROUBLE_STATUS);
    const told = `${id} is neither a file nor the id of one finding or input: no id begins with it`;
    assert.ok(stderr.includes(told), stderr);
  }
});
