// Reading a file whose name, or whose place, somebody else has chosen. A link that came with a repository may lead to /dev/zero, which
// has no end, or to a pipe that nobody writes to; a name in a test that was sent may be such a thing itself. So only
// regular files are read, of a size that memory can hold, and nothing is waited for.

import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

export interface ReadingRules {
  /** A symbolic link in the place of the file is refused. */
  readonly noLink?: boolean;
  readonly mostBytes?: number;
}

/** About what Node puts into one buffer. */
const MOST_BYTES = 0x7fff_ffff;

/** Throws what the system would: an error with a code and the path. */
export function readRegularFile(path: string, { noLink = false, mostBytes = MOST_BYTES }: ReadingRules = {}): Buffer {
  const { O_RDONLY, O_NONBLOCK, O_NOCTTY, O_NOFOLLOW } = constants;
  const file = openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | (noLink ? O_NOFOLLOW : 0));
  try {
    const status = fstatSync(file);
    if (status.isDirectory()) throw refusal("EISDIR", path, "is a directory");
    if (!status.isFile()) throw refusal("EINVAL", path, "is not a regular file");
    if (status.size > mostBytes) {
      throw refusal("EFBIG", path, `has ${status.size} bytes, and at most ${mostBytes} are read`);
    }
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function refusal(code: string, path: string, what: string): Error {
  return Object.assign(new Error(`'${path}' ${what}`), { code, syscall: "read" });
}
