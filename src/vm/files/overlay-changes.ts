// What a run has changed, read from the overlay when it is over: files written or made, directories, links, names that
// are gone. Asked for by those who compare two runs; a run that nobody asks pays nothing for it.

import { MADE_DEVICE, TYPE } from "./open-file.js";
import { DirectoryNode, type FileNode, type OverlayNode } from "./overlay-nodes.js";
import { joinPath, type OverlayTree } from "./overlay-tree.js";

export interface FileChange {
  /** Absolute, one character a byte. */
  readonly path: string;
  readonly kind: "file" | "directory" | "link" | "other" | "removed";
  /** Of a file what it holds, of a link where it leads; at most `CONTENT_LIMIT` bytes. */
  readonly bytes: Uint8Array;
  /** All of its bytes. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
}

/** A file may be made as large as a number can say; nobody wants to see more of it. */
const CONTENT_LIMIT = 0x40_0000;
const NOTHING = new Uint8Array(0);

/** How the overlay differs from the disk below it, by path. */
export function overlayChanges(tree: OverlayTree): ReadonlyMap<string, FileChange> {
  const changes = new Map<string, FileChange>();
  const add = (change: FileChange): void => {
    changes.set(change.path, change);
  };
  const pending: DirectoryNode[] = [tree.root];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const [name, node] of directory.children) {
      const path = joinPath(directory.path(), name);
      if (node === null) {
        if (tree.isOnDisk(directory, name)) add({ path, kind: "removed", bytes: NOTHING, size: 0, mode: 0 });
        continue;
      }
      if (node.device === MADE_DEVICE) continue;
      if (node instanceof DirectoryNode) pending.push(node);
      if (differs(node, path)) add(changeOf(node, path));
    }
  }
  // A file that was written where it lies is known by its inode, and is in no directory of ours.
  for (const node of tree.knownFiles()) {
    const path = node.host;
    if (path === null || changes.has(path) || !differs(node, path)) continue;
    const located = tree.locate(path, false);
    if (typeof located !== "number" && located.node === node) add(changeOf(node, path));
  }
  return changes;
}

/** What became of things between two states of one overlay; by path, in order. */
export function changesBetween(
  before: ReadonlyMap<string, FileChange>,
  after: ReadonlyMap<string, FileChange>,
): readonly FileChange[] {
  const list: FileChange[] = [];
  for (const change of after.values()) {
    const was = before.get(change.path);
    if (was === undefined || !isSame(was, change)) list.push(change);
  }
  for (const { path, kind } of before.values()) {
    if (kind !== "removed" && !after.has(path)) list.push({ path, kind: "removed", bytes: NOTHING, size: 0, mode: 0 });
  }
  return list.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function isSame(a: FileChange, b: FileChange): boolean {
  return a.kind === b.kind && a.size === b.size && a.mode === b.mode && Buffer.compare(a.bytes, b.bytes) === 0;
}

function differs(node: OverlayNode, path: string): boolean {
  if (node.host !== path) return true;
  if (node.kind === "file" && node.isWritten) return true;
  if (node.attributes === null) return false;
  const below = node.origin?.view.status(path);
  return typeof below !== "object" || below.mode !== node.attributes.mode;
}

function changeOf(node: OverlayNode, path: string): FileChange {
  const status = node.status();
  const mode = typeof status === "number" ? 0 : status.mode & ~TYPE.mask;
  switch (node.kind) {
    case "file":
      return { path, kind: "file", bytes: contentOf(node), size: node.size(), mode };
    case "directory":
      return { path, kind: "directory", bytes: NOTHING, size: 0, mode };
    case "symlink": {
      const bytes = Buffer.from(node.target, "latin1");
      return { path, kind: "link", bytes, size: bytes.length, mode };
    }
    default:
      return { path, kind: "other", bytes: NOTHING, size: 0, mode };
  }
}

function contentOf(node: FileNode): Uint8Array {
  const bytes = new Uint8Array(Math.min(node.size(), CONTENT_LIMIT));
  let at = 0;
  while (at < bytes.length) {
    const count = node.read(bytes.subarray(at), at);
    if (count <= 0) break;
    at += count;
  }
  return bytes.subarray(0, at);
}
