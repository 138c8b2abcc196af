import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadModule } from "../../jit/load-module.js";
import { GuestProbe } from "../guest-probe.js";
import { RunStop } from "../run-end.js";
import { DEFAULT_LIMITS, DEFAULT_OPTIONS } from "../run-options.js";
import { FAMILIES } from "./table.js";

/** Why a call ended the run. */
function stopOf(action: () => unknown): RunStop["reason"] {
  try {
    action();
  } catch (error) {
    if (error instanceof RunStop) return error.reason;
    throw error;
  }
  throw new Error("the run did not end");
}

test("system calls: no number stands in two families", () => {
  const seen = new Set<string>();
  for (const family of FAMILIES) {
    for (const number of Object.keys(family)) {
      assert.ok(!seen.has(number), number);
      seen.add(number);
    }
  }
  assert.ok(seen.size > 150);
});

test("read: takes what standard input has, and then says it has ended", () => {
  const probe = new GuestProbe({ stdin: Buffer.from("abcdef") });
  const buffer = probe.allocate(4);
  assert.equal(probe.call(0, 0, buffer, 4), 4);
  assert.equal(probe.bytes(buffer, 4).toString(), "abcd");
  assert.equal(probe.call(0, 0, buffer, 4), 2);
  assert.equal(probe.call(0, 0, buffer, 4), 0);
  assert.equal(probe.call(8, 0, 0, 0), -29);
});

test("standard output may be /dev/full and standard error closed, as they were for a recorded test", () => {
  const probe = new GuestProbe({ outputs: { stdout: "full", stderr: "closed" } });
  assert.equal(probe.call(1, 1, "text", 4), -28);
  assert.equal(probe.call(1, 2, "text", 4), -9);
  const status = probe.allocate(144);
  assert.equal(probe.call(5, 1, status), 0);
  assert.equal(probe.bytes(status, 144).readUInt32LE(40), 0x107);
  // The lowest free number.
  assert.equal(probe.call(2, "/dev/null", 1, 0), 2);
});

test("standard output may be a pipe whose reader leaves after some bytes", () => {
  const probe = new GuestProbe({ outputs: { stdout: { brokenAfter: 6 } } });
  assert.equal(probe.call(1, 1, "text", 4), 4);
  assert.deepEqual(
    stopOf(() => probe.call(1, 1, "text", 4)),
    { kind: "signal", signal: 13 },
  );
  const ignoring = new GuestProbe({ outputs: { stdout: { brokenAfter: 0, isSignalIgnored: true } } });
  assert.equal(ignoring.call(1, 1, "text", 4), -32);
});

test("times and mode of a captured stream are its owner's to set", () => {
  const probe = new GuestProbe({});
  assert.equal(probe.call(280, 1, 0, 0, 0), 0);
  assert.equal(probe.call(91, 2, 0o600), 0);
  assert.equal(new GuestProbe({ outputs: { stdout: "full" } }).call(280, 1, 0, 0, 0), -1);
});

test("standard input that is a regular file has a size, can seek, and is read from its start when opened again", () => {
  const probe = new GuestProbe({ stdin: Buffer.from("abcdef"), stdinKind: "file" });
  const buffer = probe.allocate(144);
  assert.equal(probe.call(5, 0, buffer), 0);
  const status = probe.bytes(buffer, 144);
  assert.equal(status.readUInt32LE(24) & 0o170000, 0o100000);
  assert.equal(status.readUInt32LE(48), 6);
  assert.equal(probe.call(0, 0, buffer, 4), 4);
  assert.equal(probe.call(8, 0, 0, 1), 4);
  assert.equal(probe.call(8, 0, -1, 2), 5);
  assert.equal(probe.call(0, 0, buffer, 4), 1);
  assert.equal(probe.bytes(buffer, 1).toString(), "f");
  assert.equal(probe.call(17, 0, buffer, 2, 1), 2);
  assert.equal(probe.bytes(buffer, 2).toString(), "bc");
  const again = probe.call(2, "/dev/stdin", 0, 0);
  assert.equal(again, 3);
  assert.equal(probe.call(0, again, buffer, 8), 6);
  assert.equal(probe.call(8, 0, 0, 1), 6);
});

