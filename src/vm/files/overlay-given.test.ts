import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { GivenEntry } from "../given-entry.js";
import { GuestProbe } from "../guest-probe.js";
import type { RunOptions } from "../run-options.js";

const root = fs.mkdtempSync(join(tmpdir(), "tangent-given-"));
after(() => fs.rmSync(root, { recursive: true, force: true }));
let folders = 0;
const freshFolder = (): string => {
  const path = join(root, `f${folders++}`);
  fs.mkdirSync(path);
  return path;
};

/** Every kind of entry that anybody may make. */
function makeTree(top: string): void {
  fs.mkdirSync(join(top, "a/b/c"), { recursive: true });
  fs.mkdirSync(join(top, "empty"));
  fs.mkdirSync(join(top, "sticky"));
  fs.writeFileSync(join(top, "one"), "first file\n", { mode: 0o640 });
  fs.writeFileSync(join(top, "a/two"), "x".repeat(70_000));
  fs.writeFileSync(join(top, "a/b/script"), "#!/bin/sh\n");
  fs.writeFileSync(join(top, "a/nothing"), "");
  fs.chmodSync(join(top, "a/b/script"), 0o4755);
  fs.chmodSync(join(top, "sticky"), 0o1777);
  fs.linkSync(join(top, "one"), join(top, "a/hard"));
  fs.symlinkSync("a/two", join(top, "link"));
  fs.symlinkSync("a/b", join(top, "dirlink"));
  fs.symlinkSync("nowhere", join(top, "dangling"));
  fs.symlinkSync("loop", join(top, "loop"));
  assert.equal(spawnSync("mkfifo", ["-m", "620", join(top, "fifo")]).status, 0);
  fs.utimesSync(join(top, "one"), 86_400, 86_400);
  fs.lutimesSync(join(top, "link"), 1, 2);
  fs.utimesSync(join(top, "a"), 5, 1_000_000_000.25);
}

/** What a recorder would say of it, at another place. */
function entriesOf(top: string, at: string): Pick<Required<RunOptions>, "tree" | "files"> {
  const tree: GivenEntry[] = [];
  const files: { path: string; bytes: Uint8Array }[] = [];
  const visit = (from: string, path: string): void => {
    const status = fs.lstatSync(from, { bigint: true });
    const times = {
      modified: Number(status.mtimeNs / 1_000_000_000n),
      nanoseconds: Number(status.mtimeNs % 1_000_000_000n),
    };
    const more = { path, mode: Number(status.mode & 0o7777n), links: Number(status.nlink), ...times };
    if (status.isSymbolicLink()) tree.push({ kind: "link", to: fs.readlinkSync(from), ...more });
    else if (status.isFIFO()) tree.push({ kind: "fifo", ...more });
    else if (status.isFile()) {
      const shared = status.nlink > 1n ? { inode: Number(status.ino) } : {};
      tree.push({ kind: "file", size: Number(status.size), ...more, ...shared });
      files.push({ path, bytes: fs.readFileSync(from) });
    } else {
      tree.push({ kind: "directory", isWhole: true, size: Number(status.size), ...more });
      for (const name of fs.readdirSync(from)) visit(join(from, name), `${path}/${name}`);
    }
  };
  visit(top, at);
  return { tree, files };
}

const PATHS = [
  ...[
    "",
    "/",
    "/a",
    "/a/b",
    "/a/b/c",
    "/a/b/script",
    "/a/nothing",
    "/a/two",
    "/a/hard",
    "/empty",
    "/sticky",
    "/one",
    "/link",
  ],
  ...["/dirlink", "/dirlink/", "/dirlink/script", "/dirlink/..", "/dangling", "/loop", "/loop/x", "/fifo", "/none"],
  ...["/one/x", "/a/../one", "/a/b/none/x", "/fifo/", "/link/"],
];

/** All that a program can ask about a path. */
function answers(probe: GuestProbe, path: string): unknown {
  const target = probe.allocate(100);
  const count = probe.call(89, path, target, 100);
  // The direct disk refuses to open a fifo before it looks at the flags.
  const list = path.includes("fifo") ? null : probe.list(path);
  return {
    stat: probe.status(path, true),
    lstat: probe.status(path),
    link: count < 0 ? count : probe.bytes(target, count).toString(),
    list,
    access: [0, 1, 2, 4].map((mask) => probe.call(21, path, mask)),
    content: path.includes("fifo") ? null : probe.readFile(path),
    directory: probe.call(80, path),
  };
}

function assertSame(given: GuestProbe, at: string, top: string): void {
  const direct = new GuestProbe({ writeThrough: true });
  for (const path of PATHS) assert.deepEqual(answers(given, at + path), answers(direct, top + path), path);
}

