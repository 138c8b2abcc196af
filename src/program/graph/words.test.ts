import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, describe, it } from "node:test";
import { SYMBOLIC_COMPILE_OPTIONS } from "../../jit/options.js";
import { countedBodies } from "../counted-bodies.js";
import { loadProgram } from "../load.js";
import { loadLinkedProgram } from "../load-linked.js";
import { programWords } from "./words.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-words-"));
after(() => rmSync(folder, { recursive: true }));

/** By kind and text: the argument, and the comments `// >name` of the lines that the word leads to. */
type Found = ReadonlyMap<string, { readonly argument: string; readonly leadsTo: readonly string[] }>;

let made = 0;
async function wordsOf(source: string): Promise<Found> {
  const file = join(folder, `words-${made++}.c`);
  writeFileSync(file, source);
  const options = { env: process.env, clang: null, flags: ["-g"], compile: SYMBOLIC_COMPILE_OPTIONS };
  const loaded = await loadProgram([file], options);
  assert.ok(loaded.kind === "loaded", loaded.kind === "failed" ? loaded.message : "");
  const linked = await loadLinkedProgram([file], options);
  assert.ok(linked.kind === "linked", linked.kind === "failed" ? linked.message : "");
  const { image } = loaded;
  const bodies = countedBodies(linked.program, linked.layout, options.compile, image);
  const lines = source.split("\n");
  const labelsOf = (block: number): string[] => {
    const { locations, successors } = image.coverage[block];
    // A side of a branch that has no code of its own.
    if (locations.length === 0) return successors.flatMap(labelsOf);
    for (const first of locations) {
      for (let at = first; at >= 0; at = image.locations[at].inlinedAt) {
        const label = / > ([a-z]+)$/.exec(lines[image.locations[at].line - 1] ?? "")?.[1];
        if (label !== undefined && image.locations[at].file.endsWith(basename(file))) return [label];
      }
    }
    return [];
  };
  return new Map(
    programWords(bodies, linked.program, linked.layout).map(({ kind, text, argument, leadsTo }) => [
      `${kind} ${text}`,
      { argument, leadsTo: [...new Set(leadsTo.flatMap(labelsOf))].sort() },
    ]),
  );
}

const SIDE = 'extern int puts(const char *); static int seen; static void note(int n) { seen += n; puts("x"); }';

