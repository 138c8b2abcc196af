import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { cacheDirectory, cacheKey, openCache } from "./cache.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-cache-"));
after(() => rmSync(folder, { recursive: true }));

function filesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true })
    .map((name) => join(directory, String(name)))
    .filter((path) => statSync(path).isFile());
}

test("cache: what was put under a key is got back, and other keys and kinds are absent", () => {
  const cache = openCache(join(folder, "plain"));
  const key = cacheKey(["source", "flags"]);
  assert.equal(cache.get("ir", key), null);
  assert.equal(cache.put("ir", key, "text"), true);
  assert.equal(cache.get("ir", key)?.toString(), "text");
  assert.equal(cache.get("native", key), null);
  assert.equal(cache.get("ir", cacheKey(["source", "other flags"])), null);
});

test("cache: the key depends on where one part ends and the next begins", () => {
  assert.notEqual(cacheKey(["ab", "c"]), cacheKey(["a", "bc"]));
  assert.equal(cacheKey(["ab", Buffer.from("c")]), cacheKey([Buffer.from("ab"), "c"]));
});

test("cache: an entry cut short or filled with zeros by a crash reads as absent", () => {
  const cache = openCache(join(folder, "crash"));
  const key = cacheKey(["x"]);
  cache.put("ir", key, "some text");
  const [path] = filesOf(join(cache.directory, "ir"));
  const size = statSync(path).size;
  for (let length = 0; length < size; length++) {
    truncateSync(path, length);
    assert.equal(cache.get("ir", key), null, `cut to ${length} bytes`);
    cache.put("ir", key, "some text");
  }
  writeFileSync(path, Buffer.alloc(size));
  assert.equal(cache.get("ir", key), null);
});

test("cache: where nothing can be written, put says no and leaves nothing behind", () => {
  const blocked = join(folder, "blocked");
  writeFileSync(blocked, "a file where the folder should be");
  assert.equal(openCache(blocked).put("ir", cacheKey(["x"]), "text"), false);
  assert.equal(openCache("/dev/full/tangent").put("ir", cacheKey(["x"]), "text"), false);
  assert.equal(openCache("/proc/tangent").put("ir", cacheKey(["x"]), "text"), false);
});

test("cache: processes writing the same entry at the same time leave one whole entry", async () => {
  const directory = join(folder, "parallel");
  const program = `
    import { openCache, cacheKey } from ${JSON.stringify(new URL("./cache.js", import.meta.url).href)};
    const cache = openCache(${JSON.stringify(directory)});
    for (let i = 0; i < 200; i++) {
      cache.put("ir", cacheKey(["shared"]), "y".repeat(100000));
      if (cache.get("ir", cacheKey(["shared"]))?.length !== 100000) process.exit(1);
    }`;
  const run = () => promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
  await Promise.all([run(), run(), run()]);
  assert.equal(filesOf(join(directory, "ir")).length, 1);
});

test("cache: TANGENT_CACHE comes before XDG_CACHE_HOME, which comes before ~/.cache", () => {
  assert.equal(cacheDirectory({ TANGENT_CACHE: "/a", XDG_CACHE_HOME: "/b", HOME: "/c" }), "/a");
  assert.equal(cacheDirectory({ XDG_CACHE_HOME: "/b", HOME: "/c" }), "/b/tangent");
  assert.equal(cacheDirectory({ XDG_CACHE_HOME: "relative", HOME: "/c" }), "/c/.cache/tangent");
});