test("given tree: a program finds what the real disk would show, at a place where the disk has nothing", () => {
  const top = freshFolder();
  makeTree(top);
  const at = join(root, "absent/deep/place");
  const probe = new GuestProbe(entriesOf(top, at));
  assertSame(probe, at, top);
  assert.ok(!fs.existsSync(join(root, "absent")));
  // Two names of one file.
  assert.equal(probe.writeFile(`${at}/a/hard`, "other"), 5);
  assert.equal(probe.readFile(`${at}/one`), "other");
  assert.equal(probe.call(87, `${at}/one`), 0);
  const left = probe.status(`${at}/a/hard`);
  assert.ok(typeof left !== "number" && left.links === 1);
});

test("given tree: of a directory that is whole nothing of the disk shows through, whatever lies there by now", () => {
  const top = freshFolder();
  makeTree(top);
  const at = freshFolder();
  fs.writeFileSync(join(at, "stranger"), "?");
  fs.mkdirSync(join(at, "one"));
  fs.writeFileSync(join(at, "one/x"), "?");
  fs.writeFileSync(join(at, "a"), "?");
  fs.symlinkSync("/etc", join(at, "empty"));
  fs.writeFileSync(join(at, "none"), "?");
  assertSame(new GuestProbe(entriesOf(top, at)), at, top);
  assert.equal(fs.readFileSync(join(at, "a"), "utf8"), "?");
});

test("given tree: of a directory that is not whole the disk shows through, also inside of one that is", () => {
  const at = freshFolder();
  fs.mkdirSync(join(at, "open/below"), { recursive: true });
  fs.writeFileSync(join(at, "open/kept"), "kept");
  fs.writeFileSync(join(at, "sized"), "12345");
  fs.writeFileSync(join(at, "other"), "123");
  fs.writeFileSync(join(at, "hidden"), "?");
  const tree: GivenEntry[] = [
    { kind: "directory", path: at, isWhole: true, mode: 0o700 },
    { kind: "directory", path: `${at}/open`, isWhole: false, mode: 0o750, modified: 77 },
    { kind: "file", path: `${at}/sized`, size: 5, mode: 0o600 },
    { kind: "file", path: `${at}/other`, size: 4, mode: 0o600 },
    { kind: "file", path: `${at}/open/new`, size: 1, mode: 0o444, modified: 78 },
    { kind: "missing", path: `${at}/open/below` },
  ];
  const probe = new GuestProbe({ tree });
  assert.deepEqual(probe.list(at), ["..:4", ".:4", "open:4", "other:8", "sized:8"]);
  assert.deepEqual(probe.list(`${at}/open`), ["..:4", ".:4", "kept:8", "new:8"]);
  assert.equal(probe.readFile(`${at}/open/kept`), "kept");
  assert.equal(probe.readFile(`${at}/sized`), "12345");
  assert.equal(probe.readFile(`${at}/other`), "\0\0\0\0");
  assert.equal(probe.status(`${at}/hidden`), -2);
  assert.equal(probe.status(`${at}/open/below`), -2);
  const status = probe.status(`${at}/open`);
  assert.ok(typeof status !== "number");
  assert.deepEqual([status.mode & 0o7777, status.links, status.seconds], [0o750, 2, 77]);
  const whole = probe.status(at);
  assert.deepEqual(typeof whole === "number" ? whole : whole.links, 3);
});

test("given tree: what is in a directory is laid when it is looked into, and what the program did before stays done", () => {
  const at = join(root, "late");
  const more = { mode: 0o644, modified: 50, links: 2, inode: 9 };
  const tree: GivenEntry[] = [
    { kind: "directory", path: at, isWhole: true, mode: 0o755, links: 4 },
    { kind: "directory", path: `${at}/a`, isWhole: true, mode: 0o755, links: 2, modified: 7 },
    { kind: "directory", path: `${at}/b`, isWhole: true, mode: 0o755, links: 2 },
    { kind: "file", path: `${at}/a/x`, size: 1, ...more },
    { kind: "file", path: `${at}/b/y`, size: 1, ...more },
  ];
  const probe = new GuestProbe({ tree });
  assert.equal(probe.writeFile(`${at}/a/x`, "more"), 4);
  assert.equal(probe.call(87, `${at}/a/x`), 0);
  assert.equal(probe.call(82, `${at}/b`, `${at}/moved`), 0);
  assert.equal(probe.readFile(`${at}/moved/y`), "more");
  const status = probe.status(`${at}/moved/y`);
  assert.ok(typeof status !== "number" && status.links === 1 && status.seconds !== 50);
  assert.equal(probe.call(83, `${at}/a/sub`, 0o755), 0);
  const folder = probe.status(`${at}/a`);
  assert.ok(typeof folder !== "number" && folder.links === 3);
  assert.equal(probe.call(84, `${at}/moved`), -39);
});

