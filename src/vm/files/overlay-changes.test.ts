import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { GuestProbe } from "../guest-probe.js";
import type { FileSystem } from "./file-system.js";
import { OPEN } from "./open-file.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-changes-"));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "d"));
writeFileSync(join(folder, "old"), "as it was\n");
writeFileSync(join(folder, "gone"), "x");
writeFileSync(join(folder, "d/moved"), "m");
symlinkSync("old", join(folder, "link"));

function files(given: readonly string[] = []): FileSystem {
  const probe = new GuestProbe({
    workingDirectory: folder,
    files: given.map((name) => ({ path: join(folder, name), bytes: Buffer.from("given\n") })),
  });
  return probe.machine.kernel.files;
}

function write(system: FileSystem, name: string, text: string, flags: number = OPEN.create | OPEN.truncate): void {
  const descriptor = system.open(join(folder, name), OPEN.writeOnly | flags, 0o644);
  assert.ok(descriptor >= 0, name);
  system.get(descriptor)?.write(Buffer.from(text));
  system.close(descriptor);
}

function listed(system: FileSystem): string[] {
  return system.changes().map(({ path, kind, bytes }) => {
    const name = path.slice(folder.length + 1);
    return `${kind} ${name}${bytes.length > 0 ? ` ${Buffer.from(bytes).toString("latin1")}` : ""}`;
  });
}

test("changes of a run: files written where they lie and new ones, with what they hold", () => {
  const system = files();
  write(system, "old", "new\n");
  write(system, "d/made", "made");
  assert.deepEqual(listed(system), ["file d/made made", "file old new\n"]);
  assert.equal(readFileSync(join(folder, "old"), "utf8"), "as it was\n");
});

test("changes of a run: what is removed, renamed, linked and made a directory", () => {
  const system = files();
  const { disk } = system;
  const at = (name: string): string => join(folder, name);
  assert.equal(disk.unlink(at("gone")), 0);
  assert.equal(disk.rename(at("d/moved"), at("here"), 0), 0);
  assert.equal(disk.symbolicLink("nowhere", at("to")), 0);
  assert.equal(disk.makeDirectory(at("folder"), 0o755), 0);
  assert.equal(disk.changeMode(at("old"), 0o600, true), 0);
  write(system, "folder/in", "i");
  assert.deepEqual(listed(system), [
    "removed d/moved",
    "directory folder",
    "file folder/in i",
    "removed gone",
    "file here m",
    "file old as it was\n",
    "link to nowhere",
  ]);
});

test("changes of a run: what it was given, and a file that it made and removed, are none", () => {
  const system = files(["given", "also"]);
  assert.deepEqual(listed(system), []);
  write(system, "scratch", "s");
  assert.equal(system.disk.unlink(join(folder, "scratch")), 0);
  assert.deepEqual(listed(system), []);
  write(system, "given", "more\n", OPEN.append);
  assert.equal(system.disk.unlink(join(folder, "also")), 0);
  assert.deepEqual(listed(system), ["removed also", "file given given\nmore\n"]);
});

test("changes of a run: looking at files changes nothing", () => {
  const system = files();
  for (const name of ["old", "link", "d/moved"]) system.close(system.open(join(folder, name), OPEN.readOnly, 0));
  assert.equal(system.changeDirectory(join(folder, "d")), 0);
  assert.deepEqual(system.changes(), []);
});
