// Limits that hold: a few of the programs that try to outlive theirs. All of them, with exact times: npm run qualify:limits.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { EscapeAttempt, type EscapeCommand, LIMITS_MS } from "./escapes.js";

/** Beyond the limit and what a busy machine needs to prepare. Those that escaped took minutes, or for ever. */
const GENEROUS_MS = 60_000;
const TROUBLE_STATUS = 3;

const ATTEMPTS: readonly (readonly [string, EscapeCommand, readonly (number | null)[]])[] = [
  ["copying", "run", [TROUBLE_STATUS]],
  ["signalling", "run", [TROUBLE_STATUS]],
  ["summing", "explore", [0]],
  ["hashing", "explore", [0]],
  ["factoring", "explore", [0]],
];

describe("limits", () => {
  for (const [name, command, statuses] of ATTEMPTS) {
    it(`${name} does not outlive the limit of tangent ${command}`, async () => {
      const attempt = new EscapeAttempt(name, LIMITS_MS[command] + GENEROUS_MS);
      try {
        await attempt.build();
        const { status, output } = await attempt.attempt(command, LIMITS_MS[command]);
        assert.ok(statuses.includes(status), `status ${status}: ${output.slice(-500)}`);
        if (command === "run") assert.match(output, /the time limit is reached/);
      } finally {
        attempt.remove();
      }
    });
  }
});
