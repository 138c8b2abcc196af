import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ProjectFolder } from "./project-folder.js";
import { lockProject } from "./project-lock.js";
import { ProjectState } from "./state-folder.js";

const root = mkdtempSync(join(tmpdir(), "tangent-lock-"));
after(() => rmSync(root, { recursive: true, force: true }));
const folder = new ProjectFolder(root);
const state = new ProjectState(root, { TANGENT_STATE: join(root, "state") });
const path = state.file("lock");

describe("the lock of a project", () => {
  it("is given to one, and given back", () => {
    const first = lockProject(folder, state, "test");
    assert.equal(first.kind, "locked");
    const second = lockProject(folder, state, "record");
    assert.ok(second.kind === "busy");
    assert.match(second.message, new RegExp(`tangent test.*${process.pid}`));
    if (first.kind === "locked") first.release();
    assert.equal(existsSync(path), false);
  });

  it("of a process that is gone is taken over", () => {
    const { pid } = spawnSync("true");
    writeFileSync(path, JSON.stringify({ pid, started: "1", command: "test" }));
    const taken = lockProject(folder, state, "amplify");
    assert.ok(taken.kind === "locked");
    assert.equal((JSON.parse(readFileSync(path, "utf8")) as { pid: number }).pid, process.pid);
    taken.release();
  });

  it("of another process that got the same number is taken over", () => {
    const child = spawn("sleep", ["30"]);
    writeFileSync(path, JSON.stringify({ pid: child.pid, started: "1", command: "test" }));
    const taken = lockProject(folder, state, "amplify");
    child.kill();
    assert.ok(taken.kind === "locked");
    taken.release();
  });

  it("that was cut short is taken over", () => {
    writeFileSync(path, '{"pid": 1');
    const taken = lockProject(folder, state, "amplify");
    assert.ok(taken.kind === "locked");
    taken.release();
  });
});
