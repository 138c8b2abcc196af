import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ConfinedProcess } from "./confined-process.js";
import { NODE_ALONE, type WallName, wallsHere } from "./confinement.js";
// Its type only: to load it is to become such a process.
import type { Attempt } from "./probe-fixture.js";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "tangent-walls-")));
after(() => rmSync(scratch, { recursive: true, force: true }));
const listed = join(scratch, "listed");
const secret = join(scratch, "secret");
mkdirSync(listed);
writeFileSync(join(listed, "file"), "12345");
writeFileSync(secret, "not for everybody");
const ANSWER_BYTES = 100_000;
const script = new URL("./probe-fixture.js", import.meta.url);
const LIMITS = { timeMs: 60_000, graceMs: 1000 };

let count = 0;

interface Started {
  readonly confined: ConfinedProcess;
  readonly writes: string;
  attempt(what: Attempt, within?: typeof LIMITS): Promise<string>;
}

function attempter(confined: ConfinedProcess): Started["attempt"] {
  return async (what, within = LIMITS) => {
    let said = "";
    const end = await confined.run(Buffer.from(JSON.stringify(what)), within, (answer) => {
      said = answer.toString();
      return true;
    });
    return end.kind === "done" ? said : end.kind === "died" ? `died: ${end.message}` : end.kind;
  };
}

function start(walls: readonly WallName[]): Started {
  const writes = join(scratch, `own-${count++}`);
  const confined = new ConfinedProcess({ script, reads: [listed], writes }, walls, ANSWER_BYTES);
  const attempt = attempter(confined);
  return { confined, attempt, writes };
}

const WALLS = [NODE_ALONE, wallsHere(process.env)].filter((walls, index) => index === 0 || walls.length > 1);

for (const walls of WALLS) {
  describe(`a process behind ${walls.join(" and ")}`, () => {
    it("reads what is listed, writes to its folder, and nothing else; starts nothing; has no environment", async () => {
      const { confined, attempt, writes } = start(walls);
      assert.equal(await attempt({ read: join(listed, "file") }), "5 bytes");
      assert.equal(await attempt({ write: join(writes, "made") }), "written");
      assert.equal(readFileSync(join(writes, "made"), "utf8"), "x");
      assert.equal(await attempt("environment"), "{}");
      for (const path of [secret, "/etc/passwd", `/proc/${process.pid}/environ`, "/proc/self/environ", homedir()]) {
        assert.match(await attempt({ read: path }), /^refused/, path);
      }
      for (const path of [join(listed, "file"), secret, join(scratch, "new"), "/tmp/tangent-new", `${writes}-2`]) {
        assert.match(await attempt({ write: path }), /^refused/, path);
      }
      assert.match(await attempt("spawn"), /^refused/);
      assert.match(await attempt("thread"), /^refused/);
      assert.match(await attempt("code"), /^refused/);
      assert.equal(readFileSync(join(listed, "file"), "utf8"), "12345");
      assert.equal(existsSync(join(scratch, "new")), false);
      confined.discard();
    });

    it("is ended when it does not end, says what is no message or too much, or takes too much memory", async () => {
      const short = { timeMs: 3000, graceMs: 200 };
      for (const [what, how] of [
        ["hang", /^overdue$/],
        ["nonsense", /^died: it said what is none/],
        ["talk", /^died: it said something when nobody had asked/],
        ["memory", /^(died|refused)/],
      ] as const) {
        const { confined, attempt } = start(walls);
        const limits = what === "hang" ? short : LIMITS;
        const said = await attempt(what, limits);
        // The first of many is an answer like any other.
        if (what !== "talk") assert.match(said, how, what);
        while (what === "talk" && confined.isAlive) await new Promise((done) => setTimeout(done, 20));
        if (what !== "memory") assert.equal(confined.isAlive, false, what);
        confined.discard();
      }
    });

    it("is asked to stop where it cannot put anything in the way", async () => {
      const { confined, attempt, writes } = start(walls);
      const deaf = attempt("deaf");
      while (!existsSync(join(writes, "stop"))) await new Promise((done) => setTimeout(done, 20));
      assert.doesNotThrow(() => confined.stop(100));
      assert.equal(await deaf, "overdue");
      assert.deepEqual(readdirSync(join(writes, "stop")), []);
    });

    it("is asked to stop, and goes on with the next task", async () => {
      const { confined, attempt } = start(walls);
      assert.equal(await attempt("environment"), "{}");
      const stopped = attempt("until-stopped");
      confined.stop(60_000);
      assert.equal(await stopped, "stopped");
      assert.equal(await attempt("environment"), "{}");
      confined.discard();
    });
  });
}

const bwrap = wallsHere(process.env).includes("bwrap");

it("what looks around sees what is listed behind bubblewrap, and all behind Node's model alone, but writes nowhere", async () => {
  for (const walls of WALLS) {
    const writes = join(scratch, `own-${count++}`);
    const place = { script, reads: [listed], writes, looksAround: true };
    const confined = new ConfinedProcess(place, walls, ANSWER_BYTES);
    const attempt = attempter(confined);
    assert.equal(await attempt({ read: join(listed, "file") }), "5 bytes");
    assert.match(await attempt({ read: secret }), walls.includes("bwrap") ? /^refused/ : /bytes$/);
    assert.match(await attempt({ write: secret }), /^refused/);
    confined.discard();
  }
});

describe("bubblewrap", { skip: bwrap ? false : "bubblewrap does not work on this machine" }, () => {
  it("leaves no network and no other processes", async () => {
    // What it is sent is read, or the connection would outlive its other end.
    const server = createServer((socket) => socket.on("error", () => {}).resume());
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const [open, walled] = [start(NODE_ALONE), start(wallsHere(process.env))];
    assert.equal(await open.attempt({ connect: port }), "connected");
    assert.match(await walled.attempt({ connect: port }), /^refused/);
    for (const { confined } of [open, walled]) confined.discard();
    server.close();
  });
});
