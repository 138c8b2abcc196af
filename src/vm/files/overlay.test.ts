import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Random } from "../../support/random.js";
import { GuestProbe } from "../guest-probe.js";

const created: string[] = [];
after(() => {
  for (const path of created) fs.rmSync(path, { recursive: true, force: true });
});

/** A small tree with every kind of entry. */
function makeTree(): string {
  const root = fs.mkdtempSync(join(tmpdir(), "tangent-overlay-"));
  created.push(root);
  fs.mkdirSync(join(root, "a/b"), { recursive: true });
  fs.mkdirSync(join(root, "empty"));
  fs.writeFileSync(join(root, "one"), "first file\n");
  fs.writeFileSync(join(root, "a/two"), "x".repeat(200_000));
  fs.writeFileSync(join(root, "a/b/three"), "3");
  fs.symlinkSync("a/two", join(root, "link"));
  fs.symlinkSync("a", join(root, "dirlink"));
  fs.symlinkSync("nowhere", join(root, "dangling"));
  fs.linkSync(join(root, "one"), join(root, "a/hard"));
  return root;
}

/** Everything about a tree that a write could change, without access times. */
function checksum(root: string): string {
  const hash = createHash("sha256");
  const pending = [root];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const status = fs.lstatSync(path, { bigint: true });
    hash.update(`${path} ${status.mode} ${status.size} ${status.mtimeNs} ${status.ctimeNs} ${status.ino}\n`);
    if (status.isDirectory()) for (const name of fs.readdirSync(path).sort()) pending.push(join(path, name));
    else if (status.isFile()) hash.update(fs.readFileSync(path));
    else hash.update(fs.readlinkSync(path));
  }
  return hash.digest("hex");
}

const NAMES = [
  "one",
  "a",
  "a/two",
  "a/b",
  "a/b/three",
  "link",
  "dirlink",
  "dangling",
  "a/hard",
  "empty",
  "new",
  "a/new",
];
const MORE = ["empty/x", "dirlink/b/three", "a/../one", "./new/", "dirlink/../empty", "a/b/c", "one/x", "link/"];

/** One random operation; the answer is comparable between two file systems. */
function operate(probe: GuestProbe, root: string, random: Random): unknown {
  const paths = [...NAMES, ...MORE];
  const pick = (): string => `${root}/${paths[random.next() % paths.length]}`;
  const first = pick();
  const second = pick();
  const size = random.next() % 70_000;
  const text = String.fromCharCode(97 + (random.next() % 26)).repeat(random.next() % 100);
  switch (random.next() % 17) {
    case 0:
      return ["write", first, probe.writeFile(first, text)];
    case 1:
      return ["append", first, probe.writeFile(first, text, 0o2101)];
    case 2:
      return ["exclusive", first, probe.writeFile(first, text, 0o301)];
    case 3:
      return ["read", first, probe.readFile(first)];
    case 4:
      return ["unlink", first, probe.call(87, first)];
    case 5:
      return ["mkdir", first, probe.call(83, first, 0o755)];
    case 6:
      return ["rmdir", first, probe.call(84, first)];
    case 7:
      return ["rename", first, second, probe.call(82, first, second)];
    case 8:
      return ["link", first, second, probe.call(86, first, second)];
    case 9:
      return ["symlink", text, first, probe.call(88, text === "" ? "a/b" : NAMES[random.next() % 5], first)];
    case 10:
      return ["chmod", first, probe.call(90, first, 0o600 + (random.next() % 0o100))];
    case 11:
      return ["truncate", first, size, probe.call(76, first, size)];
    case 12: {
      const target = probe.allocate(100);
      const count = probe.call(89, first, target, 100);
      return ["readlink", first, count < 0 ? count : probe.bytes(target, count).toString()];
    }
    case 13:
      return ["list", first, probe.list(first)];
    case 14: {
      const status = probe.status(first);
      if (typeof status === "number") return ["lstat", first, status];
      const directory = (status.mode & 0o170000) === 0o040000;
      // Sizes of directories are the disk's own business.
      return ["lstat", first, status.mode, status.links, directory ? 0 : status.size];
    }
    case 15: {
      const descriptor = probe.call(2, first, 2, 0);
      if (descriptor < 0) return ["patch", first, descriptor];
      const results = [probe.call(8, descriptor, size, 0), probe.call(1, descriptor, "patch", 5)];
      results.push(probe.call(8, descriptor, 0, 2), probe.call(77, descriptor, size + 2), probe.call(3, descriptor));
      return ["patch", first, results];
    }
    default: {
      const times = probe.allocate(32);
      for (const [index, word] of [1000, 5, size, 7].entries()) probe.memory.setI64(times + 8 * index, word);
      const result = probe.call(280, -100, first, times, 0);
      const status = probe.status(first, true);
      return ["utimensat", first, result, typeof status === "number" ? status : status.seconds];
    }
  }
}

