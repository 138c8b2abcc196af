import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { type BlobTransport, FolderBlobs } from "./blob-transport.js";
import { type Parcel, Post } from "./messages.js";
import { readQueueKey } from "./queue-key.js";
import { type About, NO_KEY, Seal } from "./seal.js";

const KEY = Buffer.from("k".repeat(40));
const folder = mkdtempSync(join(tmpdir(), "tangent-seal-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const ABOUT: About = { kind: "order", order: "0123456789abcdef-7" };
const SHORT = { work: "x" };
/** Travels as a content. */
const LONG = { work: new Uint8Array(randomBytes(60_000)) };

describe("messages in the queue", () => {
  const kept = new FolderBlobs(join(folder, "blobs"));
  let asked = 0;
  const blobs: BlobTransport = {
    put: (bytes) => kept.put(bytes),
    get(name, most) {
      asked++;
      return kept.get(name, most);
    },
    drop: (name) => kept.drop(name),
  };
  const ours = new Post(blobs, new Seal(KEY));

  it("come as they were sent, if they are about the same order", async () => {
    for (const value of [SHORT, LONG]) {
      const parcel = await ours.wrap(value, ABOUT);
      assert.equal("blob" in parcel, value === LONG);
      assert.deepEqual(await ours.unwrap(parcel, ABOUT), { value });
    }
  });

  it("are not believed of another kind, of another order, from another key or none, or changed; nothing is fetched then", async () => {
    const others = [new Post(blobs, new Seal(Buffer.from("l".repeat(40)))), new Post(blobs, new Seal(null))];
    for (const value of [SHORT, LONG]) {
      const parcel = await ours.wrap(value, ABOUT);
      const before = asked;
      const forged: unknown[] = await Promise.all(others.map((post) => post.wrap(value, ABOUT)));
      const { seal = "" } = parcel;
      for (const wrong of ["", "00", `${seal}00`, seal.slice(2), seal.toUpperCase().slice(1), "zz", undefined]) {
        forged.push({ ...parcel, seal: wrong });
      }
      const other = await ours.wrap({ work: "y" }, ABOUT);
      forged.push({ ...other, seal }, { ...parcel, inline: "AHt9" });
      for (const one of forged) {
        const read = await ours.unwrap(one, ABOUT);
        assert.ok("strange" in read && read.isForged, JSON.stringify(one).slice(0, 200));
      }
      for (const about of [
        { kind: "answer", order: ABOUT.order },
        { kind: "event", order: ABOUT.order },
        { kind: "order", order: "0123456789abcdef-8" },
        { kind: "order", order: "" },
      ] as const) {
        const read = await ours.unwrap(parcel, about);
        assert.ok("strange" in read && read.isForged, JSON.stringify(about));
      }
      assert.equal(asked, before);
    }
  });

  it("without a key are not sealed, and must have the right form all the same", async () => {
    const open = new Post(blobs, new Seal(null));
    const parcel: Parcel = await open.wrap(SHORT, ABOUT);
    assert.equal(parcel.seal, "");
    assert.deepEqual(await open.unwrap(parcel, ABOUT), { value: SHORT });
    for (const strange of [null, {}, { inline: 5 }, { inline: "x".repeat(100_000) }, { blob: "../x" }]) {
      assert.ok("strange" in (await open.unwrap(strange, ABOUT)));
    }
  });

  it("a key's name tells keys apart", () => {
    const names = [null, KEY, Buffer.from("l".repeat(40))].map((key) => new Seal(key).keyName);
    assert.equal(new Set(names).size, 3);
    assert.equal(names[0], NO_KEY);
    assert.equal(new Seal(Buffer.from(KEY)).keyName, names[1]);
  });
});

describe("the key of a queue", () => {
  const path = join(folder, "key");

  it("is in a file of this user's alone, or in the environment; the file counts", () => {
    writeFileSync(path, `${"f".repeat(44)}\n`, { mode: 0o600 });
    assert.equal(Buffer.from(readQueueKey(path, "e".repeat(44)) ?? "").toString(), "f".repeat(44));
    assert.equal(Buffer.from(readQueueKey(undefined, "e".repeat(44)) ?? "").toString(), "e".repeat(44));
    assert.equal(readQueueKey(undefined, null), null);
  });

  it("is refused if others can read it, if it is short, or no file", () => {
    chmodSync(path, 0o640);
    assert.match(String(readQueueKey(path, null)), /chmod 600/);
    chmodSync(path, 0o600);
    writeFileSync(path, "short");
    assert.match(String(readQueueKey(path, null)), /fewer than 32 characters; make one with/);
    assert.match(String(readQueueKey(undefined, "")), /fewer than 32 characters/);
    assert.match(String(readQueueKey(join(folder, "none"), null)), /--queue-key: ENOENT/);
    assert.equal(typeof readQueueKey("/dev/null", null), "string");
  });
});
