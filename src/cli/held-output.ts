// With --quiet, what a project's own build and tests print is held back, and shown only if they fail: then its end, where as a rule the reason
// is. It is held in a file that has no name any more, not in a pipe: something that the tests leave running would keep a pipe open, and we
// would wait for its end.

import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PRIVATE_FILE } from "../support/private-modes.js";

const SHOWN_LINES = 40;
const SHOWN_BYTES = 16_384;

export class HeldOutput {
  /** Whoever writes to it writes to its end. */
  readonly file: number;

  constructor() {
    const directory = mkdtempSync(join(tmpdir(), "tangent-held-"));
    try {
      this.file = openSync(join(directory, "output"), "a+", PRIVATE_FILE);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }

  /** Its last lines; it cannot be written to afterwards. */
  end(): string {
    const { size } = fstatSync(this.file);
    const bytes = Buffer.alloc(Math.min(size, SHOWN_BYTES));
    const count = readSync(this.file, bytes, 0, bytes.length, size - bytes.length);
    closeSync(this.file);
    return lastLines(bytes.subarray(0, count).toString("utf8"));
  }
}

/** Empty, or ends with a newline. */
export function lastLines(text: string): string {
  const lines = text.slice(-SHOWN_BYTES).trimEnd().split("\n");
  const shown = lines.slice(-SHOWN_LINES).join("\n");
  return shown === "" ? "" : `${shown}\n`;
}