test("standard input that is /dev/null or closed is that, and the other streams keep their numbers", () => {
  const none = new GuestProbe({ stdinKind: "null" });
  const buffer = none.allocate(144);
  assert.equal(none.call(5, 0, buffer), 0);
  assert.equal(none.bytes(buffer, 144).readUInt32LE(24) & 0o170000, 0o020000);
  assert.equal(none.call(0, 0, buffer, 4), 0);
  // As the system has it: it can be sought in, and stays at its start.
  assert.equal(none.call(8, 0, 7, 0), 0);
  assert.equal(none.call(17, 0, buffer, 4, 9), 0);
  const closed = new GuestProbe({ stdinKind: "closed" });
  assert.equal(closed.call(0, 0, closed.allocate(4), 4), -9);
  assert.equal(closed.call(1, 1, closed.place("x"), 1), 1);
  assert.equal(closed.call(2, "/dev/null", 0, 0), 0);
});

test("read: only the bytes that arrive need room, as AddressSanitizer sees it", () => {
  const probe = new GuestProbe({ stdin: Buffer.from("abcdef") });
  const buffer = probe.allocate(6);
  assert.equal(probe.call(0, 0, buffer, 4096), 6);
  const second = new GuestProbe({ stdin: Buffer.from("abcdefg") });
  const small = second.allocate(6);
  const reason = stopOf(() => second.call(0, 0, small, 4096));
  assert.ok(reason.kind === "fault" && reason.fault.name === "write" && reason.fault.size === 7);
  assert.equal(reason.fault.syscall, "read");
});

test("readv and writev: fill and empty their buffers in order", () => {
  const probe = new GuestProbe({ stdin: Buffer.from("0123456789") });
  const first = probe.allocate(4);
  const second = probe.allocate(8);
  const list = probe.allocate(32);
  for (const [index, word] of [first, 4, second, 8].entries()) probe.memory.setI64(list + 8 * index, word);
  assert.equal(probe.call(19, 0, list, 2), 10);
  assert.equal(probe.bytes(first, 4).toString() + probe.bytes(second, 6).toString(), "0123456789");
  probe.memory.setI64(list + 24, 6);
  assert.equal(probe.call(20, 1, list, 2), 10);
  assert.equal(probe.call(20, 1, 0x1234, 2), -14);
});

test("descriptors: the lowest free number is taken, and closing twice fails", () => {
  const probe = new GuestProbe();
  const first = probe.call(2, "/dev/null", 2, 0);
  const second = probe.call(2, "/dev/zero", 0, 0);
  assert.deepEqual([first, second], [3, 4]);
  assert.equal(probe.call(3, first), 0);
  assert.equal(probe.call(3, first), -9);
  assert.equal(probe.call(32, second), 3);
  assert.equal(probe.call(72, second, 0, 10), 10);
  assert.equal(probe.call(72, second, 3), 0);
});

test("isatty: TCGETS answers ENOTTY for captured streams", () => {
  const probe = new GuestProbe();
  assert.equal(probe.call(16, 1, 0x5401, probe.allocate(60)), -25);
});

test("terminal: a stream of a terminal's shape answers the terminal ioctls", () => {
  const pipe = new GuestProbe().machine.recording().stdout;
  const probe = new GuestProbe({ stdout: { ...pipe, terminal: true }, window: { rows: 50, columns: 132 } });
  const buffer = probe.allocate(60);
  assert.equal(probe.call(16, 1, 0x5401, buffer), 0);
  assert.equal(probe.call(16, 1, 0x5413, buffer), 0);
  assert.equal(probe.memory.view.getUint16(buffer, true), 50);
  assert.equal(probe.memory.view.getUint16(buffer + 2, true), 132);
});

test("pipe: delivers what was written, ends when the writer is closed, and blocks for ever otherwise", () => {
  const probe = new GuestProbe();
  const pair = probe.allocate(8);
  assert.equal(probe.call(22, pair), 0);
  const [reader, writer] = [probe.memory.view.getInt32(pair, true), probe.memory.view.getInt32(pair + 4, true)];
  const buffer = probe.allocate(16);
  assert.equal(probe.call(1, writer, "hello", 5), 5);
  assert.equal(probe.call(0, reader, buffer, 16), 5);
  assert.deepEqual(
    stopOf(() => probe.call(0, reader, buffer, 16)),
    { kind: "limit", limit: "blocked" },
  );
  probe.call(3, writer);
  assert.equal(probe.call(0, reader, buffer, 16), 0);
});

