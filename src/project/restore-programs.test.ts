import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { contentHash } from "./content-hash.js";
import { beginJournal, isStandIn, restoreAbandoned, restorePrograms, STAND_IN_MARK } from "./restore-programs.js";
import { StandIns } from "./stand-ins.js";
import { ProjectState, pendingJournals } from "./state-folder.js";

const root = mkdtempSync(join(tmpdir(), "tangent-restore-"));
after(() => rmSync(root, { recursive: true, force: true }));
const env = { TANGENT_STATE: join(root, "state") };
let count = 0;

/** A project with one program that is replaced. */
function replaced(mode = 0o755): {
  readonly state: ProjectState;
  readonly program: string;
  readonly moved: string;
  readonly standIns: StandIns;
} {
  const project = join(root, `project${count++}`);
  mkdirSync(project);
  const program = join(project, "prog");
  writeFileSync(program, "the program\n");
  chmodSync(program, mode);
  utimesSync(program, 1000, 2000.5);
  const state = new ProjectState(project, env);
  beginJournal(state);
  const standIns = new StandIns(state, Buffer.from("stand-in"), state.directory("records"));
  standIns.install(program, { content: contentHash(program) ?? "", libraries: [] });
  assert.equal(isStandIn(program), true);
  const [moved] = standIns.programs.keys();
  return { state, program, moved, standIns };
}

describe("putting programs back", () => {
  it("brings back the file itself, and leaves nothing behind", () => {
    const { state, program, moved } = replaced(0o4755);
    const { ino } = statSync(moved);
    assert.deepEqual(restorePrograms(state), { count: 1, problems: [] });
    const status = statSync(program);
    assert.deepEqual([status.ino, status.mode & 0o7777, status.mtimeMs], [ino, 0o4755, 2_000_500]);
    assert.deepEqual(readdirSync(join(program, "..")), ["prog"]);
    assert.deepEqual(restorePrograms(state), { count: 0, problems: [] });
  });

  it("a program that the tests have linked anew comes back as they made it", () => {
    const { state, program, standIns } = replaced();
    rmSync(program);
    writeFileSync(program, "linked anew\n", { mode: 0o755 });
    standIns.install(program, { content: contentHash(program) ?? "", libraries: [] });
    assert.equal(standIns.programs.size, 2, "what ran before was another program");
    assert.deepEqual(restorePrograms(state).problems, []);
    assert.equal(readFileSync(program, "utf8"), "linked anew\n");
    assert.deepEqual(readdirSync(join(program, "..")), ["prog"]);
  });

  it("does not wait for a named pipe that the tests have put in a program's place", () => {
    const { state, program } = replaced();
    rmSync(program);
    assert.equal(spawnSync("mkfifo", [program]).status, 0);
    assert.deepEqual(restorePrograms(state), { count: 1, problems: [] });
    assert.ok(statSync(program).isFIFO());
  });

  it("brings back a copy where the file is gone, or is not what it was", () => {
    for (const spoil of [(path: string) => rmSync(path), (path: string) => writeFileSync(path, "another")]) {
      const { state, program, moved } = replaced();
      // Written to in place, it would be the other name's content too.
      rmSync(moved);
      writeFileSync(moved, "");
      spoil(moved);
      assert.deepEqual(restorePrograms(state), { count: 1, problems: [] });
      assert.equal(readFileSync(program, "utf8"), "the program\n");
      assert.equal(statSync(program).mtimeMs, 2_000_500);
    }
  });

  it("tells what cannot be put back, until it was built again", () => {
    const { state, program, moved } = replaced();
    rmSync(moved);
    rmSync(state.directory("real"), { recursive: true });
    assert.match(restorePrograms(state).problems[0], /prog is a stand-in, and its program is gone; build it again/);
    assert.equal(pendingJournals(env).length, 1);
    writeFileSync(program, "built again");
    assert.deepEqual(restorePrograms(state), { count: 0, problems: [] });
    assert.equal(readFileSync(program, "utf8"), "built again");
    assert.equal(pendingJournals(env).length, 0);
  });

  it("leaves alone what the tests have built or removed", () => {
    const built = replaced();
    rmSync(built.program);
    writeFileSync(built.program, "newer");
    assert.equal(restorePrograms(built.state).count, 1);
    assert.equal(readFileSync(built.program, "utf8"), "newer");
    assert.equal(existsSync(built.moved), false);
    const removed = replaced();
    rmSync(removed.program);
    restorePrograms(removed.state);
    assert.equal(existsSync(removed.program), false);
  });

  it("waits for a recording that is still at work, and for no other", () => {
    const { state, program } = replaced();
    assert.deepEqual(restoreAbandoned(env), { count: 0, problems: [] });
    const { pid } = spawnSync("true");
    const text = readFileSync(state.journal, "utf8");
    writeFileSync(state.journal, text.replace(/"pid":\d+/, `"pid":${pid}`));
    assert.deepEqual(restoreAbandoned(env), { count: 1, problems: [] });
    assert.equal(isStandIn(program), false);
  });

  it("a journal that was cut short, or holds anything else, is no exception", () => {
    const { state, program } = replaced();
    const text = readFileSync(state.journal, "utf8");
    for (let length = 0; length < text.length; length += 7) {
      writeFileSync(state.journal, `${text.slice(0, length)}\nnull\n[1]\n{"program":7}\n`);
      restoreAbandoned({ TANGENT_STATE: env.TANGENT_STATE });
    }
    writeFileSync(state.journal, text);
    restorePrograms(state);
    assert.equal(readFileSync(program, "utf8"), "the program\n");
  });

  it("only a file that ends in the mark is a stand-in", () => {
    const path = join(root, "file");
    writeFileSync(path, `${STAND_IN_MARK} and more`);
    assert.equal(isStandIn(path), false);
    writeFileSync(path, STAND_IN_MARK);
    assert.equal(isStandIn(path), true);
    assert.equal(isStandIn(join(root, "none")), false);
    assert.equal(isStandIn(root), false);
  });
});
