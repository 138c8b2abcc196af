import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDuration } from "./duration.js";

test("a time is seconds, or numbers with units from the largest to the smallest", () => {
  const times: Readonly<Record<string, number>> = {
    "10": 10_000,
    "1.5": 1500,
    "30s": 30_000,
    "1.5m": 90_000,
    "250ms": 250,
    "2h": 7_200_000,
    "7m30s": 450_000,
    "7m 30s": 450_000,
    "1h30min": 5_400_000,
    "1h2m3s4ms": 3_723_004,
    "1m0.5s": 60_500,
    "30 s": 30_000,
  };
  for (const [text, ms] of Object.entries(times)) assert.equal(parseDuration(text), ms, text);
  for (const text of [
    "",
    "soon",
    "5 years",
    "-1s",
    "30s7m",
    "1m1m",
    "1.5m30s",
    "7m30",
    "s",
    "1e3s",
    "7m30s x",
    " 5s",
  ]) {
    assert.equal(parseDuration(text), null, text);
  }
});
