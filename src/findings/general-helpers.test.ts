import assert from "node:assert/strict";
import { test } from "node:test";
import { functionKey } from "../support/function-key.js";
import { GeneralHelpers } from "./general-helpers.js";

const at = (functionName: string, file = "a.c") => ({ functionName, file });

test("general helper: what many call, but not main", () => {
  const helpers = new GeneralHelpers([functionKey("quote", "a.c"), functionKey("main", "a.c")]);
  assert.equal(helpers.isHelper(at("quote")), true);
  assert.equal(helpers.isHelper(at("quote", "b.c")), false, "another function of that name");
  assert.equal(helpers.isHelper(at("main")), false);
});

test("general helper: libc by name, and its usual wrappers", () => {
  const none = new GeneralHelpers([]);
  for (const name of [
    "memcpy",
    "xmalloc",
    "xstrdup",
    "rpl_realloc",
    "xnrealloc",
    "x2nrealloc",
    "safe_memcpy",
    "strlcpy",
  ]) {
    assert.equal(none.isHelper(at(name)), true, name);
  }
  for (const name of ["main", "parse", "strip", "free_all", "memory", "copy", "extract", "string_length"]) {
    assert.equal(none.isHelper(at(name)), false, name);
  }
});
