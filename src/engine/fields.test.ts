import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { runTest } from "../findings/confirmation.js";
import { loadModule } from "../jit/load-module.js";
import { DEFAULT_COMPILE_OPTIONS, SYMBOLIC_COMPILE_OPTIONS } from "../jit/options.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import { compileUnit, testWith } from "./unit-fixture.js";

/** By letter: how the structure's field is touched; by number: how far. */
const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct user { int id; char name[8]; int numbers[4]; char last[4]; } one;
static const char LONG[] = "0123456789abcdef";
int main(int argc, char **argv) {
  int n = atoi(argv[2]);
  const char *text = LONG + 16 - n;
  struct user *user = calloc(1, sizeof *user);
  switch (argv[1][0]) {
  case 'i': user->name[n] = 1; break;
  case 'g': one.name[n] = 1; break;
  case 'w': { char *at = user->name; for (int i = 0; i <= n; i++) *at++ = 1; break; }
  case 's': strcpy(user->name, text); break;
  case 'f': sprintf(user->name, "%s", text); break;
  case 'l': snprintf(user->name, sizeof *user, "%s", text); break;
  case 'c': memcpy(user->name, LONG, (size_t)n); break;
  case 'n': user->numbers[n] = 1; break;
  case 't': user->last[n] = 1; break;
  }
  return user->id;
}
`;
/** The first number at which the field is left. */
const LEAVES = { i: 8, g: 8, w: 8, s: 8, f: 8, l: 8, c: 9, n: 4, t: Number.POSITIVE_INFINITY };

describe("fields that are arrays, where they are asked for", () => {
  for (const compile of [DEFAULT_COMPILE_OPTIONS, SYMBOLIC_COMPILE_OPTIONS]) {
    it(`are left by no access and copy${compile.shadows ? ", beside shadows" : ""}`, async () => {
      for (const fields of [true, false]) {
        const image = await compileUnit(SOURCE, { ...compile, fields });
        const loaded = { image, module: loadModule(image) };
        for (const [way, leaves] of Object.entries(LEAVES)) {
          for (const n of [0, 3, 4, 7, 8, 9]) {
            if ((way === "t" && n > 3) || (way === "n" && n > 4)) continue;
            const { finding } = runTest(loaded, testWith({ words: [way, String(n)] }), [], {
              seed: 1,
              limits: DEFAULT_LIMITS,
              output: "capture",
            });
            const expected = fields && n >= leaves ? "field-overflow write" : "nothing";
            const seen = finding === null ? "nothing" : `${finding.kind} ${finding.access}`;
            assert.equal(seen, expected, `${way} ${n}`);
          }
        }
      }
    });
  }
});
