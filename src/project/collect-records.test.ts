import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { BlobStore } from "./blob-store.js";
import { collectRecord, lostCount, parseEvents, prepareLostCount } from "./collect-records.js";
import { ProjectFolder } from "./project-folder.js";
import type { SeedInput } from "./seed.js";
import { SeedStore } from "./seed-store.js";

const root = mkdtempSync(join(tmpdir(), "tangent-records-"));
after(() => rmSync(root, { recursive: true, force: true }));

function line(key: string, value: string): string {
  return `${key} ${Buffer.byteLength(value, "latin1")} ${value}\n`;
}

const WHOLE =
  line("program", "/real/z") +
  line("argument", "./z") +
  line("argument", "two\nlines") +
  line("environment", "A=b") +
  line("environment", "TOKEN=secret") +
  line("directory", "/work") +
  line("umask", "18") +
  line("stdin", "pipe") +
  line("mode", "420") +
  line("content", "file1") +
  line("file", "/work/data") +
  line("missing", "/work/none") +
  line("exit", "3") +
  line("milliseconds", "7");

function recordOf(name: string, events: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "events"), Buffer.from(events, "latin1"));
  writeFileSync(join(folder, "file1"), "content");
  writeFileSync(join(folder, "stdin"), "input");
  return folder;
}
const mentions = (name: string): boolean => name === "A";
const programs = new Map([["/real/z", { path: "/work/z", content: "c0ffee", mentions }]]);

