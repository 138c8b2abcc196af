// Bytes as words of a shell: for scripts, in what every POSIX sh understands; for people, in what bash and zsh do.
// Printable text is quoted as people would. Other bytes need printf in a script, since $'...' is not in every sh. A NUL
// cannot be in a word at all: callers cut there, as the kernel does.

import { isVisible } from "../support/visible-text.js";

const SAFE = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A line of a script that sets a variable to these bytes. The guard keeps newlines at the end, which $(...) drops. */
export function shellAssignment(name: string, bytes: Uint8Array): string {
  if (isPrintable(bytes)) return `${name}=${quoted(textOf(bytes))}`;
  return `${name}=$(printf '${printfFormat(bytes)}.'); ${name}=\${${name}%.}`;
}

/**
 * What printf's format must be for these bytes to come out: % doubled, everything that is no plain character in octal. So is a dash in front:
 * printf would take it for an option, and write nothing.
 */
export function printfFormat(bytes: Uint8Array): string {
  let text = "";
  for (const [at, byte] of bytes.entries()) {
    const char = String.fromCharCode(byte);
    const isPlain = byte >= 0x20 && byte < 0x7f && char !== "'" && char !== "\\" && (at > 0 || char !== "-");
    if (char === "%") text += "%%";
    else if (char === "\n") text += "\\n";
    else text += isPlain ? char : `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return text;
}

/** For people: one word of a command line that is these bytes. */
export function shownWord(bytes: Uint8Array): string {
  return isPrintable(bytes) ? quoted(textOf(bytes)) : `$'${escaped(bytes)}'`;
}

/** A word of a script. What looks otherwise than it is, is made by printf; a newline at its end is lost so. */
export function quoted(text: string): string {
  if (SAFE.test(text)) return text;
  return isVisible(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"$(printf '${printfFormat(Buffer.from(text))}')"`;
}

/** Only ASCII that looks on paper as it is. */
export function isPrintable(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

const ESCAPES: { readonly [byte: number]: string } = {
  9: "\\t",
  10: "\\n",
  13: "\\r",
  39: "\\'",
  92: "\\\\",
};

/** As the $'...' of shells writes bytes: at most two digits follow an \x there, so what comes next cannot run into it. */
export function escaped(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const known = ESCAPES[byte];
    if (known !== undefined) text += known;
    else if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
    else text += `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return text;
}
