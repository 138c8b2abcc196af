// What tests of the queue are made of: a real redis-server on loopback that can be restarted, a way to it that can be cut, and worker processes
// that can be killed.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const HOST = "127.0.0.1";

/** Three bugs: on the path of a test, one decision beside it, and with another content of a file. */
export const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
static const char letters[16] = "abcdefghijklmno";
int main(int argc, char **argv) {
  char word[8];
  int length = 0, c;
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  if (n < 0 || n > 20) return 1;
  putchar(letters[n]); /* on the path of a test with two digits */
  while ((c = getchar()) != EOF && c != '\\n') {
    if (c == '\\\\') { c = getchar(); if (c == 'x') word[length + 6] = 'X'; } /* off the tests' paths */
    if (length < 7) word[length++] = (char)c;
  }
  word[length] = 0;
  FILE *file = argc > 2 ? fopen(argv[2], "r") : NULL;
  if (file) { int size = fgetc(file); char room[4]; for (int i = 0; i < size; i++) room[i] = 'x'; putchar(room[0]); fclose(file); }
  puts(word);
  return 0;
}
`;

/** Null if there is one; else why the tests are skipped. */
export function withoutRedis(): string | false {
  const found = spawnSync("redis-server", ["--version"]);
  return found.status === 0 ? false : "redis-server is not installed (Debian: apt-get install redis-server)";
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, HOST, done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** Keeps what it holds on disk, so that it can be restarted. */
export class RedisProcess {
  readonly folder = mkdtempSync(join(tmpdir(), "tangent-redis-"));
  private child: ChildProcess | null = null;

  private constructor(readonly port: number) {}

  static async start(): Promise<RedisProcess> {
    const redis = new RedisProcess(await freePort());
    await redis.begin();
    return redis;
  }

  async restart(): Promise<void> {
    await this.end();
    await this.begin();
  }

  async close(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async begin(): Promise<void> {
    const settings = ["--port", this.port, "--bind", HOST, "--dir", this.folder, "--appendonly", "yes", "--save", ""];
    this.child = spawn("redis-server", settings.map(String), { stdio: "ignore" });
    while (!(await this.answers())) await delay(50);
  }

  private async end(): Promise<void> {
    const { child } = this;
    if (child === null) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    await gone;
    this.child = null;
  }

  private answers(): Promise<boolean> {
    return new Promise((done) => {
      const socket = connect(this.port, HOST, () => socket.write("PING\r\n"));
      socket.once("data", (data) => {
        socket.destroy();
        done(data.toString().startsWith("+PONG"));
      });
      socket.once("error", () => done(false));
    });
  }
}

/** A way to a port that can be cut: what goes through it then is lost, and nobody gets through until it is mended. */
export class CuttableWay {
  readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  constructor(private readonly target: number) {
    this.server = createServer((socket) => this.join(socket));
  }

  async listen(): Promise<number> {
    await new Promise<void>((done) => this.server.listen(0, HOST, done));
    return (this.server.address() as AddressInfo).port;
  }

  async cut(ms: number): Promise<void> {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
    await delay(ms);
    this.isCut = false;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private join(socket: Socket): void {
    if (this.isCut) {
      socket.destroy();
      return;
    }
    const other = connect(this.target, HOST);
    for (const [one, its] of [
      [socket, other],
      [other, socket],
    ]) {
      this.sockets.add(one);
      one.pipe(its);
      one.on("error", () => its.destroy());
      one.on("close", () => {
        its.destroy();
        this.sockets.delete(one);
      });
    }
  }
}

export interface ToldLine {
  readonly kind: string;
  readonly label?: string;
}

export class WorkerProcess {
  readonly lines: ToldLine[] = [];
  readonly exited: Promise<number | null>;
  readonly child: ChildProcess;
  private rest = "";

  constructor(address: string, ...words: readonly string[]) {
    // Not by the launcher: a signal must reach the process itself.
    const main = join(ROOT, "dist/src/cli/main.js");
    const given = [main, "worker", "--queue", address, "--json", ...words];
    this.child = spawn(process.execPath, given, { stdio: ["ignore", "pipe", "inherit"] });
    this.exited = new Promise((done) => this.child.once("exit", done));
    this.child.stdout?.on("data", (data: Buffer) => this.take(data.toString()));
  }

  async told(kind: string): Promise<ToldLine> {
    for (;;) {
      const line = this.lines.find((one) => one.kind === kind);
      if (line !== undefined) return line;
      if (this.child.exitCode !== null) throw new Error(`the worker ended with ${this.child.exitCode}`);
      await delay(20);
    }
  }

  get done(): number {
    return this.lines.filter(({ kind }) => kind === "ended").length;
  }

  kill(): Promise<unknown> {
    this.child.kill("SIGKILL");
    return this.exited;
  }

  private take(text: string): void {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.lines.push(JSON.parse(line) as ToldLine);
  }
}

/** Item keys that a campaign has written down, in the order in which it did. */
export function journalled(project: string): readonly string[] {
  let text = "";
  try {
    text = readFileSync(join(project, ".tangent/campaign.journal"), "utf8");
  } catch {
    // Not begun.
  }
  // What a look or its time cut is written down, too, and again when it is done.
  const lines = text
    .split("\n")
    .slice(1)
    .filter((line) => !/"cutAfterMs":|"look":/.test(line));
  return lines.flatMap((line) => /^\{"item":"([^"]+)"/.exec(line)?.[1] ?? []);
}
