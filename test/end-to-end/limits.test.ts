// Limits that hold: a few of the programs that try to outlive theirs. All of them, with exact times: npm run qualify:limits.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { EscapeAttempt, type EscapeCommand, LIMITS_MS, peakOf } from "./escapes.js";

/** Beyond the limit and what a busy machine needs to prepare. Those that escaped took minutes, or for ever. */
const GENEROUS_MS = 60_000;
const TROUBLE_STATUS = 3;
const ROOT = resolve(import.meta.dirname, "../../..");

const ATTEMPTS: readonly (readonly [string, EscapeCommand, readonly (number | null)[]])[] = [
  ["copying", "run", [TROUBLE_STATUS]],
  ["signalling", "run", [TROUBLE_STATUS]],
  ["summing", "explore", [0]],
  ["hashing", "explore", [0]],
  ["factoring", "explore", [0]],
];

describe("limits", () => {
  for (const [name, command, statuses] of ATTEMPTS) {
    it(`${name} does not outlive the limit of tangent ${command}`, async () => {
      const attempt = new EscapeAttempt(name, LIMITS_MS[command] + GENEROUS_MS);
      try {
        await attempt.build();
        await attempt.translate(command);
        const { status, output } = await attempt.attempt(command, LIMITS_MS[command]);
        assert.ok(statuses.includes(status), `status ${status}: ${output.slice(-500)}`);
        if (command === "run") assert.match(output, /the time limit is reached/);
      } finally {
        attempt.remove();
      }
    });
  }

  // Node makes sockets of such streams, which can only be read blocking: no thread can be woken from that.
  for (const [what, command] of [
    ["a socket", ["sh", [join(ROOT, "bin/tangent")]]],
    ["a pipe", ["sh", ["-c", 'cat 2>/dev/null | sh "$0" "$@"', join(ROOT, "bin/tangent")]]],
  ] as const) {
    it(`a program that waits for ever for input from ${what} does not outlive its limit, and has a status`, async () => {
      const program = join(ROOT, "test/programs/escapes/waiting.c");
      const [file, words] = command;
      const child = spawn(file, [...words, "run", "--timeout", "3", program]);
      let output = "";
      child.stderr.on("data", (part: Buffer) => {
        output += part.toString();
      });
      const exit = new Promise((done) => child.on("exit", done));
      const timer = setTimeout(() => child.kill("SIGKILL"), GENEROUS_MS);
      // The shell of the pipe waits for cat, too.
      const ended = (): void => void (output.includes("limit is reached") && child.stdin.end());
      child.stderr.on("data", ended);
      const status = await exit;
      clearTimeout(timer);
      assert.match(output, /the time limit is reached/);
      assert.equal(status, TROUBLE_STATUS);
    });
  }

  it("a limit counts from the start of the command: what is not translated by then is not waited for", () => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-limits-"));
    try {
      writeFileSync(join(folder, "loop.c"), LOOP);
      for (const words of [
        ["run", "--timeout", "1ms"],
        ["explore", "--max-time", "1ms", "--sym-stdin", "1"],
      ]) {
        const child = spawnSync("sh", [join(ROOT, "bin/tangent"), ...words, "loop.c"], {
          cwd: folder,
          encoding: "utf8",
          env: { ...process.env, TANGENT_CACHE: join(folder, "cache") },
        });
        assert.match(child.stderr, /the time limit is reached, and loop\.c is not translated yet/, words.join(" "));
        assert.equal(child.status, TROUBLE_STATUS);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  for (const name of ["piping", "forking", "becoming"]) {
    it(`${name}: what a program has the host hold for it is within --memory`, { timeout: 600_000 }, async () => {
      const program = join(ROOT, `test/programs/escapes/${name}.c`);
      const tangent = join(ROOT, "dist/src/cli/main.js");
      const child = spawn(process.execPath, [tangent, "run", "--memory", "256", program], { stdio: "ignore" });
      let peakMb = 0;
      const timer = setInterval(() => {
        peakMb = Math.max(peakMb, peakOf(child.pid ?? 0));
      }, 20);
      await new Promise((done) => child.on("exit", done));
      clearInterval(timer);
      // Translating takes some, too. Before, it was 2.7 to 5.3 GB.
      assert.ok(peakMb > 0 && peakMb < 700, `${peakMb} MB`);
    });
  }

  it("replay cuts each test at the limit of its own exploration", () => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-limits-"));
    const tangent = (...words: string[]) =>
      spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: folder, encoding: "utf8" });
    try {
      writeFileSync(join(folder, "loop.c"), LOOP);
      const limit = ["--max-instructions-per-path", "2000000"];
      const explored = tangent("explore", "-q", ...limit, "-o", "cut", "--sym-stdin", "1", "loop.c");
      assert.equal(explored.status, 1, explored.stderr);
      // The same tests of an exploration without that limit.
      cpSync(join(folder, "cut"), join(folder, "uncut"), { recursive: true });
      const plan = join(folder, "uncut/resume/plan.json");
      writeFileSync(plan, readFileSync(plan, "utf8").replaceAll("2000000", "null"));
      const tests = readdirSync(join(folder, "cut"))
        .filter((name) => name.endsWith(".ktest"))
        .sort();
      const endless = tests.filter((name) => readFileSync(join(folder, "cut", name)).includes("x", 64));
      const other = tests.find((name) => !endless.includes(name));
      // The run is set aside at first; the last one is the path that was cut.
      assert.ok(endless.length > 0 && other !== undefined);
      const replayed = tangent("replay", "--timeout", "10s", `uncut/${other}`, `cut/${endless.at(-1)}`);
      assert.match(replayed.stdout, /2 as recorded/, replayed.stdout + replayed.stderr);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const LOOP = `#include <unistd.h>
int main(void) {
  char c;
  volatile unsigned long n = 0;
  if (read(0, &c, 1) != 1) return 1;
  if (c == 'x') for (;;) n++;
  return 0;
}
`;
