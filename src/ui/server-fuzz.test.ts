// What somebody sends who wants to end the campaign that serves the page: whatever comes, with or without the token, the
// process lives and the page is still answered.

import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { ProjectState } from "../project/state-folder.js";
import { Random } from "../support/random.js";
import { UiServer } from "./server.js";
import { HOSTILE_NAME, type UiProject, uiFinding, uiProject, uiSeed, writeSeeds } from "./ui-fixture.js";

let project: UiProject;
let server: UiServer;
let address: URL;
let cookie: string;
/** Each would have ended the process. The test runner only mentions those that begin in a hook. */
const uncaught: Error[] = [];
process.on("uncaughtException", (error) => uncaught.push(error));

async function start(state: ProjectState = project.state): Promise<void> {
  server = new UiServer(project.folder, state, () => {});
  address = new URL(await server.listen({ host: "127.0.0.1", port: 0 }));
  cookie = `tangent-${address.port}=${address.searchParams.get("token")}`;
}

/** Sends bytes as they are; gives what was answered until the other side was done, that had come, or `patienceMs` were over. */
function say(bytes: string | Uint8Array, patienceMs = 60_000, until = "\0"): Promise<string> {
  return new Promise((done) => {
    let text = "";
    const socket = connect(Number(address.port), "127.0.0.1");
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      done(text);
    };
    const timer = setTimeout(end, patienceMs);
    socket.on("data", (part) => {
      text += part.toString("latin1");
      if (text.includes(until)) end();
    });
    socket.on("error", end).on("close", end);
    socket.end(bytes);
  });
}

const request = (line: string, headers: readonly string[] = [], body = ""): string =>
  `${[line, `Host: 127.0.0.1:${address.port}`, "Connection: close", ...headers].join("\r\n")}\r\n\r\n${body}`;
const own = (): string => `Cookie: ${cookie}`;

async function lives(): Promise<void> {
  assert.match(await say(request("GET / HTTP/1.1", [own()])), /^HTTP\/1\.1 200 /);
  assert.deepEqual(uncaught, []);
}

beforeEach(async () => {
  project = uiProject();
  await start();
});
afterEach(async () => {
  await server.close();
  rmSync(project.top, { recursive: true, force: true });
  assert.deepEqual(uncaught.splice(0), []);
});

