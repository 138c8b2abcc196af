// What a hostile program tries in order to see the host, or to wait for ever: by every call that takes a path, over the
// overlay and over the real disk.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { GuestProbe } from "../guest-probe.js";
import { pipeShape } from "./standard-streams.js";

const created: string[] = [];
after(() => {
  for (const path of created) fs.rmSync(path, { recursive: true, force: true });
});

function temporaryFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "tangent-view-")));
  created.push(folder);
  return folder;
}

const ENOENT = -2;
const ENXIO = -6;
const EXDEV = -18;
/** O_RDONLY and with O_NONBLOCK. */
const READ_FLAGS = [0, 0o4000];

/** A folder of a project with links that lead where nobody may go. */
function linkedFolder(): string {
  const folder = temporaryFolder();
  fs.mkdirSync(join(folder, "deep/er"), { recursive: true });
  fs.symlinkSync("/proc", join(folder, "absolute"));
  fs.symlinkSync(`${"../".repeat(20)}proc/self`, join(folder, "relative"));
  fs.symlinkSync("../../relative", join(folder, "deep/er/twice"));
  fs.symlinkSync("/dev/../proc/self/environ", join(folder, "file"));
  fs.symlinkSync("/sys", join(folder, "sys"));
  return folder;
}

/** Spellings of what, taken literally, is the environment of our own process. */
function spellings(folder: string): string[] {
  return [
    "/proc/self/environ",
    "/proc/../proc/self/environ",
    "//proc//self/environ",
    "/./proc/./self/../self/environ",
    "/dev/../proc/self/environ",
    "/dev/fd/../environ",
    "/proc/thread-self/environ",
    "/proc/self/root/proc/self/environ",
    "/proc/self/cwd/proc/self/environ",
    `${folder}/absolute/self/environ`,
    `${folder}/relative/environ`,
    `${folder}/deep/er/twice/environ`,
    `${folder}/deep/er/twice/root/proc/4242/environ`,
    `${folder}/file`,
    `${folder}/../../../../../proc/self/environ`,
  ];
}

