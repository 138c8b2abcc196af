import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readAddress } from "./redis-address.js";

describe("the address of a queue", () => {
  it("has a host, and the rest if it is said", () => {
    const plain = readAddress("redis://127.0.0.1", null);
    assert.ok(typeof plain !== "string");
    assert.deepEqual(
      { ...plain },
      {
        ...{ host: "127.0.0.1", port: 6379, database: 0, user: null, password: null, tls: false },
        shown: "redis://127.0.0.1:6379",
      },
    );
    const all = readAddress("rediss://me:p%40ss@queue.example:7000/3", null);
    assert.ok(typeof all !== "string");
    assert.deepEqual([all.user, all.password, all.port, all.database, all.tls], ["me", "p@ss", 7000, 3, true]);
  });

  it("IPv6 is written as in other addresses", () => {
    const six = readAddress("redis://[::1]:6380", null);
    assert.ok(typeof six !== "string");
    assert.deepEqual([six.host, six.port], ["::1", 6380]);
  });

  it("takes the password that is given apart, unless the address has one; it is never shown", () => {
    const given = readAddress("redis://h", "quiet");
    const own = readAddress("redis://:loud@h", "quiet");
    assert.ok(typeof given !== "string" && typeof own !== "string");
    assert.equal(given.password, "quiet");
    assert.equal(own.password, "loud");
    assert.ok(!own.shown.includes("loud"));
  });

  it("says what is wrong without saying the password", () => {
    for (const text of [
      "",
      "h:6379",
      "http://:secret@h",
      "redis://",
      "redis://:secret@h/x",
      "redis://:secret@h/1?a=b",
    ]) {
      const wrong = readAddress(text, null);
      assert.equal(typeof wrong, "string", text);
      assert.ok(!String(wrong).includes("secret"));
    }
  });
});
