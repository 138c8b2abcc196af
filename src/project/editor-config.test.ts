import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { tabWidths } from "./editor-config.js";

const root = mkdtempSync(join(tmpdir(), "tangent-editor-"));
after(() => rmSync(root, { recursive: true }));

function widthWith(config: string, file: string, folder = "."): number {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, ".editorconfig"), config);
  try {
    return tabWidths(root)(join(root, file));
  } finally {
    rmSync(join(root, folder, ".editorconfig"));
  }
}

describe("the width of a tab", () => {
  it("is 8 where nothing says otherwise", () => {
    assert.equal(tabWidths(root)(join(root, "a.c")), 8);
    assert.equal(widthWith("[*.py]\nindent_size = 4\n", "a.c"), 8);
    assert.equal(widthWith("[*.c]\nindent_size = tab\n", "a.c"), 8);
    assert.equal(widthWith("[*.c]\ntab_width = 400\n", "a.c"), 8);
    assert.equal(widthWith("[*]\ntab_width = 4\n", "../outside.c"), 8);
  });

  it("is what .editorconfig says for the file, the last section first", () => {
    const config = "root = true\n; a comment\n[*]\nindent_size = 2\n\n[*.{c,h}]\nindent_style = tab\ntab_width=4\n";
    assert.equal(widthWith(config, "a.c"), 4);
    assert.equal(widthWith(config, "src/deep/a.h"), 4);
    assert.equal(widthWith(config, "notes.txt"), 2);
    assert.equal(widthWith("[src/**.c]\ntab_width = 3\n", "src/x/a.c"), 3);
    assert.equal(widthWith("[src/*.c]\ntab_width = 3\n", "src/x/a.c"), 8);
    assert.equal(widthWith("[{a.c]\ntab_width = 3\n[a.c}(]\ntab_width = 3\n", "a.c"), 8);
  });

  it("is looked for in the file's folder first, and not through links", () => {
    writeFileSync(join(root, ".editorconfig"), "[*]\ntab_width = 4\n");
    assert.equal(widthWith("[*.c]\ntab_width = 2\n", "src/a.c", "src"), 2);
    assert.equal(widthWith("[*.c]\ntab_width = 2\n", "src/a.h", "src"), 4);
    assert.equal(widthWith("root = true\n[*.c]\ntab_width = 2\n", "src/a.h", "src"), 8);
    rmSync(join(root, ".editorconfig"));
    writeFileSync(join(root, "elsewhere"), "[*]\ntab_width = 4\n");
    symlinkSync("elsewhere", join(root, ".editorconfig"));
    assert.equal(tabWidths(root)(join(root, "a.c")), 8);
  });
});