test("overlay: behaves as the real disk does under random operations, and never touches it", () => {
  for (let seed = 1; seed <= 12; seed++) {
    const below = makeTree();
    const real = makeTree();
    const before = checksum(below);
    const overlay = new GuestProbe();
    const direct = new GuestProbe({ writeThrough: true });
    const left = new Random(seed);
    const right = new Random(seed);
    for (let step = 0; step < 250; step++) {
      const expected = JSON.stringify(operate(direct, real, right)).replaceAll(real, "");
      const actual = JSON.stringify(operate(overlay, below, left)).replaceAll(below, "");
      assert.equal(actual, expected, `seed ${seed} step ${step}`);
    }
    assert.equal(checksum(below), before, `the tree under the overlay changed, seed ${seed}`);
  }
});

test("overlay: a file removed while open can still be read and written", () => {
  const root = makeTree();
  const probe = new GuestProbe();
  const descriptor = probe.call(2, `${root}/one`, 2, 0);
  assert.equal(probe.call(87, `${root}/one`), 0);
  const buffer = probe.allocate(64);
  assert.equal(probe.call(0, descriptor, buffer, 64), 11);
  assert.equal(probe.call(1, descriptor, "more", 4), 4);
  assert.equal(probe.call(17, descriptor, buffer, 64, 0), 15);
  assert.equal(probe.bytes(buffer, 15).toString(), "first file\nmore");
  assert.equal(probe.readFile(`${root}/one`), -2);
  assert.equal(probe.readFile(`${root}/a/hard`), "first file\nmore");
});

test("overlay: a renamed directory keeps what lies below it on the real disk", () => {
  const root = makeTree();
  const probe = new GuestProbe();
  assert.equal(probe.call(82, `${root}/a`, `${root}/moved`), 0);
  assert.equal(probe.readFile(`${root}/moved/b/three`), "3");
  assert.equal(probe.readFile(`${root}/a/b/three`), -2);
  assert.equal(probe.writeFile(`${root}/moved/b/three`, "changed"), 7);
  assert.equal(probe.readFile(`${root}/moved/b/three`), "changed");
  assert.equal(fs.readFileSync(join(root, "a/b/three"), "utf8"), "3");
});

test("overlay: names with bytes that are no UTF-8 are listed and opened as they are", () => {
  const root = makeTree();
  const name = Buffer.from([0xff, 0xfe, 0x20, 0x80]);
  fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), "bytes");
  const probe = new GuestProbe();
  const listed = probe.list(root);
  assert.ok(Array.isArray(listed) && listed.includes(`${name.toString("latin1")}:8`));
  assert.equal(probe.readFile(`${root}/${name.toString("latin1")}`), "bytes");
});

test("overlay: descriptors made by dup share their offset, those of two opens do not", () => {
  const root = makeTree();
  const probe = new GuestProbe();
  const first = probe.call(2, `${root}/one`, 0, 0);
  const copy = probe.call(32, first);
  const other = probe.call(2, `${root}/one`, 0, 0);
  const buffer = probe.allocate(16);
  assert.equal(probe.call(0, first, buffer, 6), 6);
  assert.equal(probe.call(8, copy, 0, 1), 6);
  assert.equal(probe.call(8, other, 0, 1), 0);
  assert.equal(probe.call(33, other, 20), 20);
  assert.equal(probe.call(3, first), 0);
  assert.equal(probe.call(0, copy, buffer, 16), 5);
});

test("overlay: writing without bound ends the run", () => {
  const root = makeTree();
  const probe = new GuestProbe({
    limits: { instructions: 1, milliseconds: 1e9, heapBytes: 1 << 24, outputBytes: 1 << 20 },
  });
  assert.throws(() => {
    for (let i = 0; i < 100; i++) probe.writeFile(`${root}/new`, "z".repeat(50_000), 0o2101);
  }, /limit/);
});

test("overlay: the real disk is read in one file, by functions that change nothing", () => {
  const folder = new URL(".", import.meta.url);
  const reading = ["lstatSync", "fstatSync", "statfsSync", "openSync", "closeSync", "readSync"];
  const allowed = new Set([...reading, "readlinkSync", "opendirSync"]);
  for (const name of fs.readdirSync(folder)) {
    // The direct disk is for --write-through; host streams are the descriptors the user gave us.
    if (!/\.js$/.test(name) || /test\.js$|^direct-disk|^host-stream/.test(name)) continue;
    const source = fs.readFileSync(new URL(name, folder), "utf8");
    if (name === "host-view.js") {
      for (const [, used] of source.matchAll(/\bthis\.host\.(\w+)/g)) assert.ok(allowed.has(used), used);
      assert.equal([...source.matchAll(/openSync\(/g)].length, 1);
      assert.match(source, /openSync\(hostPath\(path\), READ_FLAGS\)/);
    }
    for (const [, used] of source.matchAll(/\bfs\.(\w+)/g)) {
      assert.ok(used === "constants" || (name === "host-status.js" && used === "fstatSync"), `${name} uses fs.${used}`);
    }
  }
});
