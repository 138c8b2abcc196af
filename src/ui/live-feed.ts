// Tells every page that watches what the campaign does: looks at the campaign's file a few times a second as long as somebody
// watches, and sends it when it has changed, as server-sent events. A page that comes gets the state at once.

import { statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import type { ProjectFolder } from "../project/project-folder.js";
import { reasonInWords } from "../report/html/not-explored-section.js";
import { LIVE_NAME, type LiveState, type ReadLive, readLive } from "./live-state.js";

const LOOK_MS = 400;
/** Proxies and browsers end a connection on which nothing happens. */
const COMMENT_MS = 15_000;
/** Of a page that does not read what it is sent. */
const MOST_UNSENT_BYTES = 16 << 20;

/** What holds the project's lock. */
export interface AtWork {
  readonly pid: number;
  readonly command: string;
  readonly isStopping: boolean;
}

/** One event, as the page gets it. */
interface LiveEvent {
  readonly live: LiveState | null;
  /** The campaign of `live` goes on. */
  readonly isRunning: boolean;
  /** A command that works on the project, and may be before or after its campaign. */
  readonly command: string | null;
  readonly isStopping: boolean;
  /** Of the reasons for which something was left out: what they mean. */
  readonly why: Readonly<Record<string, string>>;
  /** Why there is no `live`. */
  readonly problem: string | null;
}

export class LiveFeed {
  private readonly watchers = new Set<ServerResponse>();
  private looker: NodeJS.Timeout | null = null;
  private commenter: NodeJS.Timeout | null = null;
  private last = "";
  private kept: { readonly stamp: string; readonly read: ReadLive } | null = null;

  constructor(
    private readonly folder: ProjectFolder,
    private readonly atWork: () => AtWork | null,
  ) {}

  get count(): number {
    this.forgetGone();
    return this.watchers.size;
  }

  /** The process whose campaign goes on; null if none does. */
  get runningPid(): number | null {
    const { live, isRunning } = this.now();
    return live !== null && isRunning ? live.pid : null;
  }

  add(watcher: ServerResponse): void {
    // Those who watch already get the same.
    this.look();
    this.watchers.add(watcher);
    watcher.write(`retry: 2000\n\n${this.last}`);
    this.looker ??= setInterval(() => this.look(), LOOK_MS).unref();
    this.commenter ??= setInterval(() => this.tell(": still here\n\n"), COMMENT_MS).unref();
  }

  remove(watcher: ServerResponse): void {
    this.watchers.delete(watcher);
    if (this.watchers.size > 0) return;
    if (this.looker !== null) clearInterval(this.looker);
    if (this.commenter !== null) clearInterval(this.commenter);
    this.looker = null;
    this.commenter = null;
  }

  /** The server ends; the pages are told so, and do not come back. */
  close(): void {
    this.look();
    for (const watcher of [...this.watchers]) {
      watcher.end("event: gone\ndata: {}\n\n");
      this.remove(watcher);
    }
  }

  private look(): void {
    const text = this.text();
    if (text === this.last) return;
    this.last = text;
    this.tell(text);
  }

  private tell(text: string): void {
    this.forgetGone();
    for (const watcher of this.watchers) watcher.write(text);
  }

  /** An answer that still waits for its turn on a connection is never told that this has closed. */
  private forgetGone(): void {
    for (const watcher of [...this.watchers]) {
      if (watcher.writableLength > MOST_UNSENT_BYTES) watcher.destroy();
      if (watcher.destroyed || watcher.req.socket.destroyed) this.remove(watcher);
    }
  }

  private text(): string {
    return `event: live\ndata: ${JSON.stringify(this.now())}\n\n`;
  }

  private now(): LiveEvent {
    const { read, holder } = this.read();
    const live = read.kind === "live" ? read.live : null;
    return {
      live,
      isRunning: live !== null && live.state === "running" && holder?.pid === live.pid,
      command: holder?.command ?? null,
      isStopping: holder?.isStopping ?? false,
      why: Object.fromEntries(Object.keys(live?.notExplored ?? {}).map((reason) => [reason, reasonInWords(reason)])),
      problem: read.kind === "wrong" ? read.message : null,
    };
  }

  /** Whatever is wrong with the files is told: this is called by a timer, where what is thrown would end the process. */
  private read(): { readonly read: ReadLive; readonly holder: AtWork | null } {
    try {
      const path = this.folder.known(LIVE_NAME);
      const status = statSync(path, { throwIfNoEntry: false });
      const stamp = status === undefined ? "" : `${status.ino} ${status.size} ${status.mtimeMs}`;
      // A large file that is wrong is looked at once.
      if (this.kept?.stamp !== stamp) this.kept = { stamp, read: readLive(path) };
      return { read: this.kept.read, holder: this.atWork() };
    } catch (error) {
      return { read: { kind: "wrong", message: String(error) }, holder: null };
    }
  }
}