describe("records of stand-ins", () => {
  const blobs = new BlobStore(new ProjectFolder(root));
  it("values may hold newlines and blanks, because they are counted", () => {
    assert.deepEqual(parseEvents(Buffer.from(line("argument", "a b\nargument 1 x\n"))), [
      { key: "argument", value: "a b\nargument 1 x\n" },
    ]);
  });

  it("what a process started read is its input too, if it was there before it", () => {
    const process = (own: number, parent: number): string => line("process", `${own}`) + line("parent", `${parent}`);
    const looked =
      line("entry", "f 644 1 7 5 1000 0 /work/data") +
      line("entry", "f 644 1 8 5 3000 0 /work/made") +
      line("mode", "420") +
      line("content", "file1") +
      line("file", "/work/made");
    const child = collectRecord(recordOf("2001.0.8.done", WHOLE + process(8, 7) + looked), programs, blobs);
    assert.ok(child !== null);
    const asked: unknown[] = [];
    const bare = WHOLE.replace(
      line("content", "file1") + line("file", "/work/data") + line("missing", "/work/none"),
      "",
    );
    const parent = collectRecord(recordOf("2000.5.7.done", bare + process(7, 1)), programs, blobs, (starter) => {
      asked.push(starter);
      return [child.seed];
    });
    assert.deepEqual(asked, [{ process: 7, parent: 1, beganAt: 2000.5, endedAt: 2001.507 }]);
    assert.deepEqual(
      parent?.seed.files.map(({ path }) => path),
      ["/work/data", "/work/none"],
    );
    assert.deepEqual(
      parent?.seed.tree?.map(({ path }) => path),
      ["/work/data"],
    );
  });

  it("a record cut short anywhere is read as far as it is whole", () => {
    const bytes = Buffer.from(WHOLE, "latin1");
    const all = parseEvents(bytes);
    assert.equal(all.length, 14);
    for (let length = 0; length < bytes.length; length++) {
      const some = parseEvents(bytes.subarray(0, length));
      assert.deepEqual(some, all.slice(0, some.length));
    }
  });

  it("an invocation becomes a seed with its files by content", () => {
    const blobs = new BlobStore(new ProjectFolder(root));
    const collected = collectRecord(recordOf("one.done", WHOLE), programs, blobs);
    assert.ok(collected !== null);
    const { seed } = collected;
    assert.equal(seed.program, "/work/z");
    assert.deepEqual(seed.arguments, ["./z", "two\nlines"]);
    assert.deepEqual(seed.environment, ["A=b"]);
    assert.equal(seed.umask, 0o022);
    assert.deepEqual(seed.end, { kind: "exit", code: 3 });
    assert.equal(seed.files.length, 2);
    assert.equal(Buffer.from(blobs.get(seed.files[0].content ?? "") ?? []).toString(), "content");
    assert.deepEqual(seed.files[1], { path: "/work/none", content: null, mode: 0 });
    assert.ok(seed.stdin.kind === "bytes");
    assert.equal(Buffer.from(blobs.get(seed.stdin.content) ?? []).toString(), "input");
  });

  it("a program whose path is not ASCII is known by it", () => {
    const blobs = new BlobStore(new ProjectFolder(root));
    const named = new Map([["/réal/z", { path: "/wörk/z", content: "c0ffee", mentions }]]);
    const bytes = Buffer.from("/réal/z").toString("latin1");
    const record = recordOf("named.done", WHOLE.replace(line("program", "/real/z"), line("program", bytes)));
    assert.equal(collectRecord(record, named, blobs)?.seed.program, "/wörk/z");
  });

  it("a seed says whether standard input was a file, and of a pipe says nothing, as seeds of before do", () => {
    const blobs = new BlobStore(new ProjectFolder(root));
    const stdinOf = (name: string, kind: string): SeedInput | undefined =>
      collectRecord(recordOf(name, WHOLE.replace(line("stdin", "pipe"), line("stdin", kind))), programs, blobs)?.seed
        .stdin;
    const content = blobs.put(Buffer.from("input"));
    assert.deepEqual(stdinOf("pipe.done", "pipe"), { kind: "bytes", content });
    assert.deepEqual(stdinOf("file.done", "file"), { kind: "bytes", content, regularFile: true });
  });

  it("what was looked at is a tree: directories first, what is in one in its own order, whole if it was listed", () => {
    const blobs = new BlobStore(new ProjectFolder(root));
    const looks =
      line("entry", "f 644 2 77 3 1000 5 /work/d/late") +
      line("entry", "d 755 3 0 4096 1001 0 /work/d") +
      line("entry", "d 700 2 0 4096 1002 0 /work/d/z") +
      line("entry", "l 777 1 0 4 -1 0 /work/d/a\0late") +
      line("listed", "/work/d\0z\0late\0a") +
      line("entry", "m 0 0 0 0 0 0 /work/d/gone") +
      line("entry", "x 644 1 0 3 1000 5 /work/unknown-kind") +
      line("entry", "f 644");
    const record = collectRecord(recordOf("tree.done", WHOLE + looks), programs, blobs);
    const tree = record?.seed.tree ?? [];
    assert.deepEqual(
      tree.map(({ kind, path, isWhole }) => [kind, path, isWhole]),
      [
        ["directory", "/work/d", true],
        ["directory", "/work/d/z", undefined],
        ["file", "/work/d/late", undefined],
        ["link", "/work/d/a", undefined],
        ["missing", "/work/d/gone", undefined],
      ],
    );
    assert.deepEqual(tree[3], {
      ...{ kind: "link", path: "/work/d/a", mode: 0o777, links: 1, size: 4, seconds: -1, nanoseconds: 0, to: "late" },
    });
    assert.deepEqual([tree[2].links, tree[2].inode], [2, 77]);
    const plain = collectRecord(recordOf("plain.done", WHOLE), programs, blobs);
    assert.ok(plain !== null && !("tree" in plain.seed));
    const later = looks.replaceAll("1000 5", "2000 7").replace("4096 1001", "9999 1001");
    const again = collectRecord(recordOf("later.done", WHOLE + later), programs, blobs);
    assert.equal(again?.seed.id, record?.seed.id, "times make no other seed");
    const other = collectRecord(recordOf("other.done", WHOLE + looks.replace("d 700", "d 701")), programs, blobs);
    assert.notEqual(other?.seed.id, record?.seed.id);
  });

  it("what cannot be stored is no seed without its files: it is told, and the record stays", () => {
    const full = join(root, "full");
    mkdirSync(join(full, ".tangent"), { recursive: true });
    // A file where the folder should be: as good as a full disk, whoever we are.
    writeFileSync(join(full, ".tangent", "blobs"), "");
    const record = recordOf("unstored.done", WHOLE);
    assert.throws(() => collectRecord(record, programs, new BlobStore(new ProjectFolder(full))), /blobs/);
    assert.ok(collectRecord(record, programs, new BlobStore(new ProjectFolder(root))) !== null);
  });

  it("invocations that could not be recorded are counted, and their remains removed before the next recording", () => {
    const store = join(root, "counted");
    mkdirSync(join(store, "1.2.3.lost"), { recursive: true });
    prepareLostCount(store);
    assert.deepEqual(readdirSync(store), ["lost"]);
    assert.equal(lostCount(store), 0);
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64LE(23n);
    writeFileSync(join(store, "lost"), counter, { flag: "r+" });
    assert.equal(lostCount(store), 23);
  });

  it("the same invocation twice is one seed, counted twice", () => {
    const folder = new ProjectFolder(join(root, "store"));
    const blobs = new BlobStore(folder);
    const store = new SeedStore(folder);
    for (const name of ["two.done", "three.done"]) {
      const collected = collectRecord(recordOf(name, WHOLE), programs, blobs);
      assert.ok(collected !== null);
      assert.equal(store.add(collected.seed), name === "two.done");
    }
    assert.deepEqual(
      store.list().map(({ recorded }) => recorded.times),
      [2],
    );
  });

  it("a record of a program that is not known, or without arguments, is none", () => {
    const blobs = new BlobStore(new ProjectFolder(root));
    assert.equal(collectRecord(recordOf("four.done", WHOLE), new Map(), blobs), null);
    assert.equal(collectRecord(recordOf("five.part", line("program", "/real/z")), programs, blobs), null);
    assert.equal(collectRecord(join(root, "absent"), programs, blobs), null);
  });

  it("content that was changed on the disk is not taken for what its name says", () => {
    const folder = new ProjectFolder(join(root, "blobs"));
    const blobs = new BlobStore(folder);
    const name = blobs.put(Buffer.from("abc"));
    writeFileSync(folder.file("blobs", name.slice(0, 2), name.slice(2)), "abd");
    assert.equal(blobs.get(name), null);
  });
});
