// A shell script that is being written: words, paths below a fresh directory that it calls $dir, and contents of files.
// Text is written as text, in here-documents that nothing in them can end; bytes with printf, many bytes with base64.
// Whatever the bytes are, none of them is read by the shell.

import { escaped, isPrintable, printfFormat, quoted, shellAssignment } from "./shell-words.js";

/** One character a byte; what is more than that is text. */
export function bytesOf(text: string): Buffer {
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) > 0xff) return Buffer.from(text.replaceAll("\0", ""));
  return Buffer.from(text.replaceAll("\0", ""), "latin1");
}

/** Bytes that printf writes in one line; base64 above that. */
const PRINTF_BYTES = 200;
const BASE64_COLUMNS = 76;

export class ShellScript {
  private readonly lines: string[] = [];
  private names = 0;

  add(...lines: readonly string[]): void {
    this.lines.push(...lines);
  }

  /** A definition that several places need. */
  addOnce(line: string): void {
    if (!this.lines.includes(line)) this.lines.push(line);
  }

  comment(text: string): void {
    const plain = text.replace(/[^\x20-\x7e]/g, (char) => escaped(bytesOf(char)));
    this.lines.push(plain === "" ? "#" : `# ${plain}`);
  }

  /** Sets a variable; gives the word that stands for it. */
  variable(name: string, bytes: Uint8Array): string {
    this.lines.push(shellAssignment(name, bytes));
    return `"$${name}"`;
  }

  /** `guard` is put before a word that looks like an option. */
  word(bytes: Uint8Array, guard: string): string {
    const text = Buffer.from(bytes).toString("latin1");
    if (isPrintable(bytes)) return quoted(text.startsWith("-") ? `${guard}${text}` : text);
    this.names++;
    return this.variable(`name${this.names}`, bytes);
  }

  /** A path below the fresh directory; relative if it lies below where the script is by then. */
  path(path: string, cwd: string | null = null): string {
    const short = cwd === "" ? path : cwd !== null && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : null;
    if (short !== null && isPrintable(bytesOf(short))) return quoted(short.startsWith("-") ? `./${short}` : short);
    const inside = cwd === null ? path : `in/${path}`;
    const plain = inside.replace(/\/+$/, "");
    return `"$dir"/${this.word(bytesOf(plain), "")}`;
  }

  /** The bytes as the content of a file. */
  write(bytes: Buffer, target: string): void {
    if (bytes.length === 0) this.lines.push(`: >${target} || exit 99`);
    else if (isText(bytes)) this.document("cat", bytes.toString("latin1"), target);
    else if (bytes.length <= PRINTF_BYTES) this.lines.push(`printf '${printfFormat(bytes)}' >${target} || exit 99`);
    else {
      const coded = bytes.toString("base64").replace(new RegExp(`.{${BASE64_COLUMNS}}`, "g"), "$&\n");
      this.document("base64 -d", coded.endsWith("\n") ? coded : `${coded}\n`, target);
    }
  }

  private document(command: string, text: string, target: string): void {
    const lines = text.slice(0, -1).split("\n");
    let end = "EOF";
    while (lines.includes(end)) end += "_";
    this.lines.push(`${command} >${target} <<'${end}' || exit 99`, ...lines, end);
  }

  text(): string {
    return `${this.lines.join("\n")}\n`;
  }
}

/** Lines of what is on everybody's keyboard, the last one ended too. */
function isText(bytes: Buffer): boolean {
  return (
    bytes[bytes.length - 1] === 0x0a &&
    bytes.every((byte) => byte === 9 || byte === 10 || (byte >= 0x20 && byte < 0x7f))
  );
}
