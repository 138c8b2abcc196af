import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type NativeInputKind, startNatively } from "./start-natively.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-natively-"));
after(() => rmSync(folder, { recursive: true }));

/** What the program says of its standard input: how many bytes come, and from what. */
function heard(bytes: string, stdinKind?: NativeInputKind): string {
  const stdin = join(folder, "stdin");
  writeFileSync(stdin, bytes);
  const script =
    "kind=none; [ -p /dev/stdin ] && kind=pipe; [ -f /dev/stdin ] && kind=file; echo $kind; wc -c 2>/dev/null";
  const ran = startNatively(
    {
      ...{ program: "/bin/sh", words: [Buffer.from("-c"), Buffer.from(script)], environment: [], settings: [] },
      ...{ directory: folder, stdin, timeoutMs: 30_000 },
      ...(stdinKind === undefined ? {} : { stdinKind }),
    },
    process.env,
  );
  assert.ok(ran.kind === "exit", JSON.stringify(ran));
  return ran.output.replaceAll(/\s+/g, " ").trim();
}

test("started natively: standard input is a file, a pipe with little or much in it, or nothing", () => {
  assert.equal(heard("text"), "file 4");
  assert.equal(heard("text", "file"), "file 4");
  assert.equal(heard("text", "pipe"), "pipe 4");
  assert.equal(heard("", "pipe"), "pipe 0");
  assert.equal(heard("x".repeat(300_000), "pipe"), "pipe 300000");
  assert.equal(heard("text", "closed").split(" ")[0], "none");
});

test("started natively: standard output is full, standard error closed", () => {
  const words = ["-c", "echo out 2>/dev/null || echo failed >&2; ls /proc/self/fd | wc -l"].map((word) =>
    Buffer.from(word),
  );
  const start = { program: "/bin/sh", words, environment: [], settings: [], directory: folder, stdin: null };
  const full = startNatively({ ...start, outputs: { stdout: "full" }, timeoutMs: 30_000 }, process.env);
  assert.ok(full.kind === "exit" && full.stdout.length === 0);
  assert.match(Buffer.from(full.stderr).toString(), /failed/);
  const closed = startNatively({ ...start, outputs: { stderr: "closed" }, timeoutMs: 30_000 }, process.env);
  assert.ok(closed.kind === "exit");
  assert.match(Buffer.from(closed.stdout).toString(), /^out\n/);
  assert.equal(closed.stderr.length, 0);
});

test("started natively: with its own umask, its streams apart", () => {
  const words = ["-c", "umask; echo out; echo error >&2"].map((word) => Buffer.from(word));
  const start = { program: "/bin/sh", words, environment: [], settings: [], directory: folder, stdin: null };
  const ran = startNatively({ ...start, umask: 0o137, timeoutMs: 30_000 }, process.env);
  assert.ok(ran.kind === "exit", JSON.stringify(ran));
  assert.equal(Buffer.from(ran.stdout).toString(), "0137\nout\n");
  assert.equal(Buffer.from(ran.stderr).toString(), "error\n");
});
