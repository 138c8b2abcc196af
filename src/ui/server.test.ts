import assert from "node:assert/strict";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { Finding } from "../findings/finding.js";
import { writeSafely } from "../project/project-folder.js";
import { lockProject } from "../project/project-lock.js";
import { KeptFindings } from "../report/kept-findings.js";
import { result } from "../report/result-fixture.js";
import { Access } from "./access.js";
import type { LiveWriter } from "./live-writer.js";
import { LiveWriter as Writer } from "./live-writer.js";
import type { PortionOf } from "./project-data.js";
import { UiServer } from "./server.js";
import { HOSTILE_NAME, type UiProject, uiFinding, uiProject, uiSeed, writeSeeds } from "./ui-fixture.js";

let project: UiProject;
let server: UiServer;
let signalled: number[];
let address: URL;
let cookie: string;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** `headers.host` may be another one than the address says, which fetch does not allow. */
function ask(path: string, headers: { readonly [name: string]: string } = {}, method = "GET"): Promise<Answer> {
  return new Promise((done, failed) => {
    const { hostname, port } = address;
    const asked = request({ hostname, port, path, method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    asked.on("error", failed).end();
  });
}

const own = (): { readonly cookie: string } => ({ cookie });
const get = (path: string): Promise<Answer> => ask(path, own());
const value = async <T>(path: string): Promise<T> => JSON.parse((await get(path)).text) as T;

function campaign(): LiveWriter {
  return new Writer(project.folder, { technique: "amplify", seeds: [], programs: [], budgetMs: 1000, jobs: 1 });
}

beforeEach(async () => {
  project = uiProject();
  signalled = [];
  server = new UiServer(project.folder, project.state, (pid) => signalled.push(pid));
  address = new URL(await server.listen({ host: "127.0.0.1", port: 0 }));
  const entered = await ask(`/?token=${address.searchParams.get("token")}`);
  cookie = (entered.headers["set-cookie"] ?? [""])[0].split(";")[0];
});
afterEach(async () => {
  await server.close();
  rmSync(project.top, { recursive: true, force: true });
});

describe("who may ask the page's server", () => {
  it("the token becomes a cookie and leaves the address bar", async () => {
    const entered = await ask(`/?token=${address.searchParams.get("token")}`);
    assert.equal(entered.status, 303);
    assert.equal(entered.headers.location, "/");
    assert.match(
      (entered.headers["set-cookie"] ?? [""])[0],
      /^tangent-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const page = await get("/");
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, new RegExp(address.searchParams.get("token") ?? "never"));
  });

  it("nothing is given without it, or with another one", async () => {
    const paths = ["/", "/events", "/report", "/findings", "/seeds", "/history", "/finding/0123456789ab", "/seed/01"];
    for (const path of [...paths, "/?token=wrong", "/?token="]) assert.equal((await ask(path)).status, 403, path);
    const [name] = cookie.split("=");
    assert.equal((await ask("/", { cookie: `${name}=wrong` })).status, 403);
    assert.equal((await ask("/stop", {}, "POST")).status, 403);
  });

  it("a name of somebody else's that leads here is not ours", async () => {
    const { port } = address;
    for (const host of [`evil.example:${port}`, "127.0.0.1:1", "127.0.0.1", `127.0.0.1.evil.example:${port}`]) {
      assert.equal((await ask("/", { ...own(), host })).status, 421, host);
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      assert.equal((await ask("/", { ...own(), host })).status, 200, host);
    }
  });

  it("with --host: that name; on all addresses: any address, but no name", () => {
    const named = new Access("t", "build.example", 80);
    assert.equal(named.isOurName({ host: "build.example:80" }), true);
    assert.equal(named.isOurName({ host: "10.0.0.1:80" }), false);
    const anywhere = new Access("t", "0.0.0.0", 80);
    assert.equal(anywhere.isOurName({ host: "10.0.0.1:80" }), true);
    assert.equal(anywhere.isOurName({ host: "[fe80::1]:80" }), true);
    assert.equal(anywhere.isOurName({ host: "evil.example:80" }), false);
  });

  it("only GET, but for stop", async () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      assert.equal((await ask("/findings", own(), method)).status, 405, method);
    }
    const answer = await get("/stop");
    assert.deepEqual([answer.status, answer.headers.allow], [405, "POST"]);
  });

  it("every answer has a policy that lets nothing in", async () => {
    for (const path of ["/", "/findings", "/nothing"]) {
      const { headers } = await get(path);
      assert.match(String(headers["content-security-policy"]), /default-src 'none'/, path);
      assert.match(String(headers["content-security-policy"]), /frame-ancestors 'none'/, path);
      assert.deepEqual([headers["x-content-type-options"], headers["cache-control"]], ["nosniff", "no-store"]);
    }
    const page = await get("/");
    assert.doesNotMatch(page.text, /(src|href)="(https?:)?\/\//, "nothing from elsewhere");
    assert.doesNotMatch(String(page.headers["content-security-policy"]), /script-src[^;]*unsafe/);
  });
});

describe("what it answers", () => {
  it("findings in portions, newest first, of the campaign that goes on", async () => {
    const lock = lockProject(project.folder, project.state, "amplify");
    assert.equal(lock.kind, "locked");
    const live = campaign();
    for (let index = 1; index <= 250; index++) {
      live.take({ kind: "finding", found: uiFinding(index, project.folder.root), finding: {} as Finding });
    }
    live.take({ kind: "finding", found: { ...uiFinding(251, "/x"), title: HOSTILE_NAME }, finding: {} as Finding });
    type Line = { readonly id: string; readonly title: string; readonly where: string };
    const first = await value<PortionOf<Line>>("/findings");
    assert.deepEqual([first.items.length, first.count, first.total, first.next], [100, 251, 251, 100]);
    assert.equal(first.items[0].title, HOSTILE_NAME);
    const last = await value<PortionOf<Line>>("/findings?offset=200&limit=1000");
    assert.deepEqual([last.items.length, last.next, last.items.at(-1)?.id], [51, null, "000000000001"]);
    const some = await value<PortionOf<Line>>("/findings?q=function_24+part-0");
    assert.deepEqual(
      some.items.map(({ where }) => where),
      ["src/part-0.c:241 in function_240"],
    );
    assert.equal((await value<PortionOf<Line>>("/findings?offset=-1&limit=x")).items.length, 100);
    assert.equal((await value<PortionOf<Line>>("/findings?offset=999999")).items.length, 0);
    if (lock.kind === "locked") lock.release();
    live.end("complete");
  });

  it("one finding as the report shows it, from the moment it is kept", async () => {
    const hostile = { ...uiFinding(7, project.folder.root), title: HOSTILE_NAME };
    new KeptFindings(project.folder).saw(hostile, "amplify");
    const { html } = await value<{ readonly html: string }>(`/finding/${hostile.id}`);
    assert.match(html, /class="body"/);
    assert.doesNotMatch(html, /<img/);
    for (const path of [
      "/finding/fff",
      "/finding/..%2f..%2fx",
      "/finding/",
      "/finding/a/b",
      "/seed/xyz",
      "/etc/passwd",
    ]) {
      assert.equal((await get(path)).status, 404, path);
    }
  });

  it("tests in portions; one of them without its environment", async () => {
    const seeds = Array.from({ length: 130 }, (_, index) => uiSeed(index, project.folder.root));
    writeSeeds(project.folder, seeds);
    type Line = { readonly id: string; readonly command: string };
    const first = await value<PortionOf<Line>>("/seeds");
    const rest = await value<PortionOf<Line>>(`/seeds?offset=${first.next}`);
    assert.deepEqual([first.items.length, rest.items.length, first.total, rest.next], [100, 30, 130, null]);
    assert.equal(new Set([...first.items, ...rest.items].map(({ id }) => id)).size, 130);
    const some = await value<PortionOf<Line>>("/seeds?q=number+n117");
    assert.deepEqual(
      some.items.map(({ command }) => command),
      ["prog --number n117"],
    );
    const one = await get(`/seed/${seeds[3].id}`);
    assert.match(one.text, /data-3/);
    assert.doesNotMatch(one.text, /SECRET/);
  });

  it("the report of the last results, or why there is none; never a file as it is", async () => {
    writeFileSync(project.folder.file("report", "index.html"), "<script>hostile</script>");
    assert.equal((await get("/report")).status, 404);
    writeSafely(project.folder.file("report", "results.json"), JSON.stringify(result()));
    const page = await get("/report");
    assert.equal(page.status, 200);
    assert.match(page.text, /Heap buffer overflow/);
    assert.doesNotMatch(page.text, /hostile/);
    const after = await value<PortionOf<{ readonly id: string }>>("/findings");
    assert.deepEqual(
      after.items.map(({ id }) => id),
      ["0123456789ab"],
    );
  });

  it("links in the project's folder are refused with a message", async () => {
    rmSync(join(project.folder.path, "seeds"), { recursive: true, force: true });
    symlinkSync("/etc", join(project.folder.path, "seeds"));
    const answer = await get("/seeds");
    assert.equal(answer.status, 500);
    assert.match(answer.text, /symbolic link/);
  });
});

describe("what goes on", () => {
  interface Event {
    readonly live: { readonly doing: string; readonly state: string } | null;
    readonly isRunning: boolean;
    readonly problem: string | null;
  }

  /** Gives the events one after the other. */
  async function* watch(): AsyncGenerator<{ readonly name: string; readonly data: Event }> {
    const response = await fetch(new URL("/events", address), { headers: own() });
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    let rest = "";
    for await (const part of response.body ?? []) {
      const events = (rest + Buffer.from(part as Uint8Array).toString()).split("\n\n");
      rest = events.pop() ?? "";
      for (const text of events) {
        const match = /^event: (\w+)\ndata: (.*)$/.exec(text);
        if (match !== null) yield { name: match[1], data: JSON.parse(match[2]) as Event };
      }
    }
  }

  it("is told as it changes, and that the server ends", async () => {
    const lock = lockProject(project.folder, project.state, "amplify");
    const events = watch();
    const next = async (): Promise<{ readonly name: string; readonly data: Event }> => {
      const { value: event, done } = await events.next();
      assert.notEqual(done, true);
      return event as { readonly name: string; readonly data: Event };
    };
    assert.equal((await next()).data.live, null);
    const live = campaign();
    const begun = await next();
    assert.deepEqual([begun.data.live?.state, begun.data.isRunning], ["running", true]);
    live.end("complete");
    const ended = await next();
    assert.deepEqual([ended.data.live?.state, ended.data.isRunning], ["ended", false]);
    writeFileSync(project.folder.file("live.json"), '{"version": 1}');
    assert.match((await next()).data.problem ?? "", /not what a campaign of this version writes/);
    if (lock.kind === "locked") lock.release();
    const closing = server.close();
    for (let event = await next(); event.name !== "gone"; event = await next()) assert.equal(event.name, "live");
    await closing;
  });

  it("a file that says it runs is not believed if nobody holds the lock", async () => {
    campaign();
    const events = watch();
    const first = await events.next();
    assert.equal((first.value as { readonly data: Event }).data.isRunning, false);
    const answer = await ask("/stop", { ...own(), origin: address.origin }, "POST");
    assert.match(answer.text, /no campaign is at work/);
    assert.deepEqual(signalled, []);
  });

  it("stop tells the holder of the lock once, and only on our page's behalf", async () => {
    const stop = (headers: { readonly [name: string]: string }): Promise<Answer> =>
      ask("/stop", { ...own(), ...headers }, "POST");
    const lock = lockProject(project.folder, project.state, "test");
    assert.match((await stop({ origin: address.origin })).text, /searches for nothing now/);
    const live = campaign();
    assert.equal((await stop({})).status, 403);
    assert.equal((await stop({ origin: "http://evil.example" })).status, 403);
    assert.equal((await stop({ origin: "null" })).status, 403);
    assert.deepEqual(signalled, []);
    assert.match((await stop({ origin: address.origin })).text, /"isStopping":true/);
    assert.match((await stop({ origin: address.origin })).text, /already/);
    assert.deepEqual(signalled, [process.pid]);
    if (lock.kind === "locked") lock.release();
    live.end("aborted");
  });
});
