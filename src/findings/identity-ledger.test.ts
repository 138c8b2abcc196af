import assert from "node:assert/strict";
import { test } from "node:test";
import { IdentityLedger } from "./identity-ledger.js";

test("identity ledger: a witness that was no good does not close its key, a reported one does", () => {
  const ledger = new IdentityLedger();
  assert.equal(ledger.failed("a"), true, "the first in vain");
  assert.equal(ledger.failed("a"), false);
  assert.equal(ledger.isOpen("a"), true);
  ledger.reported("a");
  assert.equal(ledger.isOpen("a"), false);
  assert.deepEqual(ledger.keys, ["a"]);
});

test("identity ledger: tries in vain are bounded, each key for itself", () => {
  const ledger = new IdentityLedger(2);
  ledger.failed("a");
  ledger.failed("a");
  assert.equal(ledger.isOpen("a"), false);
  assert.equal(ledger.isReported("a"), false);
  assert.equal(ledger.isOpen("b"), true);
});

test("identity ledger: what is withdrawn is open again, but not for ever", () => {
  const ledger = new IdentityLedger(2);
  ledger.reported("a");
  ledger.withdraw("a");
  assert.equal(ledger.isOpen("a"), true);
  ledger.reported("a");
  ledger.withdraw("a");
  assert.equal(ledger.isOpen("a"), false);
});