test("/proc says what is mounted, with the numbers that stat has", () => {
  const probe = new GuestProbe({});
  const shown = String(probe.readFile("/proc/self/mountinfo"));
  const buffer = probe.allocate(144);
  for (const path of ["/", "/dev/shm"]) {
    assert.equal(probe.call(4, path, buffer), 0);
    const device = probe.bytes(buffer, 8).readUInt32LE(0);
    const numbers = `${(device >>> 8) & 0xfff}:${(device & 0xff) | ((device >>> 12) & 0xff_ff00)}`;
    assert.ok(shown.includes(` ${numbers} / ${path} rw`), shown);
  }
  assert.match(String(probe.readFile("/proc/mounts")), /^\/dev\/root \/ ext4 rw,relatime 0 0\n/);
});

test("files have holes where nobody has written, and take no blocks there", () => {
  const probe = new GuestProbe({});
  const file = probe.call(2, "/tmp/tangent-no-such-file", 0o102, 0o644);
  const status = probe.allocate(144);
  const blocks = (): number => (probe.call(5, file, status) === 0 ? probe.bytes(status, 144).readUInt32LE(64) : -1);
  assert.equal(probe.call(77, file, 1_000_000), 0);
  assert.equal(blocks(), 0);
  assert.equal(probe.call(8, file, 0, 3), -6);
  assert.equal(probe.call(18, file, "text", 4, 500_000), 4);
  assert.equal(blocks(), 8);
  assert.equal(probe.call(8, file, 0, 3), 499_712);
  assert.equal(probe.call(8, file, 499_712, 4), 503_808);
  assert.equal(probe.call(8, file, 0, 4), 0);
  assert.equal(probe.call(8, file, 1_000_000, 4), -6);
});

test("named pipes: both ends of one, without waiting and with it", () => {
  const path = "/tmp/tangent-no-such-pipe";
  const probe = new GuestProbe({});
  const buffer = probe.allocate(8);
  const open = (flags: number): number => probe.call(2, path, flags, 0);
  assert.equal(probe.call(133, path, 0o010644, 0), 0);
  // Nobody reads.
  assert.equal(open(0o4001), -6);
  const reader = open(0o4000);
  assert.equal(reader, 3);
  assert.equal(probe.call(0, reader, buffer, 8), 0);
  const writer = open(1);
  assert.equal(writer, 4);
  assert.equal(probe.call(0, reader, buffer, 8), -11);
  assert.equal(probe.call(1, writer, "text", 4), 4);
  assert.equal(probe.call(0, reader, buffer, 8), 4);
  assert.equal(probe.bytes(buffer, 4).toString(), "text");
  assert.equal(probe.call(8, reader, 0, 0), -29);
  assert.equal(probe.call(3, writer), 0);
  assert.equal(probe.call(0, reader, buffer, 8), 0);
  assert.equal(probe.call(3, reader), 0);
  assert.deepEqual(
    stopOf(() => open(0)),
    { kind: "limit", limit: "blocked" },
  );
});

test("pipe: writing without a reader raises SIGPIPE, which ends the program", () => {
  const probe = new GuestProbe();
  const pair = probe.allocate(8);
  probe.call(22, pair);
  probe.call(3, probe.memory.view.getInt32(pair, true));
  const reason = stopOf(() => probe.call(1, probe.memory.view.getInt32(pair + 4, true), "x", 1));
  assert.deepEqual(reason, { kind: "signal", signal: 13 });
});

