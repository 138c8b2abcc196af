// Where a queue is: redis://[USER[:PASSWORD]@]HOST[:PORT][/DB], or rediss:// for TLS. The password may come from the environment instead, because
// a command line can be seen by everybody on the machine.

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly database: number;
  readonly user: string | null;
  readonly password: string | null;
  readonly tls: boolean;
  /** For people: without the password. */
  readonly shown: string;
}

const PORT = 6379;
export const PASSWORD_VARIABLE = "TANGENT_QUEUE_PASSWORD";

/** `secret`: the password, if there is none in the text. Gives in words what is wrong. */
export function readAddress(text: string, secret: string | null): RedisAddress | string {
  const form = "an address such as redis://HOST:6379, redis://HOST/2 or rediss://HOST (with TLS)";
  const url = URL.canParse(text) ? new URL(text) : null;
  // What is wrong may have a password in it.
  if (url === null || !["redis:", "rediss:"].includes(url.protocol) || url.hostname === "") return `give ${form}`;
  const database = /^\/?(\d{0,5})$/.exec(url.pathname);
  if (database === null || url.search !== "" || url.hash !== "")
    return `give ${form}; what follows the host is strange`;
  const [user, password] = [unescaped(url.username), unescaped(url.password)];
  if (user === null || password === null) return "the user or the password is not written as a URL has it (%xx)";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? PORT : Number(url.port);
  const tls = url.protocol === "rediss:";
  const number = Number(database[1] || 0);
  return {
    host,
    port,
    database: number,
    user: user === "" ? null : user,
    password: password === "" ? secret : password,
    tls,
    shown: `${url.protocol}//${url.hostname}:${port}${number === 0 ? "" : `/${number}`}`,
  };
}

/** Nobody but this machine reaches it by that address. */
export function isLoopback({ host }: RedisAddress): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
