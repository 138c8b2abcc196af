// The story of known bugs (npm run qualify:fix-loop -- [--time S] [NAME]...): those of Debian's cJSON are found, fixed, gone, put back and back
// again, in each of `test`, `patch` and `compose` (NAME: one of these). The fix is Debian's, with ten lines of comment in front of all, so that
// every line moves. Of each bug: whether `replay` and `findings` say what is true at each step, and whether its id stays. Needs apt-get source
// and git. Prints Markdown; the status is 1 if something untrue was said, or fewer than five bugs came through all of it in one of the three.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CampaignResult, ResultFinding } from "../src/report/campaign-result.js";
import type { Bug } from "./known-bugs/bug.js";
import { fetchSource, isAt, takeBack } from "./known-bugs/hunt.js";
import { LIBRARIES } from "./known-bugs/libraries.js";
import { LAUNCHER } from "./suites/build.js";
import { scriptArguments } from "./usage.js";

const TECHNIQUES = ["test", "patch", "compose"] as const;
type Technique = (typeof TECHNIQUES)[number];
const WANTED = 5;
const PROGRAM = LIBRARIES.filter(({ name }) => name === "cjson")[0];
const FILE = "cJSON.c";
const IN_FRONT = "/* More to read. */\n".repeat(10);

const { values, positionals } = scriptArguments(import.meta.url, {
  allowPositionals: true,
  options: { time: { type: "string", default: "60" } },
});

/** One project, with the file as it has the bugs and as it has not. */
class Story {
  readonly root = mkdtempSync(join(tmpdir(), "tangent-fix-loop-"));
  private readonly buggy: string;
  private readonly fixed: string;

  constructor(
    source: string,
    private readonly technique: Technique,
  ) {
    cpSync(source, this.root, { recursive: true, verbatimSymlinks: true });
    this.fixed = readFileSync(join(this.root, FILE), "latin1");
    for (const [name, text] of Object.entries(PROGRAM.files ?? {})) this.put(name, text);
    this.put("tests.sh", `${PROGRAM.prepare}\n${PROGRAM.seeds}\ntrue\n`);
    // What a user builds is looked at where it is; the others build their own copies.
    if (technique !== "compose") this.put("tangent.toml", `build = '${PROGRAM.build}'\ntest = "sh tests.sh"\n`);
    this.git("init", "-q", "-b", "main");
    this.git("add", "-A");
    this.git("commit", "-qm", "As Debian has it");
    const problem = takeBack(this.root, PROGRAM.reverse, PROGRAM.edits ?? []);
    if (problem !== null) throw new Error(problem);
    for (const { by } of PROGRAM.bugs) takeBack(this.root, [], by?.own ?? []);
    this.buggy = readFileSync(join(this.root, FILE), "latin1");
  }

  fix(): void {
    this.put(FILE, IN_FRONT + this.fixed);
    this.build();
  }
  putBack(): void {
    this.put(FILE, `${IN_FRONT}${IN_FRONT}${this.buggy}`);
    this.build();
  }
  build(): void {
    if (this.technique === "compose") this.run("sh", "-c", PROGRAM.build);
  }

  campaign(): readonly ResultFinding[] {
    const time = ["--time", `${values.time}s`, "-j", "1", "--quiet"];
    if (this.technique === "compose") {
      this.tangent("record", "--", "sh", "tests.sh");
      this.tangent("compose", ...time);
    } else this.tangent(this.technique, ...time);
    const read = readFileSync(join(this.root, ".tangent/report/results.json"), "utf8");
    return (JSON.parse(read) as CampaignResult).findings;
  }
  replay(id: string): string {
    const { stdout, stderr } = this.tangent("replay", id);
    return stdout.trim().split("\n").at(-1)?.replace(`${id}: `, "") ?? stderr;
  }
  states(): ReadonlyMap<string, string> {
    const all = JSON.parse(this.tangent("findings", "--json").stdout) as readonly { id: string; state: string }[];
    return new Map(all.map(({ id, state }) => [id, state]));
  }

