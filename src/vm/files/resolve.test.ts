// The walk of the overlay against the kernel's own: random paths with dots, doubled slashes and links over a random tree,
// and word of every path of the real disk that was touched on the way. What the kernel would find in /proc, /dev and
// /sys must not be found, whatever spelling or link leads there.

import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Random } from "../../support/random.js";
import { errnoOf } from "../errno.js";
import { RunMemory } from "../run-memory.js";
import { type HostFunctions, HostView } from "./host-view.js";
import { madeEntries } from "./made-tree.js";
import { OPEN, OpenDirectory } from "./open-file.js";
import { OverlayDisk } from "./overlay-disk.js";
import { OutputBudget } from "./standard-streams.js";

const created: string[] = [];
after(() => {
  for (const path of created) fs.rmSync(path, { recursive: true, force: true });
});

const FORBIDDEN = /^\/+(proc|dev|sys)(\/|$)/;
const RECORDED = ["lstatSync", "statfsSync", "openSync", "readlinkSync", "opendirSync"] as const;

/** Node's functions, and every path they were called with. */
function recording(): { functions: HostFunctions; touched: string[]; opened: string[] } {
  const touched: string[] = [];
  const opened: string[] = [];
  const functions: Record<string, unknown> = { ...fs };
  for (const name of RECORDED) {
    const real = functions[name] as (...values: unknown[]) => unknown;
    functions[name] = (path: Buffer, ...rest: unknown[]) => {
      touched.push(path.toString("latin1"));
      if (name === "openSync") opened.push(path.toString("latin1"));
      return real(path, ...rest);
    };
  }
  return { functions: functions as unknown as HostFunctions, touched, opened };
}

function diskOver(functions: HostFunctions, roots: readonly string[] | null = null): OverlayDisk {
  const user = { user: process.getuid?.() ?? 0, group: process.getgid?.() ?? 0, groups: process.getgroups?.() ?? [] };
  return new OverlayDisk({
    view: new HostView(roots, functions),
    budget: new OutputBudget(1 << 24, new RunMemory(1 << 24)),
    user,
    now: () => ({ seconds: 1, nanoseconds: 0 }),
    deny: (_what, errno) => -errno,
    made: (root) =>
      madeEntries(root, {
        random: new Random(1),
        id: 4242,
        user: user.user,
        group: user.group,
        executable: "/program",
        arguments: ["program", "argument"],
        environment: ["GUEST=1"],
        workingDirectory: () => "/",
        descriptors: () => [],
        get: () => null,
        streams: () => [],
        reopen: () => -2,
      }),
  });
}

const NAMES = ["a", "b", "c", "d", "e"];
const TARGETS = ["a", "../b", "./c/", "..", "../../a/b", "d/../e", "nowhere", "/", "../.././a", "a//b"];
const TRAPS = [
  "/proc",
  "/proc/self/environ",
  "/dev/../proc/self",
  "/sys",
  "/dev/ptmx",
  "/proc/1",
  "/proc/self/root/proc",
];

/** Directories, files and links with few names, so that paths often lead somewhere. */
function randomTree(random: Random, depth = 6): string {
  const above = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "tangent-resolve-")));
  created.push(above);
  // Paths lead out of it, and there are to be no files of others.
  const root = join(above, "tree", "tree");
  fs.mkdirSync(root, { recursive: true });
  const folders = [root];
  for (let i = 0; i < 40; i++) {
    const folder = folders[random.next() % folders.length];
    const path = join(folder, NAMES[random.next() % NAMES.length]);
    if (fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    const kind = random.next() % 5;
    if (kind <= 1 && path.split("/").length < root.split("/").length + depth) {
      fs.mkdirSync(path);
      folders.push(path);
    } else if (kind === 2) {
      fs.writeFileSync(path, `content of ${path}`);
    } else if (kind === 3) {
      const absolute = random.next() % 3 === 0 ? `${root}/` : "";
      fs.symlinkSync(absolute + TARGETS[random.next() % TARGETS.length], path);
    } else {
      const up = "../".repeat(random.next() % 12);
      const trap = TRAPS[random.next() % TRAPS.length];
      fs.symlinkSync(up === "" ? trap : up + trap.slice(1), path);
    }
  }
  return root;
}

