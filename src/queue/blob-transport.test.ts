import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { hashOf } from "../project/content-hash.js";
import { type BlobTransport, FolderBlobs, RedisBlobs, SizedBlobs } from "./blob-transport.js";
import type { RedisStore } from "./queue-library.js";

/** What is asked of Redis, in memory. */
function fakeRedis(): { readonly redis: RedisStore; readonly held: Map<string, Buffer> } {
  const held = new Map<string, Buffer>();
  const redis = {
    expire: (key: string) => Promise.resolve(held.has(key) ? 1 : 0),
    set: (key: string, value: Buffer) => Promise.resolve(held.set(key, value)),
    strlen: (key: string) => Promise.resolve(held.get(key)?.length ?? 0),
    getBuffer: (key: string) => Promise.resolve(held.get(key) ?? null),
    del: (key: string) => Promise.resolve(held.delete(key)),
  };
  return { redis: redis as unknown as RedisStore, held };
}

describe("contents between machines", () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-blobs-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const bytes = Buffer.from("a test's file");
  const { redis, held } = fakeRedis();
  const places: [string, BlobTransport][] = [
    ["Redis", new RedisBlobs(redis, "t")],
    ["a folder", new FolderBlobs(join(folder, "store"))],
  ];

  for (const [name, place] of places) {
    it(`${name} gives what was put there, by its hash, until it is dropped`, async () => {
      assert.equal(await place.put(bytes), hashOf(bytes));
      assert.deepEqual(Buffer.from((await place.get(hashOf(bytes))) ?? []), bytes);
      assert.equal(await place.get(hashOf(Buffer.from("other"))), null);
      for (const wrong of ["", "../../etc/passwd", `${hashOf(bytes)}/`]) assert.equal(await place.get(wrong), null);
      await place.drop(hashOf(bytes));
      assert.equal(await place.get(hashOf(bytes)), null);
    });
  }

  it("what is not what its name says is not given", async () => {
    const [, inRedis] = places[0];
    const [, inFolder] = places[1];
    const [one, other] = [await inRedis.put(bytes), await inRedis.put(Buffer.from("other"))];
    held.set(`t:blob:${one}`, held.get(`t:blob:${other}`) as Buffer);
    assert.equal(await inRedis.get(one), null);
    held.set(`t:blob:${one}`, Buffer.from("no compressed content"));
    assert.equal(await inRedis.get(one), null);
    await inFolder.put(bytes);
    const path = join(folder, "store", one.slice(0, 2), one.slice(2));
    writeFileSync(path, "changed");
    assert.equal(await inFolder.get(one), null);
    rmSync(path);
    writeFileSync(join(folder, "elsewhere"), bytes);
    symlinkSync(join(folder, "elsewhere"), path);
    assert.equal(await inFolder.get(one), null, "a link is not followed");
  });

  it("what is larger than is wanted is not given, however small it was made", async () => {
    const zeros = Buffer.alloc(100_000);
    for (const [, place] of places) {
      const name = await place.put(zeros);
      assert.equal(await place.get(name, zeros.length - 1), null);
      assert.deepEqual(Buffer.from((await place.get(name, zeros.length)) ?? []), zeros);
      await place.drop(name);
    }
  });

  it("large ones go to the folder, if there is one; too large ones need it", async () => {
    held.clear();
    const store = join(folder, "large");
    const both = new SizedBlobs(new RedisBlobs(redis, "t"), new FolderBlobs(store));
    const large = Buffer.alloc(300_000, 1);
    assert.deepEqual(Buffer.from((await both.get(await both.put(large))) ?? []), large);
    assert.equal(held.size, 0);
    assert.equal(readdirSync(store).length, 1);
    assert.deepEqual(Buffer.from((await both.get(await both.put(bytes))) ?? []), bytes);
    assert.equal(held.size, 1);
    const huge = { length: 0x800_0001 } as Uint8Array;
    await assert.rejects(new SizedBlobs(new RedisBlobs(redis, "t"), null).put(huge), /--store DIR/);
  });
});