  end(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
  private put(name: string, text: string): void {
    writeFileSync(join(this.root, name), text, "latin1");
  }
  private git(...words: string[]): void {
    this.run("git", "-c", "user.name=a", "-c", "user.email=a@b", ...words);
  }
  private tangent(...words: string[]) {
    return this.run("sh", LAUNCHER, ...words);
  }
  private run(program: string, ...words: string[]) {
    const env = { ...process.env, CC: `${LAUNCHER} cc` };
    return spawnSync(program, words, { cwd: this.root, encoding: "utf8", env, maxBuffer: 1 << 28 });
  }
}

interface Told {
  readonly id: string;
  fixed: string;
  gone: string;
  back: string;
  state: string;
  again: string;
}

function tell(technique: Technique, source: string): number {
  const story = new Story(source, technique);
  try {
    story.build();
    const found = new Map<Bug, Told>();
    for (const finding of story.campaign()) {
      const bug = PROGRAM.bugs.find((one) => isAt(finding, one));
      if (bug === undefined || found.has(bug)) continue;
      found.set(bug, { id: finding.id, fixed: "", gone: "", back: "", state: "", again: "" });
    }
    story.fix();
    for (const told of found.values()) told.fixed = story.replay(told.id);
    const gone = story.states();
    for (const told of found.values()) told.gone = gone.get(told.id) ?? "-";
    // The next patch forgets what the last one showed.
    const left = technique === "patch" ? [] : story.campaign().map(({ id }) => id);
    story.putBack();
    for (const told of found.values()) told.back = story.replay(told.id);
    const back = story.states();
    for (const told of found.values()) told.state = back.get(told.id) ?? "-";
    const again = new Set(story.campaign().map(({ id }) => id));
    for (const told of found.values()) told.again = again.has(told.id) ? "same" : "no";
    let whole = 0;
    for (const bug of PROGRAM.bugs) {
      const told = found.get(bug);
      if (told === undefined) {
        process.stdout.write(`| ${technique} | ${bug.reference} | not found | | | | | |\n`);
        continue;
      }
      const { id, fixed, gone: state, back: replayed, state: later, again: same } = told;
      const isTrue =
        /^no longer fails/.test(fixed) && state === "gone" && /^fails again/.test(replayed) && later === "back";
      if (isTrue && same === "same" && !left.includes(id)) whole++;
      const row = [technique, bug.reference, id, short(fixed), state, short(replayed), later, same];
      process.stdout.write(`| ${row.join(" | ")} |\n`);
    }
    return whole;
  } finally {
    story.end();
  }
}

function short(words: string): string {
  return words.replace(/ in the program of today's sources.*|, also in the program.*/, "").slice(0, 120);
}

const work = process.env.TANGENT_KNOWN_BUGS || join(tmpdir(), "tangent-known-bugs");
mkdirSync(work, { recursive: true });
const source = fetchSource(PROGRAM.source, work);
if (source === null) throw new Error("apt-get source cjson failed");
const unknown = positionals.find((name) => !TECHNIQUES.some((technique) => technique === name));
if (unknown !== undefined) throw new Error(`${unknown}: there are ${TECHNIQUES.join(", ")}`);
process.stdout.write(
  "| technique | bug | id | fixed: replay says | findings says | put back: replay says | findings says | found again under its id |\n" +
    "|---|---|---|---|---|---|---|---|\n",
);
const chosen = TECHNIQUES.filter((technique) => positionals.length === 0 || positionals.includes(technique));
const counts = chosen.map((technique) => tell(technique, source));
process.stdout.write(
  `\n${chosen.map((name, index) => `${name}: ${counts[index]} of ${PROGRAM.bugs.length}`).join("; ")}\n`,
);
process.exitCode = counts.every((count) => count >= WANTED) ? 0 : 1;