function randomPath(root: string, random: Random): string {
  const parts = random.next() % 4 === 0 ? [`${root}/../../../..${TRAPS[random.next() % TRAPS.length]}`] : [root];
  const length = random.next() % 7;
  const words = [...NAMES, ...NAMES, "..", ".", "", "self", "environ", "proc", "nowhere"];
  for (let i = 0; i < length; i++) parts.push(words[random.next() % words.length]);
  return parts.join("/") + (random.next() % 6 === 0 ? "/" : "");
}

/** A value of the kernel's, or its negated error number. */
function ask<T>(question: () => T): T | number {
  try {
    return question();
  } catch (error) {
    return errnoOf(error);
  }
}

/** Whether the kernel comes by one of the directories that are made, following links as it goes. */
function comesByMade(path: string): boolean {
  let pending = path.split("/").reverse();
  let at = "/";
  for (let links = 0; pending.length > 0; ) {
    const name = pending.pop() ?? "";
    const next = join(at, name);
    if (FORBIDDEN.test(next)) return true;
    const status = ask(() => fs.lstatSync(next));
    if (typeof status === "number" || links > 40) return false;
    if (status.isSymbolicLink()) {
      links++;
      const target = fs.readlinkSync(next);
      pending = [...pending, ...target.split("/").reverse()];
      if (target.startsWith("/")) at = "/";
    } else {
      at = next;
    }
  }
  return false;
}

test("resolve: random paths lead where the kernel leads, and never into /proc, /dev or /sys of the host", () => {
  let compared = 0;
  let made = 0;
  for (let seed = 1; seed <= 25; seed++) {
    const random = new Random(seed);
    const root = randomTree(random);
    const { functions, touched, opened } = recording();
    const disk = diskOver(functions);
    for (let i = 0; i < 300; i++) {
      const path = randomPath(root, random);
      const shown = `seed ${seed} path ${path.replace(root, "ROOT")}`;
      const results = [disk.status(path, true), disk.status(path, false), disk.readLink(path), disk.directory(path)];
      const file = disk.open(path, OPEN.readOnly | OPEN.nonBlocking, 0);
      let content: string | number = typeof file === "number" ? file : "";
      if (typeof file !== "number") {
        const bytes = new Uint8Array(300);
        const count = file.read(bytes);
        content = count < 0 ? count : Buffer.from(bytes.subarray(0, count)).toString();
        if (file instanceof OpenDirectory) file.names();
        file.close();
      }
      if (comesByMade(path)) {
        made++;
        continue;
      }
      compared++;
      const [status, own, link, directory] = results;
      const inode = (value: typeof status): number => (typeof value === "object" ? value.inode : Number(value));
      assert.equal(
        inode(status),
        ask(() => fs.statSync(path).ino),
        `stat, ${shown}`,
      );
      assert.equal(
        inode(own),
        ask(() => fs.lstatSync(path).ino),
        `lstat, ${shown}`,
      );
      assert.equal(
        link,
        ask(() => fs.readlinkSync(path)),
        `readlink, ${shown}`,
      );
      assert.equal(
        content,
        ask(() => fs.readFileSync(path, "utf8")),
        `read, ${shown}`,
      );
      const real = ask(() => fs.realpathSync.native(path));
      if (typeof directory === "string") assert.equal(directory, real, `realpath, ${shown}`);
    }
    assert.deepEqual(
      touched.filter((path) => FORBIDDEN.test(path)),
      [],
    );
    for (const path of opened) assert.ok(fs.lstatSync(path).isFile(), `${path} was opened`);
  }
  assert.ok(compared > 2000 && made > 500, `${compared} compared, ${made} made`);
});