test("mmap: memory is zeroed, addressable to the page, and unaddressable after munmap", () => {
  const probe = new GuestProbe();
  const address = probe.call(9, 0, 5000, 3, 0x22, -1, 0);
  assert.ok(address > 0);
  assert.equal(probe.memory.firstUnwritable(address, 8192), -1);
  assert.equal(probe.memory.firstUnwritable(address, 8193), address + 8192);
  assert.equal(probe.call(10, address, 4096, 1), 0);
  assert.equal(probe.memory.firstUnwritable(address, 4096), address);
  assert.equal(probe.memory.firstUnreadable(address, 8192), -1);
  assert.equal(probe.call(11, address, 8192), 0);
  assert.equal(probe.memory.firstUnreadable(address, 1), address);
});

test("mmap: a private file mapping shows the file, and a shared one writes it back", () => {
  const probe = new GuestProbe();
  assert.equal(probe.writeFile("/tmp/tangent-never-on-disk", "file content"), 12);
  const descriptor = probe.call(2, "/tmp/tangent-never-on-disk", 2, 0);
  const address = probe.call(9, 0, 12, 3, 1, descriptor, 0);
  assert.equal(probe.bytes(address, 12).toString(), "file content");
  probe.memory.u8.set(Buffer.from("FILE"), address);
  assert.equal(probe.call(11, address, 12), 0);
  assert.equal(probe.readFile("/tmp/tangent-never-on-disk"), "FILE content");
});

