import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cacheKey, openCache, STORED_UNIT } from "./cache.js";
import { cacheLimit, cacheUse, clearCache, trimCache, trimCacheNowAndThen } from "./cache-trim.js";

const top = mkdtempSync(join(tmpdir(), "tangent-trim-"));
after(() => rmSync(top, { recursive: true }));

const HOUR = 3600;
const SIZE = 1000;
const now = Date.now();

function aged(directory: string, key: string, hours: number): void {
  const when = now / 1000 - hours * HOUR;
  utimesSync(join(directory, "images", key.slice(0, 2), key.slice(2)), when, when);
}

/** Entries that were used so many hours ago. */
function filled(name: string, hours: readonly number[]): { directory: string; keys: readonly string[] } {
  const directory = join(top, name);
  const cache = openCache(directory);
  const keys = hours.map((age) => {
    const key = cacheKey([name, String(age)]);
    assert.equal(cache.put("images", key, Buffer.alloc(SIZE)), true);
    aged(directory, key, age);
    return key;
  });
  return { directory, keys };
}

test("trimming: what was not used for longest goes, down to three quarters of the limit", () => {
  const { directory, keys } = filled("oldest", [50, 2, 40, 30, 20]);
  const removed = trimCache(directory, { limit: 4 * SIZE, now });
  const cache = openCache(directory);
  const left = keys.map((key) => cache.has("images", key));
  assert.deepEqual(left, [false, true, false, false, true], "each entry is a little larger than its content");
  assert.ok(removed > 3 * SIZE);
  assert.equal(trimCache(directory, { limit: 4 * SIZE, now }), 0);
});

test("trimming: what is read counts as used, and what was just used stays whatever the limit", () => {
  const { directory, keys } = filled("used", [50, 40, 30]);
  assert.equal(openCache(directory).get("images", keys[0])?.length, SIZE);
  trimCache(directory, { limit: 1, now });
  assert.deepEqual(
    keys.map((key) => openCache(directory).has("images", key)),
    [true, false, false],
  );
});

test("trimming: nothing but entries is touched, and links are not followed", () => {
  const { directory } = filled("others", [50]);
  const outside = filled("outside", [60]);
  symlinkSync(join(outside.directory, "images"), join(directory, "linked"));
  mkdirSync(join(directory, "images", "ab"), { recursive: true });
  writeFileSync(join(directory, "images", "ab", "notes.txt"), "mine");
  mkdirSync(join(directory, "zig", "tools"), { recursive: true });
  writeFileSync(join(directory, "zig", "tools", "0".repeat(38)), "zig's");
  trimCache(directory, { limit: 1, now: now + 1e9 });
  assert.equal(existsSync(join(directory, "images", "ab", "notes.txt")), true);
  assert.equal(existsSync(join(directory, "zig", "tools", "0".repeat(38))), true);
  assert.equal(openCache(outside.directory).has("images", outside.keys[0]), true);
  assert.equal(readdirSync(join(directory, "images")).length, 2, "folders stay");
});

test("trimming: only now and then, or when much was stored, and never in the way", () => {
  const directory = join(top, "stamped");
  const limit = 40 * STORED_UNIT;
  const store = (name: string, units: number): void => {
    const key = cacheKey([name]);
    assert.equal(openCache(directory).put("images", key, Buffer.alloc(units * STORED_UNIT)), true);
    aged(directory, key, 50);
  };
  for (const name of ["a", "b", "c"]) store(name, 20);
  assert.ok(trimCacheNowAndThen(directory, { limit, now }) > 0);
  for (const name of ["d", "e"]) store(name, 4);
  const moment = Date.now() + 1000;
  assert.equal(trimCacheNowAndThen(directory, { limit: 1000 * STORED_UNIT, now: moment }), 0, "there is room");
  store("f", 20);
  assert.ok(
    trimCacheNowAndThen(directory, { limit, now: moment }) > 0,
    "a moment later, but more than a quarter is new",
  );
  store("g", 2);
  assert.equal(trimCacheNowAndThen(directory, { limit: 10 * STORED_UNIT, now: moment }), 0, "not much was stored");
  const later = { limit: STORED_UNIT, now: moment + 7 * HOUR * 1000 };
  assert.ok(trimCacheNowAndThen(directory, later) > 0);
  assert.equal(trimCacheNowAndThen("/proc/none/cache", { limit: 1, now }), 0);
});

test("trimming: the limit can be chosen", () => {
  assert.equal(cacheLimit({}), 2 * 2 ** 30);
  assert.equal(cacheLimit({ TANGENT_CACHE_SIZE: "0.5" }), 2 ** 29);
  assert.equal(cacheLimit({ TANGENT_CACHE_SIZE: "much" }), 2 * 2 ** 30);
});

test("what there is is counted by kind, and can be removed; what is no entry stays", () => {
  const { directory } = filled("counted", [1, 2, 3]);
  openCache(directory).put("libc", cacheKey(["x"]), Buffer.alloc(SIZE));
  writeFileSync(join(directory, "mine"), "stays");
  const use = cacheUse(directory);
  assert.deepEqual([...use.keys()].sort(), ["images", "libc"]);
  assert.equal(use.get("images")?.entries, 3);
  assert.ok((use.get("libc")?.bytes ?? 0) >= SIZE);
  assert.ok(clearCache(directory) >= 4 * SIZE);
  assert.equal(cacheUse(directory).size, 0);
  assert.ok(existsSync(join(directory, "mine")));
  assert.equal(cacheUse(join(directory, "nowhere")).size, 0);
});
