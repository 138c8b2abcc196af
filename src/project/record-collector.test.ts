import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ProjectFolder } from "./project-folder.js";
import { RecordCollector } from "./record-collector.js";
import { SeedStore } from "./seed-store.js";
import { ProjectState } from "./state-folder.js";

const root = mkdtempSync(join(tmpdir(), "tangent-collector-"));
after(() => rmSync(root, { recursive: true, force: true }));
const store = join(root, "records");
mkdirSync(store);
const folder = new ProjectFolder(root);
const state = new ProjectState(root, { TANGENT_STATE: join(root, "state") });
const programs = new Map([["/real/z", { path: "/work/z", content: "c0ffee", mentions: () => false }]]);

function line(key: string, value: string): string {
  return `${key} ${Buffer.byteLength(value, "latin1")} ${value}\n`;
}

/** A process that began at this second of the past and has read a file. */
function begin(at: number, process: number, parent: number, word: string): string {
  const path = join(store, `${at}.000000000.${process}.part`);
  mkdirSync(path);
  const whose = line("program", "/real/z") + line("process", `${process}`) + line("parent", `${parent}`);
  const read = line("mode", "420") + line("content", "file1") + line("file", `/work/${word}`);
  writeFileSync(join(path, "file1"), word);
  writeFileSync(join(path, "events"), whose + line("argument", "./z") + line("argument", word) + read);
  return path;
}
function end(path: string, age: number): void {
  const time = Date.now() / 1000 - age;
  utimesSync(join(path, "events"), time, time);
  renameSync(path, path.replace(/part$/, "done"));
}
const left = (): string[] => readdirSync(store).map((name) => name.split(".")[2]);

test("record collector: while tests run, whoever may have started others waits for them", () => {
  const collector = new RecordCollector(folder, store, { programs }, state, "");
  const [parent, child, other] = [begin(100, 7, 1, "seven"), begin(101, 8, 7, "eight"), begin(102, 9, 1, "nine")];
  const become = begin(103, 10, 1, "ten");
  end(parent, 60);
  end(other, 60);
  end(become, 1);
  collector.collectSome(10_000);
  // 8 still runs; 10 ended just now, and may be about to become another program.
  assert.deepEqual(left().sort(), ["10", "7", "8"]);
  end(child, 60);
  collector.collectSome(10_000);
  assert.deepEqual(left(), ["10"]);
  const { invocations, seeds, newSeeds, unstored } = collector.collectAll();
  assert.deepEqual([invocations, seeds, newSeeds, unstored], [4, 4, 4, 0]);
  assert.deepEqual(left(), []);
  const files = new SeedStore(folder).list().map((seed) => [seed.arguments[1], seed.files.map(({ path }) => path)]);
  assert.deepEqual(new Map(files as [string, string[]][]).get("seven"), ["/work/seven", "/work/eight"]);
  assert.deepEqual(new Map(files as [string, string[]][]).get("nine"), ["/work/nine"]);
});

test("record collector: what an earlier owner of a process's number has started is not its", () => {
  const collector = new RecordCollector(folder, store, { programs }, state, "");
  // A shell with number 20, which is not recorded, starts 21; later 20 is one of our processes.
  end(begin(200, 21, 20, "early"), 60);
  collector.collectSome(10_000);
  end(begin(300, 20, 1, "late"), 60);
  collector.collectAll();
  const late = new SeedStore(folder).list().find((seed) => seed.arguments[1] === "late");
  assert.deepEqual(
    late?.files.map(({ path }) => path),
    ["/work/late"],
  );
});
