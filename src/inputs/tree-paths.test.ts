import assert from "node:assert/strict";
import { test } from "node:test";
import { movedRoots, pathsIn, plainTree, TreeLinks } from "./tree-paths.js";

const link = (path: string, to: string) => ({ kind: "link", path, to });
const file = (path: string) => ({ kind: "file", path });

test("tree paths: links are followed as the kernel does, and what leads above the root is told", () => {
  const links = new TreeLinks([
    link("/a/l", "../b"),
    link("/abs", "/a"),
    link("/loop", "loop"),
    link("/up", "a/../.."),
  ]);
  assert.equal(links.resolved("/a/l/x", true), "/b/x");
  assert.equal(links.resolved("/a/l", false), "/a/l");
  assert.equal(links.resolved("/a/l/", false), "/a/l");
  assert.equal(links.resolved("/abs/l/../c", true), "/c");
  assert.equal(links.resolved("/loop", true), null);
  assert.equal(links.resolved("/up", true), null);
  assert.equal(links.resolved("/a/./b//c/..", true), "/a/b");
  assert.ok(links.staysInside("/a/l", "../b"));
  assert.ok(links.staysInside("/a/new", "/etc/passwd"));
  assert.ok(!links.staysInside("/up", "a/../.."));
  assert.ok(!links.staysInside("/a/new", "../../etc"));
});

test("tree paths: a link whose place is named through another link is known by its real place", () => {
  const hostile = [link("/w/l", "/"), link("/w/l/p/q/x", "/"), link("/c", "/p/q/x/../secret"), file("/w/l/f")];
  const { entries, links } = plainTree(hostile);
  assert.deepEqual(entries.map(({ path }) => path).sort(), ["/c", "/f", "/p/q/x", "/w/l"]);
  assert.ok(
    !links.staysInside("/c", "/p/q/x/../secret"),
    "its dots lead out, because the link before them leads to the root",
  );
  const out = plainTree([file("/../x"), file("/a/b"), file("/a/b"), link("/a/z\0", "x")]);
  assert.deepEqual(out.dropped, ["/../x", "/a/z\0"]);
  assert.equal(out.entries.length, 1);
});

test("tree paths: absolute paths in words are found where they begin", () => {
  const roots = movedRoots("/tmp/w/sub", ["/tmp/w/a", "/tmp/w/d/e", "/data"]);
  assert.deepEqual(roots, ["/data", "/tmp/w"]);
  assert.deepEqual(pathsIn("/tmp/w/a", roots), [0]);
  assert.deepEqual(pathsIn("--file=/tmp/w/a", roots), [7]);
  assert.deepEqual(pathsIn("-f/tmp/w/a", roots), [2]);
  assert.deepEqual(pathsIn("PATH=/bin:/tmp/w:/data", roots), [10, 17]);
  assert.deepEqual(pathsIn("x/tmp/w/a", roots), []);
  assert.deepEqual(pathsIn("/tmp/work", roots), []);
  assert.deepEqual(pathsIn("../tmp/w", roots), []);
  assert.deepEqual(pathsIn("", roots), []);
  assert.deepEqual(movedRoots("/", []), []);
});