test("given tree: modes forbid what the kernel would forbid", {
  skip: process.getuid?.() === 0 && "root may do all",
}, () => {
  const at = join(root, "modes");
  const tree: GivenEntry[] = [
    { kind: "directory", path: at, isWhole: true, mode: 0o755 },
    { kind: "directory", path: `${at}/shut`, isWhole: true, mode: 0 },
    { kind: "directory", path: `${at}/names`, isWhole: true, mode: 0o444 },
    { kind: "file", path: `${at}/secret`, size: 1, mode: 0 },
    { kind: "file", path: `${at}/shut/in`, size: 1, mode: 0o644 },
    { kind: "file", path: `${at}/names/in`, size: 1, mode: 0o644 },
  ];
  const probe = new GuestProbe({ tree });
  assert.equal(probe.readFile(`${at}/secret`), -13);
  assert.equal(probe.list(`${at}/shut`), -13);
  assert.equal(probe.status(`${at}/shut/in`), -13);
  assert.equal(probe.status(`${at}/names/in`), -13);
  assert.deepEqual(probe.list(`${at}/names`), ["..:4", ".:4", "in:8"]);
  assert.equal(probe.writeFile(`${at}/names/new`, "x"), -13);
});

test("given tree: names are listed in the order in which they are given", () => {
  const at = join(root, "ordered");
  const names = ["z", "a", "m", "b"];
  const tree: GivenEntry[] = [
    { kind: "directory", path: at, isWhole: true, mode: 0o755 },
    ...names.map((name): GivenEntry => ({ kind: "file", path: `${at}/${name}`, size: 0, mode: 0o644 })),
  ];
  const files = new GuestProbe({ tree }).machine.kernel.files.disk.open(at, 0, 0);
  assert.ok(typeof files !== "number" && "names" in files);
  assert.deepEqual((files as { names(): unknown }).names(), [".", "..", ...names]);
});

test("given tree: what we make up ourselves stays, and no entry of any name does harm", () => {
  const tree: GivenEntry[] = [
    { kind: "directory", path: "/proc", isWhole: true, mode: 0 },
    { kind: "missing", path: "/dev/null" },
    { kind: "link", path: "/dev", to: "/etc" },
    { kind: "file", path: "/proc/self/x", size: 1, mode: 0o644 },
    { kind: "file", path: "relative", size: 1, mode: 0o644 },
    { kind: "directory", path: "/", isWhole: true, mode: 0 },
    { kind: "directory", path: `${root}/..`, isWhole: true, mode: 0 },
    { kind: "file", path: `${root}/${"n".repeat(300)}`, size: 1, mode: 0o644 },
    { kind: "file", path: `/${"n/".repeat(3000)}x`, size: 1, mode: 0o644 },
    { kind: "file", path: `${root}/file`, size: 1, mode: 0o644 },
    { kind: "file", path: `${root}/file/below`, size: 1, mode: 0o644 },
    { kind: "link", path: `${root}/self`, to: "self" },
    { kind: "file", path: `${root}/self/below`, size: 1, mode: 0o644 },
    { kind: "missing", path: `${root}/no/such/parent` },
  ];
  const probe = new GuestProbe({ tree });
  assert.equal(probe.readFile("/dev/null"), "");
  assert.ok(typeof probe.readFile("/proc/self/status") === "string");
  assert.equal(probe.status(`${root}/no`), -2);
  assert.equal(probe.readFile(`${root}/file`), "\0");
  assert.equal(probe.status(`${root}/self/below`), -40);
  assert.ok(typeof probe.status("/tmp") !== "number");
});

test("given tree: what lies in /dev/shm is laid there, on a device of its own", () => {
  const path = "/dev/shm/tmp1";
  const tree: GivenEntry[] = [
    { kind: "directory", path, mode: 0o700, isWhole: true },
    { kind: "file", path: `${path}/f`, mode: 0o640, size: 3 },
  ];
  for (const above of [[], [{ kind: "directory", path: "/dev/shm", mode: 0o1777, isWhole: true } as const]]) {
    const probe = new GuestProbe({
      tree: [...above, ...tree],
      files: [{ path: `${path}/f`, bytes: Buffer.from("abc") }],
    });
    const buffer = probe.allocate(144);
    const file = probe.call(2, `${path}/f`, 0, 0);
    assert.equal(file, 3);
    assert.equal(probe.call(0, file, buffer, 8), 3);
    assert.equal(probe.bytes(buffer, 3).toString(), "abc");
    assert.equal(probe.call(4, `${path}/f`, buffer), 0);
    const device = probe.bytes(buffer, 8).readUInt32LE(0);
    assert.equal(probe.call(4, "/dev", buffer), 0);
    assert.notEqual(probe.bytes(buffer, 8).readUInt32LE(0), device);
    // From one file system to another nothing is renamed.
    assert.equal(probe.call(82, `${path}/f`, join(root, "f")), -18);
  }
});

test("given tree: a directory with more links than directories that are known in it is not empty", () => {
  const at = join(freshFolder(), "d");
  for (const [links, answer] of [
    [2, 0],
    [3, -39],
  ]) {
    const probe = new GuestProbe({ tree: [{ kind: "directory", path: at, mode: 0o100, isWhole: false, links }] });
    assert.equal(probe.call(84, at), answer);
  }
});
