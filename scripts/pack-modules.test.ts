import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { packed, packModules } from "./pack-modules.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

function evaluate(text: string, modules: Record<string, unknown>): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  const make = new Function(`return ${text}`)() as (...parts: unknown[]) => void;
  make((name: string) => modules[name], null, own, "file:///x/y.js");
  return own;
}

describe("modules in one file", () => {
  it("imports are asked for, exports are told, and lines stay where they were", () => {
    const source = [
      'import { a, b as c } from "./x.js";',
      'import * as all from "node:fs";',
      "import {",
      "  d,",
      '} from "../z.js";',
      "export const sum = a + c + d;",
      "export class Thing {}",
      "export function name() { return all.name; }",
      "export async function later() {}",
      "export const where = import.meta.url;",
    ].join("\n");
    const { text, imports } = packed(source, "some/module.js");
    assert.deepEqual(imports, ["./x.js", "node:fs", "../z.js"]);
    assert.equal(
      text.split("\n").findIndex((line) => line.startsWith("const sum")),
      5,
    );
    const own = evaluate(text, { "./x.js": { a: 1, b: 20 }, "node:fs": { name: "fs" }, "../z.js": { d: 300 } });
    assert.equal(own.sum, 321);
    assert.equal((own.name as () => string)(), "fs");
    assert.equal(own.where, "file:///x/y.js");
    assert.deepEqual(Object.keys(own).sort(), ["Thing", "later", "name", "sum", "where"]);
  });

  it("what is exported from elsewhere is told too", () => {
    const { text } = packed('export { a, b as c } from "./x.js";\nexport {};\n', "m.js");
    assert.deepEqual(evaluate(text, { "./x.js": { a: 1, b: 2 } }), { a: 1, c: 2 });
  });

  it("complains of a form that it does not know", () => {
    assert.throws(() => packed('import some from "./x.js";\n', "m.js"), /m\.js: import some/);
    assert.throws(() => packed("export default 1;\n", "m.js"), /m\.js: export default/);
    assert.throws(() => packed('import "./x.js";\n', "m.js"), /m\.js: import/);
    assert.throws(() => packed("const x = import.meta.dirname;\n", "m.js"), /import\.meta/);
  });
});

describe("a start from one file", () => {
  const root = mkdtempSync(join(tmpdir(), "tangent-packed-"));
  after(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "bin"));
  mkdirSync(join(root, "dist"));
  cpSync(join(ROOT, "bin/start.cjs"), join(root, "bin/start.cjs"));
  for (const name of ["runtime", "package.json", "node_modules", "dist/src"])
    symlinkSync(join(ROOT, name), join(root, name));
  packModules(join(root, "dist/modules.pack"));

  const tangent = (
    ...words: string[]
  ): ReturnType<typeof spawnSync> & { readonly stdout: string; readonly stderr: string } =>
    spawnSync(process.execPath, [join(root, "bin/start.cjs"), ...words], {
      encoding: "utf8",
      cwd: root,
      env: { ...process.env, TANGENT_CC: "embedded", TANGENT_CACHE: join(root, "cache") },
    });

  it("runs commands and their threads, the second time with what V8 has compiled the first time", () => {
    writeFileSync(
      join(root, "a.c"),
      'int puts(const char *); int main(int n, char **v) { puts("out"); return v[n] != 0; }\n',
    );
    const first = tangent("run", "a.c");
    assert.equal(first.stdout, "out\n", first.stderr);
    assert.equal(first.status, 0);
    // Of the command, and of its thread.
    const kept = readdirSync(join(root, "cache/code"), { recursive: true, withFileTypes: true });
    assert.equal(kept.filter((entry) => entry.isFile()).length, 2);
    const second = tangent("run", "a.c");
    assert.equal(second.stdout, "out\n", second.stderr);
  });

  it("what was compiled is taken whatever flags threads have set for the whole process in between", () => {
    // Sets a flag as threads of a campaign do, before a thread starts, and tells of what V8 takes.
    const watcher = join(root, "watcher.cjs");
    writeFileSync(
      watcher,
      `const vm = require("node:vm");
const threads = require("node:worker_threads");
threads.Worker = class extends threads.Worker {
  constructor(...given) {
    require("node:v8").setFlagsFromString("--no-experimental-wasm-compilation-hints");
    super(...given);
  }
};
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    const word = options.cachedData === undefined ? "new" : this.cachedDataRejected ? "refused" : "taken";
    require("node:fs").writeSync(2, threads.isMainThread ? \`<main \${word}>\` : \`<thread \${word}>\`);
  }
};`,
    );
    const env = { ...process.env, TANGENT_CC: "embedded", TANGENT_CACHE: join(root, "cache") };
    const run = (): Map<string, number> => {
      const words = ["-r", watcher, join(root, "bin/start.cjs"), "run", "a.c"];
      const { stderr } = spawnSync(process.execPath, words, { encoding: "utf8", cwd: root, env });
      const counts = new Map<string, number>();
      for (const word of stderr.match(/<\w+ \w+>/g) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
      return counts;
    };
    rmSync(join(root, "cache/code"), { recursive: true });
    assert.deepEqual([...run().keys()].sort(), ["<main new>", "<thread new>"]);
    const second = run();
    const taken = (second.get("<main taken>") ?? 0) + (second.get("<thread taken>") ?? 0);
    const all = [...second.values()].reduce((sum, count) => sum + count, 0);
    // But for the few modules that are loaded between a thread's flags and the next module that is refused.
    assert.ok(taken > 100 && taken >= 0.95 * all, [...second].join(" "));
  });

  it("code that is damaged does no harm", () => {
    for (const entry of readdirSync(join(root, "cache/code"), { recursive: true, withFileTypes: true })) {
      if (entry.isFile())
        writeFileSync(join(entry.parentPath, entry.name), '{"cli/main.js":[0,4],"cli/run.js":[2,3]}\nnonsense');
    }
    const { stdout, status } = tangent("run", "a.c");
    assert.equal(stdout, "out\n");
    assert.equal(status, 0);
  });

  it("a command that asks a solver has its packages", () => {
    writeFileSync(
      join(root, "b.c"),
      "#include <stdlib.h>\nint main(int n, char **v) { unsigned x = n > 1 ? (unsigned)atoi(v[1]) : 0; return x * x == 49 ? abort(), 1 : 0; }\n",
    );
    const { stdout, stderr } = tangent("explore", "--sym-arg", "2", "--max-paths", "200", "b.c");
    assert.match(`${stdout}${stderr}`, /abort/);
  });

  it("the exit status is that of the command", () => {
    assert.equal(tangent("no-such-command").status, 2);
    assert.equal(tangent("--version").status, 0);
  });
});