for (const writeThrough of [false, true]) {
  const name = writeThrough ? "the real disk" : "the overlay";

  test(`${name}: every spelling of /proc/self/environ shows the guest's own environment`, () => {
    const folder = linkedFolder();
    const probe = new GuestProbe({ writeThrough, environment: ["GUEST=yes"] });
    for (const path of spellings(folder)) assert.equal(probe.readFile(path), "GUEST=yes\0", path);
  });

  test(`${name}: nothing else of the host's processes and devices is there, by any call`, () => {
    const folder = linkedFolder();
    const probe = new GuestProbe({ writeThrough });
    const own = String(process.pid);
    const hidden = [
      ...["/proc/self/mem", `/proc/${own}/environ`, "/proc/../proc/1/environ", `${folder}/absolute/${own}`, "/sys"],
      ...["/dev/ptmx", "/dev/../dev/mem", "/dev/pts/0", `${folder}/sys/kernel`, `${folder}/absolute/kcore`, "/dev/sda"],
      ...["/proc/self/task", "/proc/self/fd/77", "/proc/self/fd/0/x", "/proc/self/root/proc/1", "/proc/sysrq-trigger"],
    ];
    const buffer = probe.allocate(256);
    for (const path of hidden) {
      const answers = {
        open: probe.call(2, path, 0, 0),
        stat: probe.call(4, path, buffer),
        lstat: probe.call(6, path, buffer),
        statx: probe.call(332, -100, path, 0, 0x7ff, buffer),
        statfs: probe.call(137, path, buffer),
        access: probe.call(21, path, 4),
        readlink: probe.call(89, path, buffer, 256),
        chdir: probe.call(80, path),
        truncate: probe.call(76, path, 0),
        chmod: probe.call(90, path, 0o777),
        rename: probe.call(82, path, `${folder}/renamed`),
        link: probe.call(86, path, `${folder}/linked`),
      };
      for (const [call, answer] of Object.entries(answers)) {
        assert.ok(answer === ENOENT || answer === -20 || answer === EXDEV, `${call} ${path} gives ${answer}`);
      }
      // A file made in the guest's own /dev is in memory only.
      if (writeThrough && !path.startsWith("/dev/"))
        assert.ok(probe.call(2, path, 0o101, 0o644) < 0, `${path} was made`);
    }
    const listed = probe.list("/proc");
    assert.ok(Array.isArray(listed));
    assert.deepEqual(
      listed.filter((entry) => /^\d/.test(entry)),
      ["4242:4"],
    );
    assert.ok(!(probe.list("/") as string[]).some((entry) => entry.startsWith("sys:")));
    assert.ok((probe.list("/") as string[]).includes("proc:4"));
    assert.equal(probe.call(59, "/bin/sh", 0, 0), -1);
  });

  test(`${name}: named pipes, sockets and devices of the disk are never opened, so nothing waits for them`, () => {
    const folder = temporaryFolder();
    execFileSync("mkfifo", [join(folder, "pipe")]);
    fs.symlinkSync("pipe", join(folder, "link"));
    const probe = new GuestProbe({ writeThrough });
    const before = fs.readdirSync("/proc/self/fd").length;
    for (const path of [`${folder}/pipe`, `${folder}/link`]) {
      if (writeThrough) {
        for (const flags of [...READ_FLAGS, 1, 2, 0o1101]) assert.equal(probe.call(2, path, flags, 0o644), ENXIO);
      } else {
        assert.ok(probe.call(2, path, 0o4000, 0) >= 0);
        assert.ok(probe.call(2, path, 2, 0) >= 0);
      }
    }
    assert.equal(fs.readdirSync("/proc/self/fd").length, before);
    const status = probe.status(`${folder}/pipe`);
    assert.ok(typeof status === "object" && (status.mode & 0o170000) === 0o010000);
  });

  test(`${name}: a file of 100 GB, offsets beyond all files, and one that shrinks while it is read`, () => {
    const folder = temporaryFolder();
    fs.writeFileSync(join(folder, "sparse"), "start");
    fs.truncateSync(join(folder, "sparse"), 100e9);
    const probe = new GuestProbe({ writeThrough });
    const buffer = probe.allocate(16);
    const sparse = probe.call(2, `${folder}/sparse`, 2, 0);
    assert.equal(probe.call(8, sparse, -4, 2), 100e9 - 4);
    assert.equal(probe.call(0, sparse, buffer, 16), 4);
    assert.ok([0, -22].includes(probe.call(17, sparse, buffer, 16, 2 ** 60)));
    assert.ok(probe.call(9, 0, 100e9, 1, 2, sparse, 0) < 0);
    assert.equal(probe.call(18, sparse, "x", 1, 50e9), 1);
    assert.equal(probe.call(17, sparse, buffer, 1, 50e9), 1);
    assert.equal(probe.bytes(buffer, 1).toString(), "x");
    fs.writeFileSync(join(folder, "shrinking"), "0123456789");
    const shrinking = probe.call(2, `${folder}/shrinking`, 0, 0);
    assert.equal(probe.call(0, shrinking, buffer, 4), 4);
    fs.truncateSync(join(folder, "shrinking"), 2);
    assert.equal(probe.call(0, shrinking, buffer, 4), 0);
    fs.appendFileSync(join(folder, "shrinking"), "x".repeat(100));
    assert.equal(probe.call(0, shrinking, buffer, 16), 16);
  });

  test(`${name}: links that lead in circles and paths without end give errors`, () => {
    const folder = temporaryFolder();
    fs.symlinkSync("circle", join(folder, "circle"));
    fs.symlinkSync("right/x", join(folder, "left"));
    fs.symlinkSync("left/x", join(folder, "right"));
    fs.symlinkSync("grow/grow", join(folder, "grow"));
    const probe = new GuestProbe({ writeThrough });
    for (const path of ["circle", "left", "right/y", "grow"]) {
      assert.equal(probe.call(2, `${folder}/${path}`, 0, 0), -40, path);
    }
    assert.equal(probe.call(2, `${folder}/${"a/".repeat(3000)}`, 0, 0), -36);
    assert.equal(probe.call(88, "t".repeat(5000), `${folder}/long`), -36);
  });

  test(`${name}: of a large directory every name is listed once, and only what is delivered is looked at`, () => {
    const folder = temporaryFolder();
    for (let i = 0; i < 3000; i++) fs.writeFileSync(join(folder, `entry-${i}`), "");
    const probe = new GuestProbe({ writeThrough });
    const listed = probe.list(folder);
    assert.ok(Array.isArray(listed));
    assert.equal(new Set(listed.filter((entry) => entry.startsWith("entry-"))).size, 3000);
  });
}