describe("whatever comes, the page's server goes on", () => {
  it("targets that are no addresses", async () => {
    const targets = [
      "//[",
      "//",
      "http://[",
      "*",
      "/%",
      "/%ff?%",
      "/?token=%",
      "//[::1",
      "?",
      "/finding/%00",
      "/seed/%2e",
    ];
    for (const target of [...targets, `/${"a".repeat(8000)}`, `/?${"token=&".repeat(1000)}`, "/seeds?q=%&offset=%"]) {
      for (const headers of [[], [own()]]) {
        for (const method of ["GET", "POST", "OPTIONS", "CONNECT", "HEAD"]) {
          await say(request(`${method} ${target} HTTP/1.1`, headers));
        }
      }
    }
    await lives();
  });

  it("other protocols: WebSockets, HTTP/2, TLS, a proxy's CONNECT", async () => {
    const upgrade = [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Key: AAAA",
      "Sec-WebSocket-Version: 13",
    ];
    for (const path of ["/", "/events", "//["]) await say(request(`GET ${path} HTTP/1.1`, [own(), ...upgrade]), 500);
    await say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    await say(Uint8Array.of(22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3, 0, 0, 0));
    await say(request(`CONNECT 127.0.0.1:${address.port} HTTP/1.1`, [own()]));
    await lives();
  });

  it("bodies are not read: announced, in pieces, waited for, without an end", async () => {
    const announced = request("POST /stop HTTP/1.1", [own(), `Origin: ${address.origin}`, "Content-Length: 999999999"]);
    for (const wanted of [announced, announced.replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n")]) {
      assert.match(await say(wanted), /^HTTP\/1\.1 413 /);
    }
    const chunked = request("GET / HTTP/1.1", [own(), "Transfer-Encoding: chunked"], `ffffff\r\n${"x".repeat(70_000)}`);
    assert.match(await say(chunked), /^HTTP\/1\.1 413 |^$/);
    await lives();
  });

  it("a mistake of ours in an answer is an answer 500, in a timer a message on the page", async () => {
    await server.close();
    const broken = new Proxy(project.state, {
      get: () => {
        throw new TypeError("a mistake");
      },
    });
    await start(broken);
    const stopped = await say(request("POST /stop HTTP/1.1", [own(), `Origin: ${address.origin}`]));
    assert.match(stopped, /^HTTP\/1\.1 500 /);
    assert.match(stopped, /a mistake/);
    const problem = '"problem":"TypeError: a mistake"';
    assert.ok((await say(request("GET /events HTTP/1.1", [own()]), 60_000, problem)).includes(problem));
    await lives();
  });

  it("connections that say nothing are so many and no more, and the last ones are let go", async () => {
    const sockets: Socket[] = [];
    const open = (): number => sockets.filter((socket) => !socket.destroyed).length;
    for (let index = 0; index < 300; index++) {
      const socket = connect(Number(address.port), "127.0.0.1");
      socket.on("error", () => {});
      socket.on("close", () => socket.destroy()).resume();
      socket.write("GET / HT");
      sockets.push(socket);
    }
    // Those beyond the limit are closed by the server; there is no time limit here but the test's own.
    while (open() > 128) await new Promise((done) => setTimeout(done, 10));
    for (const socket of sockets) socket.destroy();
    for (let text = ""; !text.startsWith("HTTP/1.1 200 "); ) text = await say(request("GET / HTTP/1.1", [own()]));
  });

  it("pages that stop watching before their turn leave their places to others", async () => {
    const many = request("GET /events HTTP/1.1", [own()]).replace("Connection: close", "Connection: keep-alive");
    await Promise.all(Array.from({ length: 4 }, () => say(many.repeat(20), 300)));
    for (let text = ""; !text.startsWith("HTTP/1.1 200 "); ) {
      text = await say(request("GET /events HTTP/1.1", [own()]), 300);
    }
  });

  it("random requests, over a project whose files are damaged", async () => {
    const random = new Random(20_26);
    writeSeeds(project.folder, [uiSeed(1, project.folder.root)]);
    const parts = [
      ["GET", "POST", "HEAD", "get", "G\0T", "PROPFIND", ""],
      [
        "/",
        "//[",
        "/events",
        "/findings",
        "/seeds",
        "/seed/",
        "/finding/",
        "/report",
        "/history",
        "/stop",
        "\xff",
        "%",
      ],
      ["", "?q=%f0%28", "?token=\xff", "?offset=1e9&limit=-0", "?limit=999999999999", `?${"&".repeat(500)}`, "/../.."],
      [" HTTP/1.1", " HTTP/1.0", " HTTP/9.9", "", " HTTP/1.1 x", "\r"],
    ];
    const headers = [
      ...[own(), "Cookie: ", `Cookie: ${cookie};`.repeat(50), "Host: [", "Host: \xff:1", `Origin: ${address.origin}`],
      ...["Content-Length: -1", "Content-Length: 5", "Transfer-Encoding: gzip, chunked", "Expect: 100-continue"],
      ...[
        "Upgrade: h2c",
        "Connection: upgrade",
        "Connection: x, keep-alive",
        ": x",
        "A\0: b",
        `X: ${"y".repeat(20_000)}`,
      ],
      ...["Range: bytes=9-1", "If-Modified-Since: x", "Last-Event-ID: \u2028", "Accept-Encoding: *;q=nan"],
    ];
    const damaged = [
      "",
      "{",
      "null",
      "[]",
      '{"version":1}',
      "\0",
      HOSTILE_NAME,
      JSON.stringify(uiFinding(1, "/x")),
      "9".repeat(999),
    ];
    const files = ["live.json", "live-findings.jsonl", "history.jsonl"].map((name) => project.folder.file(name));
    files.push(project.folder.file("report", "results.json"), project.folder.file("findings", "000000000001.json"));
    const below = (end: number): number => random.next() % end;
    const pick = <Item>(from: readonly Item[]): Item => from[below(from.length)];
    for (let round = 0; round < 40; round++) {
      writeFileSync(pick(files), pick(damaged));
      const asked = Array.from({ length: 10 }, () => {
        const some = Array.from({ length: below(4) }, () => pick(headers));
        let text = request(parts.map(pick).join(""), some, pick(["", "x", "5\r\nabcde\r\n0\r\n\r\n", "\r\n\r\n"]));
        if (below(3) === 0) text = text.slice(0, below(text.length));
        return say(Buffer.from(text, "latin1"), 200);
      });
      await Promise.all(asked);
    }
    await lives();
  });
});
