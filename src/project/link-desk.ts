// Where programs are told of that are linked while tests are recorded (frontend/recorded-link.ts): a socket that only this user can reach,
// named in the tests' environment. The linker's caller waits until the connection is closed: then a stand-in is in the program's place.
//
// Whatever comes over the socket is a path that may be looked at, no more: what is replaced is a program of ours, where one is wanted.

import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RECORDING } from "../frontend/recorded-link.js";
import type { ProjectState } from "./state-folder.js";

/** What the name of a socket may have, in bytes. */
const LONGEST_SOCKET_NAME = 107;
/** No path is longer, however it is written. */
const MOST_TEXT = 0x8000;

export class LinkDesk {
  /** Programs that have got a stand-in here, in order. */
  readonly linked: string[] = [];
  /** Why some have not. */
  readonly problems: string[] = [];
  private server: Server | null = null;
  private folder: string | null = null;

  /** `install`: false if the program is not wanted. */
  constructor(private readonly install: (program: string) => boolean) {}

  /** Gives what the tests' environment needs; nothing if there can be no socket. */
  async open(state: ProjectState): Promise<NodeJS.ProcessEnv> {
    let path = join(state.directory("links"), `${process.pid}`);
    if (Buffer.byteLength(path) > LONGEST_SOCKET_NAME) {
      this.folder = mkdtempSync(join(tmpdir(), "tangent-links-"));
      path = join(this.folder, "socket");
    }
    rmSync(path, { force: true });
    const server = createServer((socket) => this.answer(socket));
    this.server = server;
    const isOpen = await new Promise<boolean>((done) => {
      server.once("error", () => done(false));
      server.listen(path, () => done(true));
    });
    return isOpen ? { [RECORDING]: path } : {};
  }

  close(): void {
    this.server?.close();
    if (this.folder !== null) rmSync(this.folder, { recursive: true, force: true });
  }

  private answer(socket: Socket): void {
    let text = "";
    socket.setEncoding("utf8");
    socket.on("error", () => {});
    socket.on("data", (piece: string) => {
      text += piece;
      const end = text.indexOf("\n");
      if (end < 0 && text.length <= MOST_TEXT) return;
      if (end >= 0) this.take(text.slice(0, end));
      socket.destroy();
    });
  }

  private take(line: string): void {
    let program: unknown;
    try {
      program = JSON.parse(line);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return;
    }
    if (typeof program !== "string") return;
    try {
      if (this.install(program)) this.linked.push(program);
    } catch (error) {
      // A full disk, or a program that is gone again: the tests go on without being recorded.
      if (!(error instanceof Error) || !("syscall" in error)) throw error;
      this.problems.push(`${program} was linked by the tests, and cannot be recorded: ${error.message}`);
    }
  }
}