test("write-through: what lies outside of the roots is neither seen nor written", () => {
  const folder = temporaryFolder();
  fs.mkdirSync(join(folder, "inside"));
  fs.writeFileSync(join(folder, "outside"), "untouched");
  fs.symlinkSync("../outside", join(folder, "inside/link"));
  const probe = new GuestProbe({ writeThrough: true, roots: [join(folder, "inside")] });
  assert.equal(probe.writeFile(`${folder}/inside/new`, "text"), 4);
  assert.equal(fs.readFileSync(join(folder, "inside/new"), "utf8"), "text");
  assert.equal(probe.readFile(`${folder}/outside`), ENOENT);
  assert.equal(probe.readFile(`${folder}/inside/link`), ENOENT);
  for (const path of ["outside", "other", "inside/link"]) {
    assert.ok(probe.writeFile(`${folder}/${path}`, "overwritten") < 0, path);
    assert.ok(probe.call(82, `${folder}/inside/new`, `${folder}/inside/../${path}x`) < 0 || /inside/.test(path), path);
  }
  assert.ok(probe.call(87, `${folder}/outside`) < 0);
  assert.deepEqual(fs.readdirSync(folder), ["inside", "outside"]);
  assert.equal(fs.readFileSync(join(folder, "outside"), "utf8"), "untouched");
});

test("the terminal is the program's own streams, and never the host's", () => {
  const captured = new GuestProbe();
  for (const flags of [0, 1, 2]) assert.equal(captured.call(2, "/dev/tty", flags, 0), ENXIO);
  const shape = { ...pipeShape(1, 2), terminal: true };
  const probe = new GuestProbe({ stdout: shape });
  const terminal = probe.call(2, "/dev/tty", 2, 0);
  assert.ok(terminal >= 0);
  assert.equal(probe.call(1, terminal, "text", 4), 4);
  assert.equal(probe.call(0, terminal, probe.allocate(4), 4), -5);
  assert.equal(probe.call(16, terminal, 0x5401, probe.allocate(60)), 0);
});

test("descriptors in /proc/self/fd and /dev/fd lead to the open files themselves", () => {
  const folder = temporaryFolder();
  fs.writeFileSync(join(folder, "file"), "content");
  const probe = new GuestProbe({ stdin: Buffer.from("given") });
  const directory = probe.call(2, folder, 0o200000, 0);
  const file = probe.call(2, `${folder}/file`, 0, 0);
  assert.equal(probe.readFile(`/proc/self/fd/${directory}/file`), "content");
  assert.equal(probe.readFile(`/dev/fd/${directory}/../${folder.split("/").at(-1)}/file`), "content");
  assert.equal(probe.readFile(`/proc/4242/fd/${file}`), "content");
  assert.equal(probe.call(2, `/proc/self/fd/${file}/x`, 0, 0), -20);
  assert.equal(probe.readFile("/dev/stdin"), "given");
  const buffer = probe.allocate(200);
  const length = probe.call(89, `/proc/self/fd/${file}`, buffer, 200);
  assert.equal(probe.bytes(buffer, length).toString(), `${folder}/file`);
  assert.equal(probe.call(80, `/proc/self/fd/${directory}`), 0);
  assert.equal(probe.readFile("file"), "content");
  const listed = probe.list("/proc/self/fd");
  assert.ok(Array.isArray(listed) && listed.includes(`${file}:10`) && listed.includes("0:10"));
});

test("made files: texts that programs read, shared memory that they make, and nothing to change in /proc", () => {
  const probe = new GuestProbe({ executable: "/usr/bin/thing", arguments: ["thing", "-x"] });
  assert.equal(probe.readFile("/proc/self/cmdline"), "thing\0-x\0");
  assert.match(String(probe.readFile("/proc/self/status")), /Name:\tthing\n.*Pid:\t4242\n/s);
  assert.match(String(probe.readFile("/proc/meminfo")), /MemTotal: +4194304 kB/);
  assert.match(String(probe.readFile("/proc/cpuinfo")), /processor\t: 0/);
  assert.equal(probe.readFile("/proc/sys/kernel/ostype"), "Linux\n");
  assert.equal(probe.writeFile("/dev/shm/segment", "shared"), 6);
  assert.equal(probe.readFile("/dev/shm/segment"), "shared");
  assert.equal(fs.existsSync("/dev/shm/segment"), false);
  assert.ok(probe.writeFile("/proc/cpuinfo", "x") < 0);
  assert.ok(probe.writeFile("/proc/new", "x") < 0);
  assert.ok(probe.call(87, "/proc/self/environ") < 0);
  assert.ok(probe.call(83, "/proc/self/fd/x", 0o755) < 0);
  assert.equal(probe.machine.kernel.files.filesRead.size, 0);
});

