// Where the demo works: in the same folder each time. What a program was compiled from has its path in it (debug information), so that in
// a new folder everything would be translated anew, at every start. It is below the folder for temporary files, where others may write too:
// only a folder that is ours, and in which no other demo is at work, is emptied; else there is a new one.

import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive, isIdentity, ownIdentity } from "../project/process-identity.js";
import { PRIVATE_FILE, PRIVATE_FOLDER } from "../support/private-modes.js";

const NAME = "tangent-demo";
/** Says who is at work in it. */
const OWNER = "owner.json";
const OTHERS_MAY_WRITE = 0o022;

/** Empty but for a note of ours. */
export function demoFolder(parent: string = tmpdir()): string {
  const usual = join(parent, `${NAME}-${process.getuid?.() ?? "user"}`);
  const folder = isFree(usual) ? usual : mkdtempSync(join(parent, `${NAME}-`));
  if (folder === usual) {
    rmSync(usual, { recursive: true, force: true });
    mkdirSync(usual, { mode: PRIVATE_FOLDER });
  }
  writeFileSync(join(folder, OWNER), JSON.stringify(ownIdentity()), { mode: PRIVATE_FILE });
  return folder;
}

/** Not there, or left behind by a demo of this user's. */
function isFree(path: string): boolean {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return true;
  if (!status.isDirectory() || status.uid !== process.getuid?.() || (status.mode & OTHERS_MAY_WRITE) !== 0)
    return false;
  try {
    const owner: unknown = JSON.parse(readFileSync(join(path, OWNER), "utf8"));
    return isIdentity(owner) && !isAlive(owner);
  } catch {
    return false;
  }
}
