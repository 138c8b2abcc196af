// The server behind the page: answers a browser on this machine about one project. It reads the project's folder and changes
// nothing; the one thing that it does is to stop the campaign. No file is ever sent as it is: everything is made from what was
// read and looked at. access.ts says who may ask.
// With --ui it lives in the campaign's own process, and whoever can reach the port can say anything, token or not. So
// nothing that comes may end or starve that process: every listener that somebody else's bytes can call is contained (a
// mistake of ours is an answer 500), errors of sockets have a listener, and connections are counted.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ProjectFolder } from "../project/project-folder.js";
import type { ProjectState } from "../project/state-folder.js";
import { Access, newToken } from "./access.js";
import { readHistory } from "./history.js";
import { LiveFeed } from "./live-feed.js";
import { livePage } from "./live-page.js";
import { LIVE_SCRIPT } from "./live-script.js";
import { type Portion, ProjectData } from "./project-data.js";
import { CampaignStopper } from "./stop-campaign.js";

export interface UiOptions {
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
}

export const LOCAL_HOST = "127.0.0.1";
const DEFAULT_LIMIT = 100;
const MOST_LIMIT = 200;
const MOST_WORDS = 200;
/** Each costs a connection and a write a second. */
const MOST_WATCHERS = 32;
/** Each is one of the process's descriptors, and a campaign needs those. */
const MOST_CONNECTIONS = 128;

const SCRIPT_HASH = createHash("sha256").update(LIVE_SCRIPT).digest("base64");
/** Nothing from elsewhere, and no script but ours. Styles in attributes are the report's own. */
const PAGE_POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${SCRIPT_HASH}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
/** The report's page has its own besides. */
const REPORT_POLICY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; connect-src 'none'";
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

const HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Frame-Options": "DENY",
} as const;

const KINDS = {
  html: "text/html; charset=utf-8",
  json: "application/json; charset=utf-8",
  text: "text/plain; charset=utf-8",
};

export class UiServer {
  private readonly server: Server;
  private readonly data: ProjectData;
  private readonly stopper: CampaignStopper;
  private readonly feed: LiveFeed;
  private access: Access | null = null;

