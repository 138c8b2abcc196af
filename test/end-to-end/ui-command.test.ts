// `tangent ui` as a user starts it: an address on standard output, a page behind it, nothing made in a folder that is no project, an end by
// Ctrl-C; and wrong options.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../src/cli/main.js", import.meta.url));

describe("tangent ui", () => {
  let top = "";
  before(() => {
    top = mkdtempSync(join(tmpdir(), "tangent-ui-command-"));
  });
  after(() => rmSync(top, { recursive: true, force: true }));

  it("serves the page until Ctrl-C, and makes nothing", async () => {
    const env = { ...process.env, TANGENT_STATE: join(top, "state") };
    const cwd = mkdtempSync(join(top, "project-"));
    const child = spawn(process.execPath, [MAIN, "ui"], { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
    const ended = once(child, "exit");
    const [first] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    const address = /^(http:\/\/127\.0\.0\.1:\d+\/)\?token=[\w-]{32}\n$/.exec(first);
    assert.ok(address !== null, first);
    assert.equal((await fetch(address[1])).status, 403);
    const entered = await fetch(first.trim(), { redirect: "manual" });
    const cookie = (entered.headers.get("set-cookie") ?? "").split(";")[0];
    const page = await fetch(address[1], { headers: { cookie } });
    assert.match(await page.text(), /<h1 id="headline"/);
    child.kill("SIGINT");
    assert.deepEqual(await ended, [0, null]);
    assert.deepEqual(readdirSync(cwd), []);
    assert.deepEqual(
      readdirSync(top).filter((name) => name === "state"),
      [],
    );
  });

  it("opens a browser without telling its token to who lists processes", async () => {
    const env = { ...process.env, TANGENT_STATE: join(top, "state-of-open"), PATH: `${top}:${process.env.PATH}` };
    const told = join(top, "told");
    const script = `#!/bin/sh\n{ stat -c %a "$1"; tr '\\0' '\\n' < /proc/$$/cmdline; cat "$1"; } > ${told}.new; mv ${told}.new ${told}\n`;
    writeFileSync(join(top, "xdg-open"), script, { mode: 0o755 });
    const cwd = mkdtempSync(join(top, "project-"));
    const child = spawn(process.execPath, [MAIN, "ui", "--open"], { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
    const ended = once(child, "exit");
    const [first] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    while (!existsSync(told)) await new Promise((done) => setTimeout(done, 10));
    const [mode, ...rest] = readFileSync(told, "utf8").split("\n");
    const file = rest.find((word) => word.endsWith(".html")) ?? "";
    const words = rest.slice(0, rest.indexOf(file) + 1).join(" ");
    const token = first.trim().slice(first.indexOf("token=") + "token=".length);
    assert.deepEqual([mode, words.includes(token)], ["600", false], words);
    assert.ok(rest.join("\n").includes(`url=${first.trim()}`), "the file leads to the page");
    child.kill("SIGINT");
    assert.deepEqual(await ended, [0, null]);
    assert.equal(existsSync(file), false);
  });

  it("says what is wrong with a port or an address", () => {
    const run = (...words: readonly string[]): { readonly status: number | null; readonly stderr: string } =>
      spawnSync(process.execPath, [MAIN, "ui", ...words], { cwd: top, encoding: "utf8" });
    const port = run("--port", "70000");
    assert.deepEqual([port.status, /ports end at 65535/.test(port.stderr)], [2, true]);
    const host = run("--host", "203.0.113.7");
    assert.deepEqual([host.status, /EADDRNOTAVAIL|address not available/.test(host.stderr)], [3, true], host.stderr);
  });
});