describe("a program's words", () => {
  it("options of getopt_long: names, arguments, and the case of each", async () => {
    const words = await wordsOf(`#include <getopt.h>
${SIDE}
static int flag;
static struct option const table[] = {
  {"alpha", no_argument, 0, 'a'},
  {"beta", required_argument, 0, 'b'},
  {"gamma", optional_argument, 0, 300},
  {"delta", no_argument, &flag, 1},
  {0, 0, 0, 0}
};
int main(int argc, char **argv) {
  int c;
  while ((c = getopt_long(argc, argv, "+ab:x::", table, 0)) != -1) {
    switch (c) {
      case 'a': note(1); break; // > alpha
      case 'b': note(2); break; // > beta
      case 300: note(3); break; // > gamma
      default: return 2; // > other
    }
    if (c == 'x') note(4); // > ex
  }
  return flag;
}`);
    assert.deepEqual(words.get("short-option a"), { argument: "none", leadsTo: ["alpha"] });
    assert.deepEqual(words.get("short-option b"), { argument: "required", leadsTo: ["beta"] });
    assert.deepEqual(words.get("short-option x"), { argument: "optional", leadsTo: ["ex"] });
    assert.deepEqual(words.get("long-option alpha"), { argument: "none", leadsTo: ["alpha"] });
    assert.deepEqual(words.get("long-option beta"), { argument: "required", leadsTo: ["beta"] });
    assert.deepEqual(words.get("long-option gamma"), { argument: "optional", leadsTo: ["gamma"] });
    assert.deepEqual(words.get("long-option delta"), { argument: "none", leadsTo: [] });
    assert.equal(words.has("short-option +"), false);
    assert.equal(words.has("table alpha"), false, "a table of options is not looked at twice");
  });

  it("options whose result goes through functions, with a table on the stack and a text from a variable", async () => {
    const words = await wordsOf(`#include <getopt.h>
${SIDE}
const char *letters = "qr:";
__attribute__((noinline)) static int next(int argc, char **argv) {
  struct option table[] = {{"quick", 0, 0, 'q'}, {"rest", 1, 0, 'r'}, {0, 0, 0, 0}};
  return getopt_long(argc, argv, letters, table, 0);
}
__attribute__((noinline)) static void handle(int option) {
  switch (option) {
    case 'q': note(1); break; // > quick
    case 'r': note(2); break; // > rest
  }
}
int main(int argc, char **argv) {
  for (int c = next(argc, argv); c >= 0; c = next(argc, argv)) handle(c);
  return seen;
}`);
    assert.deepEqual(words.get("short-option q"), { argument: "none", leadsTo: ["quick"] });
    assert.deepEqual(words.get("short-option r"), { argument: "required", leadsTo: ["rest"] });
    assert.deepEqual(words.get("long-option rest"), { argument: "required", leadsTo: ["rest"] });
  });

  it("options whose text is made while the program runs are taken from the cases", async () => {
    const words = await wordsOf(`#include <getopt.h>
#include <string.h>
${SIDE}
int main(int argc, char **argv) {
  char letters[8];
  letters[0] = argv[0][0]; letters[1] = 0;
  strcat(letters, argv[0]);
  switch (getopt(argc, argv, letters)) {
    case 'm': note(1); break; // > em
    case '?': return 2;
  }
  return seen;
}`);
    assert.deepEqual(words.get("short-option m"), { argument: "unknown", leadsTo: ["em"] });
    assert.equal(words.has("short-option ?"), false);
  });

  it("options of argp, with the parser's cases, aliases and children", async () => {
    const words = await wordsOf(`${SIDE}
struct argp_option { const char *name; int key; const char *arg; int flags; const char *doc; int group; };
struct argp_child { const struct argp *argp; int flags; const char *header; int group; };
struct argp { const struct argp_option *options; int (*parser)(int, char *, void *); const char *args_doc;
  const char *doc; const struct argp_child *children; void *filter; const char *domain; };
static int inner(int key, char *arg, void *state) {
  if (key == 301) note(5); // > deep
  return 0;
}
static const struct argp_option deeper[] = {{"deep", 301, 0, 0, "d", 0}, {0}};
static const struct argp child = {deeper, inner};
static const struct argp_child children[] = {{&child}, {0}};
static int parse(int key, char *arg, void *state) {
  switch (key) {
    case 'v': note(1); break; // > verbose
    case 256: note(2); break; // > level
    default: return 7;
  }
  return 0;
}
static const struct argp_option options[] = {
  {"verbose", 'v', 0, 0, "more", 0}, {"noisy", 0, 0, 4, 0, 0},
  {0, 0, 0, 0, "A heading:", 2}, {"level", 256, "N", 1, "how much", 0}, {"output", 'o', "FILE", 0, "where", 0}, {0}
};
static const struct argp argp = {options, parse, 0, 0, children};
__attribute__((noinline)) int argp_parse(const struct argp *a, int argc, char **argv, unsigned f, int *i, void *s) {
  return a->parser(argc, argv[0], s) + (a->children ? a->children->argp->parser(argc, argv[0], s) : 0);
}
int main(int argc, char **argv) { return argp_parse(&argp, argc, argv, 0, 0, 0); }`);
    assert.deepEqual(words.get("long-option verbose"), { argument: "none", leadsTo: ["verbose"] });
    assert.deepEqual(words.get("short-option v"), { argument: "none", leadsTo: ["verbose"] });
    assert.deepEqual(words.get("long-option noisy"), { argument: "none", leadsTo: ["verbose"] });
    assert.deepEqual(words.get("long-option level"), { argument: "optional", leadsTo: ["level"] });
    assert.deepEqual(words.get("short-option o"), { argument: "required", leadsTo: [] });
    assert.deepEqual(words.get("long-option deep"), { argument: "none", leadsTo: ["deep"] });
  });

  it("tables of texts, of texts beside functions, and of texts beside numbers; not sentences", async () => {
    const words = await wordsOf(`${SIDE}
static int name(char *arg) { note(1); return 1; } // > name
static int size(char *arg) { note(2); return 2; } // > size
struct row { int type; const char *word; int (*parse)(char *); };
static struct row rows[] = {{1, "name", name}, {2, "size", size}, {0, 0, 0}};
static const char *const colours[] = {"red", "green", "this is one for people", 0};
static const struct { const char *text; int n; } levels[] = {{"low", 1}, {"high", 2}};
static const struct { char text[8]; int n; } inside[] = {{"mon", 1}, {"tue", 2}};
int main(int argc, char **argv) {
  for (struct row *at = rows; at->word; at++) if (at->word[0] == argv[0][0]) return at->parse(argv[1]);
  puts(colours[argc]); puts(levels[argc].text); puts(inside[argc].text);
  return 0;
}`);
    assert.deepEqual(words.get("table name"), { argument: "unknown", leadsTo: ["name"] });
    assert.deepEqual(words.get("table size"), { argument: "unknown", leadsTo: ["size"] });
    for (const text of ["red", "green", "low", "high", "mon", "tue"]) assert.ok(words.has(`table ${text}`), text);
    assert.equal(words.has("table this is one for people"), false);
  });

  it("texts that are compared with, and the side where they are equal", async () => {
    const words = await wordsOf(`#include <string.h>
#include <strings.h>
#include <stdlib.h>
${SIDE}
__attribute__((noinline)) static int same(const char *a, const char *b) { return strcmp(a, b) == 0; }
int main(int argc, char **argv) {
  const char *s = argv[1];
  if (strcmp(s, "equal") == 0) note(1); // > equal
  else if (!strncmp("prefixed", s, 3)) note(2); // > prefix
  if (strcasecmp(s, "any") != 0) puts("no"); // > no
  else note(3); // > any
  if (strstr(s, "inner")) note(4); // > inner
  if (memcmp(s, "first", 5) && strcmp(s, "second")) return 2; // > neither
  note(5); // > both
  if (same(s, "wrapped")) note(6); // > wrapped
  if (same(s, "other")) note(7); // > other
  if (getenv("WORDS_MODE") != 0) note(8); // > mode
  return strcmp(s, "order") < 0 ? seen : 3;
}`);
    const leads = (key: string): readonly string[] | undefined => words.get(key)?.leadsTo;
    assert.deepEqual(leads("compared equal"), ["equal"]);
    assert.deepEqual(leads("compared pre"), ["prefix"]);
    assert.deepEqual(leads("compared any"), ["any"]);
    assert.deepEqual(leads("compared inner"), ["inner"]);
    assert.deepEqual(leads("compared first"), ["both"]);
    assert.deepEqual(leads("compared second"), ["both"]);
    assert.deepEqual(leads("compared wrapped"), ["wrapped"]);
    assert.deepEqual(leads("compared other"), ["other"]);
    assert.deepEqual(leads("compared order"), []);
    assert.deepEqual(leads("variable WORDS_MODE"), ["mode"]);
  });

  it("words of a table that something is looked up in lead to where it is found", async () => {
    const words = await wordsOf(`#include <string.h>
${SIDE}
static struct { const char *name; int value; const char *help; } table[] = {
  {"tree", 1, "the tree"}, {"stat", 2, "calls of stat"}, {"rates", 4, "how often"},
};
static const char *const names[] = {"never", "always", 0};
static struct pair { const char *name; int value; } pairs[] = {{"posix", 1}, {"emacs", 2}, {0, 0}};
int main(int argc, char **argv) {
  char *word = argc > 1 ? argv[1] : "";
  int i;
  for (i = 0; i < 3; i++)
    if (strcmp(table[i].name, word) == 0) {
      note(table[i].value); // > row
      break;
    }
  for (i = 0; names[i]; i++)
    if (!strcmp(word, names[i]))
      note(8); // > name
  for (struct pair *p = pairs; p->name; p++)
    if (!strcmp(word, p->name))
      note(16); // > pair
  return seen;
}`);
    for (const text of ["tree", "stat", "rates"]) assert.deepEqual(words.get(`table ${text}`)?.leadsTo, ["row"], text);
    for (const text of ["never", "always"]) assert.deepEqual(words.get(`table ${text}`)?.leadsTo, ["name"], text);
    for (const text of ["posix", "emacs"]) assert.deepEqual(words.get(`table ${text}`)?.leadsTo, ["pair"], text);
    assert.deepEqual(words.get("table the tree")?.leadsTo, []);
  });

  it("single characters that are switched or branched on; not all letters of an alphabet", async () => {
    const words = await wordsOf(`#include <stdio.h>
${SIDE}
int main(int argc, char **argv) {
  switch (argv[1][0]) {
    case 'p': note(1); break; // > print
    case 'd': note(2); break; // > delete
    case '{': note(3); break; // > group
    case '\\n': break;
  }
  if (argv[1][1] == '=') note(4); // > equals
  switch (getchar()) {
    case 'A': case 'B': case 'C': case 'D': case 'E': case 'F': case 'G': case 'H': case 'I': case 'J': case 'K':
    case 'L': case 'M': case 'N': case 'O': case 'P': case 'Q': case 'R': case 'S': note(5);
  }
  return seen;
}`);
    assert.deepEqual(words.get("compared p")?.leadsTo, ["print"]);
    assert.deepEqual(words.get("compared {")?.leadsTo, ["group"]);
    assert.deepEqual(words.get("compared =")?.leadsTo, ["equals"]);
    assert.equal(words.has("compared A"), false);
  });
});