  constructor(
    private readonly folder: ProjectFolder,
    state: ProjectState,
    send?: (pid: number) => void,
  ) {
    this.data = new ProjectData(folder);
    this.stopper = new CampaignStopper(state, send);
    this.feed = new LiveFeed(folder, () => this.stopper.atWork);
    const limits = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 2_000 };
    this.server = createServer(limits, (request, response) => this.answer(request, response));
    // Whoever opens connections and says nothing.
    this.server.maxConnections = MOST_CONNECTIONS;
    // A connection that could not be accepted, say: without a listener it would end the process.
    this.server.on("error", () => {});
    // `Expect: 100-continue` announces a body; nobody else is waited for.
    this.server.on("checkContinue", (request, response) => this.answer(request, response));
    this.server.on("clientError", (_error, socket) => socket.destroy());
  }

  /** Gives the address to open. Throws what the system says. */
  async listen({ host, port }: UiOptions): Promise<string> {
    await new Promise<void>((done, failed) => {
      this.server.once("error", failed);
      this.server.listen(port, host, () => done());
    });
    const { port: taken } = this.server.address() as AddressInfo;
    this.access = new Access(newToken(), host, taken);
    const name = host.includes(":") ? `[${host}]` : host;
    return `http://${name}:${taken}/?token=${this.access.token}`;
  }

  /** Whoever watches is told the last state first. */
  async close(): Promise<void> {
    this.feed.close();
    await new Promise<void>((done) => {
      this.server.close(() => done());
      this.server.closeAllConnections();
    });
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    for (const stream of [request, response]) stream.on("error", () => response.destroy());
    try {
      // Nothing that is asked for here needs a body, and reading one that does not end would cost time.
      if (hasBody(request)) {
        response.setHeader("Connection", "close");
        response.on("finish", () => request.socket.destroySoon());
        say(response, 413, "a request has no body here");
      } else this.route(request, response);
    } catch (error) {
      // A link in the folder, a file that may not be read; or a mistake of ours, which must not end a campaign.
      if (response.headersSent) response.destroy();
      else say(response, 500, error instanceof Error ? error.message : String(error));
    }
  }

  private route(request: IncomingMessage, response: ServerResponse): void {
    const { access } = this;
    const { headers, method = "" } = request;
    if (access === null || !access.isOurName(headers)) {
      return say(response, 421, "this server does not answer to that name");
    }
    // Not parsed as an address, since much that is sent is none.
    const [pathname, ...search] = (request.url ?? "/").split("?");
    const searchParams = new URLSearchParams(search.join("?"));
    const wanted = pathname === "/stop" ? "POST" : "GET";
    if (method !== wanted) {
      response.setHeader("Allow", wanted);
      return say(response, 405, `only ${wanted} is answered here`);
    }
    if (method === "GET" && pathname === "/" && searchParams.has("token")) {
      if (!access.isToken(searchParams.get("token"))) return say(response, 403, NO_TOKEN);
      // The token stays neither in the address bar nor in the browser's history.
      response.writeHead(303, { ...HEADERS, "Set-Cookie": access.cookie, Location: "/" });
      response.end();
      return;
    }
    if (!access.hasCookie(headers)) return say(response, 403, NO_TOKEN);
    if (method === "POST") {
      if (!access.isOurPage(headers)) return say(response, 403, "only the page itself may stop a campaign");
      return give(response, this.stopper.stop(this.feed.runningPid));
    }
    this.get(pathname, searchParams, response);
  }

  private get(pathname: string, search: URLSearchParams, response: ServerResponse): void {
    const [, kind, id = "", ...more] = pathname.split("/");
    const isPlain = id === "" && more.length === 0;
    if (isPlain && kind === "") return send(response, 200, KINDS.html, livePage(this.folder.root), PAGE_POLICY);
    if (isPlain && kind === "events") return this.watch(response);
    if (isPlain && kind === "report") return this.report(response);
    if (isPlain && kind === "history") return give(response, readHistory(this.folder));
    if (isPlain && kind === "findings") {
      return give(response, this.data.findings(portionOf(search), this.feed.runningPid !== null));
    }
    if (isPlain && kind === "seeds") return give(response, this.data.seeds(portionOf(search)));
    const one =
      more.length > 0 ? null : kind === "finding" ? this.data.finding(id) : kind === "seed" ? this.data.seed(id) : null;
    if (one !== null) return give(response, one);
    say(response, 404, "there is no such thing here");
  }

  private watch(response: ServerResponse): void {
    if (this.feed.count >= MOST_WATCHERS) return say(response, 503, "too many pages watch already");
    response.writeHead(200, {
      ...HEADERS,
      "Content-Type": "text/event-stream",
      "Content-Security-Policy": DATA_POLICY,
    });
    response.on("close", () => this.feed.remove(response));
    this.feed.add(response);
  }

  private report(response: ServerResponse): void {
    const report = this.data.report();
    if ("page" in report) send(response, 200, KINDS.html, report.page, REPORT_POLICY);
    else say(response, 404, report.problem);
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || !["0", undefined].includes(headers["content-length"]);
}

const NO_TOKEN = "open the address that tangent has printed: it has a token that this request lacks";

/** Numbers that make no sense are as if they were not given. */
function portionOf(search: URLSearchParams): Portion {
  const number = (name: string, other: number, most: number): number => {
    const text = search.get(name) ?? "";
    return /^\d{1,9}$/.test(text) ? Math.min(Number(text), most) : other;
  };
  const limit = Math.max(1, number("limit", DEFAULT_LIMIT, MOST_LIMIT));
  return { offset: number("offset", 0, 999_999_999), limit, words: (search.get("q") ?? "").slice(0, MOST_WORDS) };
}

function give(response: ServerResponse, value: unknown): void {
  send(response, 200, KINDS.json, JSON.stringify(value), DATA_POLICY);
}

function say(response: ServerResponse, status: number, text: string): void {
  send(response, status, KINDS.text, `${text}\n`, DATA_POLICY);
}

function send(response: ServerResponse, status: number, type: string, text: string, policy: string): void {
  response.writeHead(status, { ...HEADERS, "Content-Type": type, "Content-Security-Policy": policy });
  response.end(text);
}
