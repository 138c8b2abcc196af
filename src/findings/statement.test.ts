import assert from "node:assert/strict";
import { test } from "node:test";
import { type AccessStatement, accessAt, type Statement, statementAt } from "./statement.js";

/** `@` marks the position; the function begins at the line that begins with `int f`. */
function marked(source: string): readonly [{ text: string; firstLine: number }, { line: number; column: number }] {
  const before = source.slice(0, source.indexOf("@")).split("\n");
  const text = source.replace("@", "");
  const firstLine = text.split("\n").findIndex((line) => line.startsWith("int f")) + 1;
  return [
    { text, firstLine: Math.max(1, firstLine) },
    { line: before.length, column: Buffer.byteLength(before.at(-1) ?? "") + 1 },
  ];
}
const statement = (source: string): Statement | null => statementAt(...marked(source));
const access = (source: string): AccessStatement | null => accessAt(...marked(source));

test("statement: is the same wherever it stands, however it is written down", () => {
  const here = statement("int f(void) {\n  x = 1;\n  y = a / @b;\n}\n");
  assert.deepEqual(here, { text: "y=a/b", ordinal: 1, token: 4 });
  const moved =
    '/* { */\nint g;\n\nint f(void) // {\n{\n  if (q) {\n#ifdef A\n x = 2;\n#endif\n\n y =\n\ta /* " */ /\n @b;\n}}\n';
  assert.deepEqual(statement(moved), here);
  assert.deepEqual(statement('int f(void) { s = "é;"; t = u; y = a / @b; }'), here);
});

test("statement: equal ones of a function are told apart by their order in it, not by what is in front of it", () => {
  const body = "int f(void) {\n  y = a / b;\n  if (y) y = a / @b;\n}\n";
  assert.equal(statement(body)?.ordinal, 2);
  assert.equal(statement(`int g(void) { y = a / b; }\n${body}`)?.ordinal, 2);
});

test("statement: heads, labels and bodies are statements of their own; brackets and initialisers are not", () => {
  const text = (source: string): string | undefined => statement(`int f(void) { ${source} }`)?.text;
  assert.equal(text("if (a @/ b) c = d;"), "if(a/b)");
  assert.equal(text("if (a / b) c = @d; else e();"), "c=d");
  assert.equal(text("if (a / b) c = d; else @e();"), "e()");
  assert.equal(text("for (i = 0; i < n @/ m; i++) g();"), "for(i=0;i<n/m;i++)");
  assert.equal(text("switch (k) { case 3: v = a @/ b; break; }"), "v=a/b");
  assert.equal(text("out: v = a @/ b;"), "v=a/b");
  assert.equal(text("int t[] = { 1, a @/ b };"), "int t[]={1,a/b}");
  assert.equal(text("v = ({ int w = a @/ b; w; });"), "int w=a/b");
});

test("statement: what is not there is null", () => {
  assert.equal(statementAt({ text: "int f;\n", firstLine: 1 }, { line: 9, column: 1 }), null);
  assert.equal(statementAt({ text: "", firstLine: 1 }, { line: 1, column: 1 }), null);
});

test("access: the bytes of one over-read are one place, in one statement or in several in a row", () => {
  const at = (n: number): AccessStatement | null => {
    const source =
      "int f(char *p) { int v = p[0];\n v |= p[1] << 8; v |= p[2] << 16;\n p += 3; v |= p[0] << 24; return v; }";
    let seen = -1;
    return access(source.replace(/p\[/g, (text) => (++seen === n ? `@${text}` : text)));
  };
  assert.deepEqual(at(0), { text: "int v=p[0]", ordinal: 1, through: "p[]" });
  for (const n of [1, 2, 3]) assert.deepEqual(at(n), at(0));
  const one = access("int f(char *p) { return @p[0] | p[1] << 8; }");
  assert.deepEqual(one, access("int f(char *p) { return p[0] | @p[1] << 8; }"));
  assert.deepEqual(access("int f(void) { a = get(@p); b = get(p + 4); }")?.text, "a=get(p)");
});

test("access: members are reached through their structure, whichever name the compiler puts the position at", () => {
  for (const source of ["x = @s->a.b[i];", "x = s->@a.b[i];", "x = s->a.@b[i];"]) {
    assert.equal(access(`int f(void) { ${source} }`)?.through, "s[i]", source);
  }
  assert.equal(access("int f(void) { t[i].@x = 1; }")?.through, "t[i]");
  assert.equal(access("int f(void) { *q = v; s->a @= v; }")?.through, "s");
  assert.equal(access("int f(void) { x = @*(unsigned *)(p + 4); }")?.through, "*(unsigned*)(p)");
});

test("access: another index, another pointer and a pointer that was set between are other places", () => {
  const place = (source: string): string => JSON.stringify(access(`int f(char *p) { ${source} }`));
  const places = [
    place("x = @a[i] + b[i];"),
    place("x = a[i] + @b[i];"),
    place("x = @a[j] + b[i];"),
    place("x = p[0]; p = next(); y = @p[1];"),
    place("x = @p[0]; p = next(); y = p[1];"),
    place("x = p[0]; while (more()) g(); y = @p[1];"),
  ];
  assert.equal(new Set(places).size, 5, places.join("\n"));
  assert.match(places[3], /y=p\[1\]/);
  assert.match(places[5], /y=p\[1\]/);
});
