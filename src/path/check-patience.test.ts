import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CheckPatience } from "./check-patience.js";
import type { SiteId } from "./observer.js";

const SITE = 3 as SiteId;
const OTHER = 700 as SiteId;

describe("patience with checks", () => {
  function patience(share: number): { readonly clock: { ms: number }; readonly of: CheckPatience } {
    const clock = { ms: 0 };
    return { clock, of: new CheckPatience(share, () => clock.ms) };
  }

  it("is over where a check was refuted often, for long, and its share of the time is used up", () => {
    const { clock, of } = patience(0.2);
    for (let i = 0; i < 20; i++) of.asked(SITE, true, 50);
    clock.ms = 1000;
    assert.equal(of.isOver(SITE), true);
    assert.equal(of.isOver(OTHER), false, "nothing is known of it");
    clock.ms = 10_000;
    assert.equal(of.isOver(SITE), false, "there is time again");
  });

  it("is not over for cheap checks, nor for those that have failed", () => {
    const { clock, of } = patience(0.2);
    clock.ms = 1000;
    for (let i = 0; i < 20; i++) {
      of.asked(SITE, true, 100);
      of.asked(OTHER, true, 0.01);
    }
    assert.equal(of.isOver(OTHER), false);
    assert.equal(of.isOver(SITE), true);
    of.asked(SITE, false, 100);
    assert.equal(of.isOver(SITE), false);
    for (let i = 0; i < 8; i++) of.asked(SITE, true, 100);
    assert.equal(of.isOver(SITE), true);
  });

  it("is over where witnesses do not fail, one after the other", () => {
    const { of } = patience(0.2);
    for (let i = 0; i < 15; i++) of.witnessed(SITE, false);
    of.witnessed(SITE, true);
    for (let i = 0; i < 15; i++) of.witnessed(SITE, false);
    assert.equal(of.isOver(SITE), false);
    of.witnessed(SITE, false);
    assert.equal(of.isOver(SITE), true);
    assert.equal(of.isOver(OTHER), false);
  });

  it("has no end where no share is given", () => {
    const { of } = patience(Number.POSITIVE_INFINITY);
    for (let i = 0; i < 100; i++) of.asked(SITE, true, 1000);
    for (let i = 0; i < 100; i++) of.witnessed(SITE, false);
    assert.equal(of.isOver(SITE), false);
  });
});
