// Who may talk to the page's server. A server on this machine can be reached by every page that the user's browser shows and by every
// user of the machine, so: whoever comes must know a token, which the command prints; the name that the browser believes
// to talk to must be ours (a name of somebody else's that leads to 127.0.0.1 is how pages get around the browser's rules);
// and what changes something must come from our own page.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { hostname } from "node:os";

const LOCAL_NAMES = ["127.0.0.1", "localhost", "[::1]"];
/** Every address of the machine. */
const ANYWHERE = ["0.0.0.0", "::"];

export function newToken(): string {
  return randomBytes(24).toString("base64url");
}

export class Access {
  constructor(
    readonly token: string,
    /** What the server listens on. */
    private readonly host: string,
    private readonly port: number,
  ) {}

  /** Whether the browser means us. */
  isOurName(headers: IncomingHttpHeaders): boolean {
    const given = /^(\[[0-9a-f:.]+\]|[A-Za-z0-9._-]+):(\d+)$/i.exec(headers.host ?? "");
    if (given === null || Number(given[2]) !== this.port) return false;
    const name = given[1].toLowerCase();
    if (LOCAL_NAMES.includes(name) || name === this.host.toLowerCase() || name === `[${this.host.toLowerCase()}]`) {
      return true;
    }
    // An address is no name that somebody could have led here.
    const isAddress = isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
    return ANYWHERE.includes(this.host) && (isAddress || name === hostname().toLowerCase());
  }

  /** Whether a request that changes something comes from our page, and not from another one that the browser shows. */
  isOurPage(headers: IncomingHttpHeaders): boolean {
    const { origin, host } = headers;
    return origin !== undefined && origin === `http://${host}`;
  }

  isToken(given: string | null): boolean {
    return given !== null && isSame(given, this.token);
  }

  hasCookie(headers: IncomingHttpHeaders): boolean {
    const name = `${this.cookieName}=`;
    const values = (headers.cookie ?? "").split(/; */).filter((one) => one.startsWith(name));
    return values.some((one) => isSame(one.slice(name.length), this.token));
  }

  /** For the browser to send from now on: to us alone, and not when another site's page leads here. */
  get cookie(): string {
    return `${this.cookieName}=${this.token}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Cookies are of a name, not of a port. */
  private get cookieName(): string {
    return `tangent-${this.port}`;
  }
}

/** In a time that says nothing about where they differ. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
