import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Invocation, TreeEntry } from "../inputs/invocation.js";
import { removeStaged, stageInvocation } from "./stage-invocation.js";

const root = fs.mkdtempSync(join(tmpdir(), "tangent-stage-"));
after(() => removeStaged(root));
let scratches = 0;
const scratch = (): string => {
  const path = join(root, `s${scratches++}`);
  fs.mkdirSync(path);
  return path;
};

function invocation(tree: readonly TreeEntry[], more: Partial<Invocation> = {}): Invocation {
  return {
    ...{ program: "p", arguments: [], environment: [], workingDirectory: "/w/here", umask: 0o022 },
    ...{ stdin: { kind: "empty" }, tree },
    ...more,
  };
}

/** Every path below a folder with its kind. */
function all(folder: string, at = ""): string[] {
  return fs.readdirSync(join(folder, at), { withFileTypes: true }).flatMap((entry) => {
    const path = `${at}/${entry.name}`;
    return entry.isDirectory() ? [`${path}/`, ...all(folder, path)] : [path];
  });
}

test("staging: everything lies at its own path below the scratch directory, with kinds, modes and times", () => {
  const folder = scratch();
  const made = stageInvocation(
    invocation(
      [
        { kind: "directory", path: "/w/here/shut", mode: 0o500, isWhole: true, modified: 1000, nanoseconds: 5e8 },
        { kind: "file", path: "/w/here/shut/f", bytes: Buffer.from("text"), mode: 0o440, modified: 2000 },
        { kind: "sized", path: "/w/here/big", size: 1 << 20, mode: 0o4755, modified: 3000 },
        { kind: "link", path: "/w/here/l", to: "shut/f", modified: 4000 },
        { kind: "link", path: "/w/abs", to: "/w/here" },
        { kind: "fifo", path: "/w/pipe", mode: 0o620 },
        { kind: "missing", path: "/w/none" },
        { kind: "file", path: "/usr/share/of-the-system", bytes: Buffer.from(""), mode: 0o644 },
      ],
      {
        arguments: [Buffer.from("-f/w/here/l"), Buffer.from("plain"), Buffer.from("/usr/x")],
        environment: ["PWD=/w/here", "A=b"],
        stdin: { kind: "bytes", bytes: Buffer.from("in"), regularFile: false },
      },
    ),
    folder,
  );
  assert.deepEqual(made.notes, []);
  const tree = join(folder, "tree");
  assert.equal(made.directory, join(tree, "w/here"));
  assert.deepEqual(all(tree).sort(), [
    ...["/w/", "/w/abs", "/w/here/", "/w/here/big", "/w/here/l", "/w/here/shut/", "/w/here/shut/f", "/w/pipe"],
  ]);
  const status = (path: string): fs.Stats => fs.lstatSync(join(tree, path));
  assert.deepEqual([status("w/here/shut").mode & 0o7777, status("w/here/shut").mtimeMs], [0o500, 1_000_500]);
  assert.deepEqual([status("w/here/shut/f").mode & 0o7777, status("w/here/shut/f").mtimeMs], [0o440, 2_000_000]);
  assert.deepEqual([status("w/here/big").mode & 0o7777, status("w/here/big").size], [0o755, 1 << 20]);
  assert.equal(status("w/here/l").mtimeMs, 4_000_000);
  assert.ok(status("w/pipe").isFIFO());
  assert.equal(fs.readFileSync(join(tree, "w/abs/l"), "utf8"), "text");
  assert.deepEqual(made.words.map(String), [`-f${tree}/w/here/l`, "plain", "/usr/x"]);
  assert.deepEqual(made.environment.map(String), [`PWD=${tree}/w/here`, "A=b"]);
  assert.equal(fs.readFileSync(made.stdin ?? "", "utf8"), "in");
  removeStaged(folder);
  assert.ok(!fs.existsSync(folder));
});

