// The corpus through Tangent: every planted error is found, with its kind, at its line; correct twins (each day every
// third) and the language programs end as they state and raise no finding. The programs themselves say what must happen (scripts/corpus-expectations.ts).

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { after, describe, test } from "node:test";
import { type Expectations, parseExpectations } from "../../scripts/corpus-expectations.js";
import { VmPool } from "../../scripts/vm/pool.js";
import { PLAIN_REQUEST, type VmFinding, type VmReply } from "../../scripts/vm/protocol.js";
import { isTriedDaily } from "./daily-twins.js";

const PROGRAMS = resolve(import.meta.dirname, "../../../test/programs");
const parallel = Math.min(2, availableParallelism());
const pool = new VmPool(parallel);
const directory = mkdtempSync(join(tmpdir(), "tangent-programs-"));
after(() => {
  pool.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Program {
  readonly name: string;
  readonly path: string;
  readonly expected: Expectations;
}

function programsIn(folder: string): Program[] {
  return readdirSync(join(PROGRAMS, folder))
    .filter((file) => file.endsWith(".c"))
    .sort()
    .map((file) => {
      const path = join(PROGRAMS, folder, file);
      return { name: file.replace(/\.c$/, ""), path, expected: parseExpectations(readFileSync(path, "latin1")) };
    });
}

function run({ path, expected }: Program): Promise<VmReply> {
  return pool.run({
    ...PLAIN_REQUEST,
    inputs: [path],
    options: expected.options,
    args: expected.args,
    environment: expected.environment,
    stdin: expected.stdin,
    directory,
  });
}

/** The line of the program's own that a user is shown: of the access, or of a leaked block's allocation. */
function userLine(finding: VmFinding): string {
  const frame = finding.stack[finding.userFrame];
  return frame === undefined ? "no line of the program" : `${basename(frame.file ?? "?")}:${frame.line}`;
}

function describeReply(reply: VmReply): string {
  const findings = reply.findings.map((finding) => `${finding.kind} at ${userLine(finding)}: ${finding.message}`);
  return [JSON.stringify(reply.end), ...findings, reply.stderr].join("\n");
}

describe("a program with a planted error", { concurrency: parallel }, () => {
  for (const program of programsIn("errors")) {
    test(`${program.name}: the error is found, at its line`, async () => {
      const expected = program.expected.finding;
      assert.ok(expected !== null, "the program states no finding");
      const reply = await run(program);
      assert.equal(reply.findings.length, 1, describeReply(reply));
      const [finding] = reply.findings;
      assert.ok(expected.kinds.includes(finding.kind), describeReply(reply));
      if (expected.access !== null) assert.equal(finding.access, expected.access, describeReply(reply));
      const places = expected.lines.map((line) => `${program.name}.c:${line}`);
      assert.ok(places.includes(userLine(finding)), `${describeReply(reply)}\nexpected at ${places.join(", ")}`);
    });
  }
});

for (const folder of ["correct", "language"]) {
  describe(`a ${folder} program`, { concurrency: parallel }, () => {
    for (const [index, program] of programsIn(folder).entries()) {
      if (folder === "correct" && !isTriedDaily(index)) continue;
      test(`${program.name}: ends as natively, with nothing found`, async () => {
        const { expected } = program;
        const reply = await run(program);
        assert.deepEqual(reply.findings, [], describeReply(reply));
        const end =
          expected.signal === null
            ? { kind: "exit", code: expected.exit }
            : { kind: "signal", signal: expected.signal };
        assert.deepEqual(reply.end, end, describeReply(reply));
        assert.equal(reply.stdout, expected.stdout ?? "");
      });
    }
  });
}

test("a program's files stay inside the machine", async () => {
  const program = programsIn("language").find(({ name }) => name === "leaves-no-file");
  assert.ok(program !== undefined);
  const reply = await run(program);
  assert.deepEqual(reply.end, { kind: "exit", code: 0 }, describeReply(reply));
  assert.equal(existsSync(join(directory, "tangent-left-behind.txt")), false);
  assert.deepEqual(readdirSync(directory), []);
});
