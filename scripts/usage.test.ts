import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { firstComment } from "./usage.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Only in case that a script begins to work: most work for many minutes. */
const TIMEOUT_MS = 60_000;
const SCRIPT = /dist\/((?:scripts|bench)\/[\w-]+)\.js/g;

/** Those that npm runs, and those that are run by hand. */
function scripts(): string[] {
  const { scripts: commands } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const ofNpm = Object.values(commands).flatMap((command) => [...command.matchAll(SCRIPT)].map(([, name]) => name));
  const byHand = ["scripts", "bench"].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => `${folder}/${file.slice(0, -".ts".length)}`)
      .filter((name) => /(node dist\/|npm run )/.test(firstComment(readFileSync(join(ROOT, `${name}.ts`), "utf8")))),
  );
  return [...new Set([...ofNpm, ...byHand])].sort();
}

function run(name: string, option: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(ROOT, `dist/${name}.js`), option], {
    encoding: "utf8",
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
}

test("usage: the comment that a source begins with, up to the first line that is none", () => {
  assert.equal(firstComment("// One.\n//\n//   two\nimport x;\n// three\n"), "One.\n\n  two");
  assert.equal(firstComment("// all"), "all");
  assert.equal(firstComment("import x;\n// late\n"), "");
});

for (const name of scripts()) {
  test(`usage: ${name} prints how it is called, and does nothing else, if asked for help`, () => {
    const source = readFileSync(join(ROOT, `${name}.ts`), "utf8");
    const comment = `${firstComment(source)}\n`;
    assert.match(comment, /npm (run|pack)|node dist\//, "its first comment says how it is called");
    assert.match(source, /(scriptArguments|scriptWords|programAndWords)\(import\.meta\.url/);
    const help = run(name, "--help");
    assert.deepEqual([help.status, help.stdout], [0, comment], help.stderr);
  });
}

// One for each way of reading the command line: to start all of them twice would take minutes on a busy machine.
for (const name of ["scripts/qualify-explore", "scripts/qualify-suites", "bench/prefix"]) {
  test(`usage: ${name} does not begin with an option that it does not know`, () => {
    const unknown = run(name, "--no-such-option");
    assert.deepEqual([unknown.status, unknown.stdout], [2, ""], unknown.stderr);
    assert.ok(unknown.stderr.includes("--no-such-option"), unknown.stderr);
    assert.ok(unknown.stderr.endsWith(`${firstComment(readFileSync(join(ROOT, `${name}.ts`), "utf8"))}\n`));
  });
}
