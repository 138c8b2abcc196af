import assert from "node:assert/strict";
import { test } from "node:test";
import { namesTheSystem } from "./system-files.js";

test("files of the system: words that name it, whatever they are written like; devices are the same everywhere", () => {
  for (const word of ["/", "//", "/dev", "/dev/", "/dev/stderr", "/usr/share/x", "/etc/../etc/passwd", "/proc"]) {
    assert.equal(namesTheSystem(word), true, word);
  }
  for (const word of ["/dev/null", "/dev/full", "/work/x", "x", "-", "dev/", "../etc", "/developer"]) {
    assert.equal(namesTheSystem(word), false, word);
  }
});
