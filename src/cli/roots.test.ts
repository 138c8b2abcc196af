import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { GuestProbe } from "../vm/guest-probe.js";
import { rootsOf } from "./roots.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "tangent-roots-")));
after(() => rmSync(folder, { recursive: true, force: true }));

test("--root: without one the whole disk is seen; a root that is no directory is a usage error", () => {
  assert.deepEqual(rootsOf([]), { kind: "roots", roots: undefined });
  assert.equal(rootsOf([join(folder, "missing")]).kind, "wrong");
});

test("--root: a root that is reached through a link is seen by both names, and nothing beside it", () => {
  mkdirSync(join(folder, "real/inside"), { recursive: true });
  writeFileSync(join(folder, "real/inside/file"), "seen");
  writeFileSync(join(folder, "real/beside"), "not seen");
  symlinkSync("real", join(folder, "link"));
  const found = rootsOf([join(folder, "link/inside")]);
  assert.ok(found.kind === "roots" && found.roots !== undefined);
  const probe = new GuestProbe({ roots: found.roots, workingDirectory: join(folder, "real/inside") });
  for (const path of ["link/inside/file", "real/inside/file", "real/../link/inside/./file"]) {
    assert.equal(probe.readFile(`${folder}/${path}`), "seen", path);
  }
  assert.equal(probe.readFile("file"), "seen");
  for (const path of ["link/beside", "real/beside", "link/inside/../beside", "../../etc/passwd"]) {
    assert.equal(probe.readFile(`${folder}/${path}`), -2, path);
  }
  assert.equal(probe.readFile("/etc/passwd"), -2);
  assert.equal(probe.writeFile("/etc/passwd", "in memory only"), -2);
  assert.equal(probe.writeFile(`${folder}/real/inside/new`, "in memory only"), 14);
});