test("mmap: a shared mapping that is too much to be written back at the end is a limit, and no death of the machine", () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-shared-"));
  try {
    const path = join(folder, "large");
    writeFileSync(path, new Uint8Array(1 << 20));
    const limits = { ...DEFAULT_LIMITS, outputBytes: 1 << 18 };
    const probe = new GuestProbe({ limits });
    const descriptor = probe.call(2, path, 2, 0);
    assert.ok(probe.call(9, 0, 1 << 20, 3, 1, descriptor, 0) > 0);
    const end = probe.machine.runToEnd(loadModule(probe.machine.image), () => {
      throw new RunStop({ kind: "exit", code: 0 });
    });
    assert.deepEqual(end, { kind: "limit", limit: "output", trace: [] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("mremap: growing moves and keeps the content", () => {
  const probe = new GuestProbe();
  const address = probe.call(9, 0, 4096, 3, 0x22, -1, 0);
  probe.memory.u8.set(Buffer.from("kept"), address);
  const moved = probe.call(25, address, 4096, 20_000, 1);
  assert.equal(probe.bytes(moved, 4).toString(), "kept");
  assert.equal(probe.memory.firstUnwritable(moved, 20_000), -1);
});

test("clock: is virtual, moves at every question, and sleeping moves it at once", () => {
  const probe = new GuestProbe({ startTimeMs: 1_000_000_000_000 });
  const buffer = probe.allocate(16);
  assert.equal(probe.call(228, 0, buffer), 0);
  assert.equal(probe.memory.getI64(buffer), 1_000_000_000);
  const before = probe.memory.getI64(buffer + 8);
  probe.call(228, 0, buffer);
  assert.equal(probe.memory.getI64(buffer + 8), before + 1000);
  const request = probe.allocate(16);
  probe.memory.setI64(request, 3600);
  assert.equal(probe.call(35, request, 0), 0);
  assert.equal(probe.call(201, 0), 1_000_003_600);
});

test("alarm: fires while the program waits, and ends it if nobody handles it", () => {
  const probe = new GuestProbe();
  assert.equal(probe.call(37, 5), 0);
  assert.equal(probe.call(37, 10), 5);
  assert.deepEqual(
    stopOf(() => probe.call(34)),
    { kind: "signal", signal: 14 },
  );
  assert.deepEqual(
    stopOf(() => new GuestProbe().call(34)),
    { kind: "limit", limit: "blocked" },
  );
});

test("signals: abort is a fault, SIGTERM ends the program, a blocked one waits, an ignored one does nothing", () => {
  const probe = new GuestProbe();
  const own = probe.call(39);
  assert.equal(probe.call(62, own + 1, 15), -3);
  assert.equal(probe.call(62, own, 0), 0);
  const abort = stopOf(() => probe.call(200, own, 6));
  assert.ok(abort.kind === "fault" && abort.fault.name === "abort");
  const action = probe.allocate(32);
  probe.memory.setI64(action, 1);
  assert.equal(probe.call(13, 15, action, 0, 8), 0);
  assert.equal(probe.call(62, own, 15), 0);
  const mask = probe.allocate(8);
  probe.memory.setI64(mask, 1 << 9);
  assert.equal(probe.call(14, 0, mask, 0, 8), 0);
  assert.equal(probe.call(62, own, 10), 0);
  assert.deepEqual(
    stopOf(() => probe.call(14, 1, mask, 0, 8)),
    { kind: "signal", signal: 10 },
  );
});

test("poll and select: files are ready, an empty pipe lets virtual time pass", () => {
  const probe = new GuestProbe();
  const pair = probe.allocate(8);
  probe.call(22, pair);
  const reader = probe.memory.view.getInt32(pair, true);
  const set = probe.allocate(16);
  probe.memory.view.setInt32(set, reader, true);
  probe.memory.view.setInt16(set + 4, 1, true);
  probe.memory.view.setInt32(set + 8, 1, true);
  probe.memory.view.setInt16(set + 12, 4, true);
  assert.equal(probe.call(7, set, 2, -1), 1);
  assert.equal(probe.memory.view.getInt16(set + 14, true), 4);
  const before = probe.call(201, 0);
  assert.equal(probe.call(7, set, 1, 60_000), 0);
  assert.equal(probe.call(201, 0), before + 60);
  const bits = probe.allocate(8);
  probe.memory.setI64(bits, 2 ** reader);
  probe.call(1, probe.memory.view.getInt32(pair + 4, true), "x", 1);
  assert.equal(probe.call(23, reader + 1, bits, 0, 0, 0), 1);
});

test("getrandom and /dev/urandom: repeat with the seed", () => {
  const draw = (seed: number): string => {
    const probe = new GuestProbe({ seed });
    const buffer = probe.allocate(32);
    assert.equal(probe.call(318, buffer, 16, 0), 16);
    const descriptor = probe.call(2, "/dev/urandom", 0, 0);
    assert.equal(probe.call(0, descriptor, buffer + 16, 16), 16);
    return probe.bytes(buffer, 32).toString("hex");
  };
  assert.equal(draw(7), draw(7));
  assert.notEqual(draw(7), draw(8));
});

test("special files: /dev/null, /dev/full and /proc/self/exe behave as they do natively", () => {
  const probe = new GuestProbe({ executable: "/usr/bin/thing" });
  const nothing = probe.call(2, "/dev/null", 2, 0);
  assert.equal(probe.call(1, nothing, "x", 1), 1);
  assert.equal(probe.call(0, nothing, probe.allocate(4), 4), 0);
  assert.equal(probe.call(1, probe.call(2, "/dev/full", 1, 0), "x", 1), -28);
  const buffer = probe.allocate(64);
  assert.equal(probe.call(89, "/proc/self/exe", buffer, 64), 14);
  assert.equal(probe.bytes(buffer, 14).toString(), "/usr/bin/thing");
  const out = probe.call(2, "/dev/stdout", 1, 0);
  assert.equal(probe.call(1, out, "through", 7), 7);
});

test("sandbox: network, processes and unknown calls fail and are counted by name", () => {
  const probe = new GuestProbe();
  assert.equal(probe.call(41, 2, 1, 0), -13);
  // Nothing is running that could be begun again.
  assert.equal(probe.call(57), -11);
  assert.equal(probe.call(59, "/bin/sh", 0, 0), -1);
  assert.equal(probe.call(4000), -38);
  assert.deepEqual(Object.fromEntries(probe.machine.kernel.denied), {
    socket: 1,
    fork: 1,
    execve: 1,
    "syscall 4000": 1,
  });
});

test("sandbox: what asks for a socket is told that there is none, as natively", () => {
  const probe = new GuestProbe();
  for (const number of [42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 54, 55, 288]) {
    assert.equal(probe.call(number, 99, 0, 0, 0, 0, 0), -9);
    assert.equal(probe.call(number, 1, 0, 0, 0, 0, 0), -88);
  }
  assert.equal(probe.machine.kernel.denied.size, 0);
});

test("fcntl: a duplicate from a number that no descriptor can have is EINVAL", () => {
  const probe = new GuestProbe();
  for (const how of [0, 1030]) {
    assert.equal(probe.call(72, 1, how, -1), -22);
    assert.equal(probe.call(72, 1, how, 1024), -22);
    assert.equal(probe.call(72, 1, how, 1023), 1023);
    assert.equal(probe.call(72, 1, how, 1023), -24);
    assert.equal(probe.call(3, 1023), 0);
  }
});

test("pointers: to nothing give EFAULT, as the kernel does", () => {
  const probe = new GuestProbe();
  assert.equal(probe.call(2, 0, 0, 0), -14);
  assert.equal(probe.call(2, 0x1234, 0, 0), -14);
  assert.equal(probe.call(4, "/", 0x1000), -14);
  assert.equal(probe.call(228, 0, 0), -14);
  const page = probe.call(9, 0, 4096, 3, 0x22, -1, 0);
  assert.equal(probe.call(79, page, 4096), 2);
  assert.equal(probe.call(10, page, 4096, 0), 0);
  assert.equal(probe.call(79, page, 4096), -14);
  assert.equal(probe.call(11, page, 4096), 0);
  assert.equal(probe.call(21, page, 0), -14);
  assert.equal(probe.call(228, 0, 0xefff_0000), -14);
});

test("pointers: a buffer that is smaller than what is moved into it is a finding", () => {
  const faultOf = (action: (probe: GuestProbe) => number, options: { environment?: string[] } = {}): unknown[] => {
    const reason = stopOf(() => action(new GuestProbe(options)));
    assert.ok(reason.kind === "fault");
    return [reason.fault.syscall, reason.fault.name, reason.fault.size];
  };
  assert.deepEqual(
    faultOf((probe) => probe.call(79, probe.allocate(1), 100)),
    ["getcwd", "write", 2],
  );
  assert.deepEqual(
    faultOf((probe) => probe.call(89, "/proc/self/exe", probe.allocate(3), 100)),
    ["readlink", "write", 8],
  );
  assert.deepEqual(
    faultOf((probe) => probe.call(2, probe.place(Buffer.from("/etc")), 0, 0)),
    ["open", "read", 5],
  );
  const directory = (probe: GuestProbe): number => probe.call(2, "/proc/self/fd", 0o200000, 0);
  assert.deepEqual(faultOf((probe) => probe.call(217, directory(probe), probe.allocate(20), 1000)).slice(0, 2), [
    "getdents64",
    "write",
  ]);
  assert.deepEqual(
    faultOf((probe) => probe.call(72, 1, 6, probe.allocate(8))),
    ["fcntl", "read", 32],
  );
});

test("pointers: a path of which PATH_MAX bytes have no end is too long, however large its buffer is", () => {
  const probe = new GuestProbe();
  const long = probe.place(Buffer.alloc(10_000, "a"));
  assert.equal(probe.call(2, long, 0, 0), -36);
});

test("getcwd and chdir: follow the overlay's directories", () => {
  const probe = new GuestProbe();
  assert.equal(probe.call(83, "/tmp/tangent-never-made", 0o755), 0);
  assert.equal(probe.call(80, "/tmp/tangent-never-made"), 0);
  const buffer = probe.allocate(100);
  const length = probe.call(79, buffer, 100);
  assert.equal(probe.bytes(buffer, length - 1).toString(), "/tmp/tangent-never-made");
  assert.equal(probe.writeFile("inside", "text"), 4);
  assert.equal(probe.readFile("/tmp/tangent-never-made/inside"), "text");
  assert.equal(probe.readFile("../tangent-never-made/./inside"), "text");
});

test("mmap: mapping and unmapping again and again does not use up the memory", () => {
  const probe = new GuestProbe({ limits: { ...DEFAULT_OPTIONS.limits, heapBytes: 0x800_0000 } });
  for (let i = 0; i < 50_000; i++) {
    const address = probe.call(9, 0, 4096 * (1 + (i % 7)), 3, 0x22, -1, 0);
    assert.ok(address > 0, `round ${i}: ${address}`);
    assert.equal(probe.memory.view.getUint32(address, true), 0);
    probe.memory.view.setUint32(address, 1, true);
    assert.equal(probe.call(11, address, 4096 * (1 + (i % 7))), 0);
  }
});