test("staging: names of one file are names of one file, whichever of them has the content", () => {
  const folder = scratch();
  const more = { mode: 0o600, inode: 7, links: 2 };
  stageInvocation(
    invocation([
      { kind: "sized", path: "/w/a/first", size: 4, ...more },
      { kind: "file", path: "/w/b/c/second", bytes: Buffer.from("text"), ...more },
      { kind: "file", path: "/w/other", bytes: Buffer.from("text"), mode: 0o600 },
    ]),
    folder,
  );
  const first = fs.statSync(join(folder, "tree/w/a/first"));
  assert.deepEqual([first.nlink, first.ino], [2, fs.statSync(join(folder, "tree/w/b/c/second")).ino]);
  assert.equal(fs.readFileSync(join(folder, "tree/w/a/first"), "utf8"), "text");
  assert.equal(fs.statSync(join(folder, "tree/w/other")).nlink, 1);
});

test("staging: nothing is written outside, whatever the names and links are", () => {
  const folder = scratch();
  const outside = join(root, "outside");
  const bytes = Buffer.from("harm");
  const up = "../".repeat(20);
  const made = stageInvocation(
    invocation(
      [
        { kind: "file", path: `/${up}${outside}`, bytes, mode: 0o644 },
        { kind: "file", path: `/w/../../${outside}`, bytes, mode: 0o644 },
        { kind: "link", path: "/w/out", to: `${up}${root}` },
        { kind: "file", path: "/w/out/outside", bytes, mode: 0o644 },
        { kind: "link", path: "/w/abs", to: root },
        { kind: "file", path: "/w/abs/outside", bytes, mode: 0o644 },
        { kind: "link", path: "/w/root", to: "/" },
        { kind: "link", path: "/w/deep/er/x", to: "../../root/../.." },
        { kind: "file", path: "/w/file", bytes, mode: 0o644 },
        { kind: "file", path: "/w/file/below", bytes, mode: 0o644 },
        { kind: "directory", path: "/w/file", mode: 0o755, isWhole: true },
        { kind: "link", path: "/w/loop", to: "loop" },
        { kind: "socket", path: "/w/socket", mode: 0o644 },
        { kind: "file", path: "/w/nul\0l", bytes, mode: 0o644 },
      ],
      { workingDirectory: `/w/../../..${root}` },
    ),
    folder,
  );
  assert.deepEqual(
    fs.readdirSync(root).sort(),
    fs
      .readdirSync(root)
      .filter((name) => /^s\d+$/.test(name))
      .sort(),
  );
  assert.equal(made.directory, join(folder, "tree"));
  const told = made.notes.join("\n");
  for (const what of ["/w/out: ", "/w/deep/er/x: ", "/w/file/below: ", "/w/socket: "])
    assert.ok(told.includes(what), what);
  // What is made leads nowhere but into the tree.
  for (const path of all(folder)) {
    const place = join(folder, path);
    if (!fs.lstatSync(place).isSymbolicLink() || !fs.existsSync(place)) continue;
    assert.ok(`${fs.realpathSync(place)}/`.startsWith(`${fs.realpathSync(folder)}/tree/`), path);
  }
});

test("staging: what a test made shortly before stays as old as it was, times that somebody chose stay", () => {
  const folder = scratch();
  const startTimeMs = Date.UTC(2020, 0, 1);
  const at = startTimeMs / 1000;
  stageInvocation(
    invocation(
      [
        { kind: "sized", path: "/w/new", size: 0, mode: 0o644, modified: at - 7200 },
        { kind: "sized", path: "/w/old", size: 0, mode: 0o644, modified: 86_400 },
      ],
      { startTimeMs },
    ),
    folder,
  );
  const hours = (Date.now() - fs.statSync(join(folder, "tree/w/new")).mtimeMs) / 3_600_000;
  assert.ok(hours >= 2 && hours < 3);
  assert.equal(fs.statSync(join(folder, "tree/w/old")).mtimeMs, 86_400_000);
});