test("resolve: with roots nothing outside of them is touched, whatever the path", () => {
  for (let seed = 1; seed <= 10; seed++) {
    const random = new Random(seed);
    const root = randomTree(random);
    fs.mkdirSync(join(root, "inside/x"), { recursive: true });
    fs.writeFileSync(join(root, "inside/file"), "seen");
    fs.symlinkSync("../a", join(root, "inside/a"));
    fs.symlinkSync(root, join(root, "inside/b"));
    const inside = join(root, "inside");
    const { functions, touched } = recording();
    const disk = diskOver(functions, [inside]);
    for (let i = 0; i < 200; i++) {
      const path = randomPath(random.next() % 2 === 0 ? inside : root, random);
      disk.status(path, true);
      const file = disk.open(path, OPEN.readOnly, 0);
      if (typeof file === "number") continue;
      if (file instanceof OpenDirectory) {
        const names = file.names();
        if (typeof names !== "number") for (const name of names) file.entry(name);
      }
      file.close();
    }
    for (const path of touched) {
      const above = path === "/" || `${inside}/`.startsWith(`${path.replace(/\/+$/, "")}/`);
      assert.ok(above || path.startsWith(`${inside}/`), path);
    }
    assert.equal(typeof disk.status(`${inside}/file`, true), "object");
    assert.equal(disk.status(`${root}/../../etc/passwd`, true), -2);
    const above = disk.open(root, OPEN.readOnly, 0);
    assert.ok(above instanceof OpenDirectory);
    assert.deepEqual(above.names(), [".", "..", "inside"]);
  }
});

test("resolve: a file that is exchanged between the look at it and its opening is not opened", () => {
  const root = randomTree(new Random(1));
  fs.writeFileSync(join(root, "victim"), "ordinary");
  fs.writeFileSync(join(root, "other"), "secret");
  const { functions } = recording();
  const exchanging: HostFunctions = {
    ...functions,
    openSync: ((path: Buffer, flags: number) => {
      fs.renameSync(join(root, "other"), join(root, "victim"));
      return fs.openSync(path, flags);
    }) as typeof fs.openSync,
  };
  assert.equal(diskOver(exchanging).open(`${root}/victim`, OPEN.readOnly, 0), -2);
});

test("resolve: a directory without end is refused, and its names are not kept", () => {
  const root = randomTree(new Random(2));
  let delivered = 0;
  const endless: HostFunctions = {
    ...recording().functions,
    opendirSync: (() => ({
      readSync: () => ({ name: `name-${delivered++}` }),
      closeSync: () => {},
    })) as unknown as typeof fs.opendirSync,
  };
  const directory = diskOver(endless).open(root, OPEN.readOnly, 0);
  assert.ok(directory instanceof OpenDirectory);
  assert.equal(directory.names(), -12);
  assert.ok(delivered < 2_000_000);
});

test("resolve: file systems that the kernel makes up are not there, wherever they are mounted", () => {
  const root = randomTree(new Random(3));
  fs.mkdirSync(join(root, "mounted"));
  fs.writeFileSync(join(root, "mounted/environ"), "of the host");
  fs.symlinkSync("mounted/environ", join(root, "to-mounted"));
  const { functions, opened } = recording();
  const isMounted = (path: unknown): boolean => String(path).startsWith(join(root, "mounted"));
  // As if another proc were mounted there: another device, and statfs tells of what kind it is.
  const pretending = {
    ...functions,
    lstatSync: (path: Buffer, options: { bigint: true }) => {
      const stats = fs.lstatSync(path, options);
      if (isMounted(path)) stats.dev = 99_999n;
      return stats;
    },
    statfsSync: (path: Buffer) => ({ ...fs.statfsSync(path), ...(isMounted(path) ? { type: 0x9fa0 } : {}) }),
  } as unknown as HostFunctions;
  const disk = diskOver(pretending);
  for (const path of ["mounted", "mounted/environ", "to-mounted", "mounted/../mounted/./environ"]) {
    assert.equal(disk.open(`${root}/${path}`, OPEN.readOnly, 0), -2, path);
    assert.equal(disk.status(`${root}/${path}`, true), -2, path);
  }
  assert.deepEqual(opened, []);
});