test("a program that makes, names or is refused things without end comes to a limit, and its output costs what it says", () => {
  const limits = { instructions: 1e9, milliseconds: 1e9, heapBytes: 1 << 24, outputBytes: 1 << 20 };
  const makes: ((probe: GuestProbe, index: number) => number)[] = [
    (probe, index) => probe.call(83, `/tmp/never-made-${index}`, 0o755),
    (probe, index) => probe.call(88, "x".repeat(2000), `/tmp/never-made-${index}`),
    (probe, index) => probe.call(133, `/tmp/never-made-${index}`, 0o010644, 0),
    (probe, index) => probe.call(3, probe.call(2, `/tmp/never-made-${index}`, 0o101, 0o644)),
  ];
  for (const make of makes) {
    const probe = new GuestProbe({ limits });
    assert.throws(() => {
      for (let i = 0; i < 5000; i++) make(probe, i);
    }, /limit/);
  }
  const probe = new GuestProbe();
  for (let i = 0; i < 5000; i++) probe.call(10_000 + i);
  assert.ok(probe.machine.kernel.denied.size <= 201);
  for (let i = 0; i < 3000; i++) probe.call(1, 1, String.fromCharCode(97 + (i % 26)), 1);
  probe.call(1, 1, "y".repeat(100_000), 100_000);
  probe.call(1, 1, "z", 1);
  const { stdout } = probe.machine.kernel.files;
  assert.ok("content" in stdout);
  const text = Buffer.from(stdout.content).toString();
  const letters = Array.from({ length: 3000 }, (_, i) => String.fromCharCode(97 + (i % 26))).join("");
  // Not by a pattern: V8 goes back for each letter, which took 18 s.
  assert.ok(text === `${letters}${"y".repeat(100_000)}z`, `${text.length} bytes`);
});

test("writev of the same buffer a thousand times moves what a write can move, and does not copy it first", () => {
  const shape = pipeShape(1, 2);
  const probe = new GuestProbe({ stdout: shape });
  const buffer = probe.call(9, 0, 0x100_0000, 3, 0x22, -1, 0);
  assert.ok(buffer > 0);
  const list = probe.allocate(16 * 1000);
  for (let i = 0; i < 1000; i++) {
    probe.memory.setI64(list + 16 * i, buffer);
    probe.memory.setI64(list + 16 * i + 8, 0x100_0000);
  }
  assert.equal(probe.call(20, 1, list, 1000), 0x7fff_f000);
});

test("a file that is given in the place of a named pipe on the disk is that file", () => {
  const folder = temporaryFolder();
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const probe = new GuestProbe({ files: [{ path: `${folder}/pipe`, bytes: Buffer.from("what came out") }] });
  assert.equal(probe.readFile(`${folder}/pipe`), "what came out");
});

test("the real disk: an open directory that was replaced by a link leads nowhere", () => {
  const root = temporaryFolder();
  const outside = temporaryFolder();
  fs.mkdirSync(join(outside, "deep"));
  fs.writeFileSync(join(outside, "secret"), "");
  fs.chmodSync(outside, 0o700);
  fs.chmodSync(join(outside, "deep"), 0o700);
  fs.mkdirSync(join(root, "a"));
  fs.mkdirSync(join(root, "b/deep"), { recursive: true });
  const probe = new GuestProbe({ writeThrough: true, roots: [root] });
  const buffer = probe.allocate(4096);
  const first = probe.call(2, `${root}/a`, 0o200000, 0);
  const second = probe.call(2, `${root}/b/deep`, 0o200000, 0);
  assert.ok(first >= 0 && second >= 0);
  assert.equal(probe.call(84, `${root}/a`), 0);
  assert.equal(probe.call(88, outside, `${root}/a`), 0);
  assert.equal(probe.call(82, `${root}/b`, `${root}/c`), 0);
  assert.equal(probe.call(88, outside, `${root}/b`), 0);
  for (const descriptor of [first, second]) {
    assert.equal(probe.call(91, descriptor, 0o777), ENOENT);
    assert.equal(probe.call(217, descriptor, buffer, 4096), ENOENT);
  }
  assert.equal(fs.statSync(outside).mode & 0o777, 0o700);
  assert.equal(fs.statSync(join(outside, "deep")).mode & 0o777, 0o700);
});
