import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TestInput } from "../inputs/test-input.js";
import { cString, stringsIn, wideCString } from "./c-strings.js";
import type { ResultFinding } from "./campaign-result.js";
import { changedTests, literalChanges, shortChange } from "./changed-source.js";
import { movedLiteral } from "./finding-test.js";
import { changeInWords } from "./finding-view.js";
import { differenceOf } from "./input-diff.js";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");
const change = (line: number, before: string, after: string): ResultFinding["inputs"][number] => ({
  name: `literal:/p/tests/t.c:${line}`,
  seed: Buffer.from(before, "latin1").toString("base64"),
  witness: Buffer.from(after, "latin1").toString("base64"),
});
/** The source with one literal changed. */
function changed(
  source: string | null,
  input: ResultFinding["inputs"][number],
  shown: (path: string) => string = (path) => path.slice(3),
): string {
  const finding = { id: "0123456789ab", title: "Heap overflow", inputs: [input] } as unknown as ResultFinding;
  const [made, ...more] = changedTests(finding, () => source, shown);
  assert.deepEqual(more, []);
  assert.equal(made.name, "tangent-0123456789ab-t.c");
  return made.text;
}
/** Behind the comment. */
const bodyOf = (text: string): string => text.slice(text.indexOf("\n", text.indexOf("#line")) + 1);

describe("strings of C", () => {
  it("are what they were after being written and read", () => {
    const all = Buffer.from(Array.from({ length: 512 }, (_, n) => (n * 7) & 0xff));
    const [one] = stringsIn(`x = ${cString(all)};`);
    assert.deepEqual(Buffer.from(one.bytes), all);
    assert.equal(cString(bytes('a"\\\n\x01' + "1??/")), '"a\\"\\\\\\n\\0011?\\?/"');
  });

  it("are found with their lines, joined if they are adjacent, not in comments and characters", () => {
    const source = `// "no"\nchar c = '"'; /* "no" */ f("a" /* and */\n  "b\\x41");\nchar x[] = "cd", *y = "e\\\nf";\n#define Q(x) #x\n`;
    assert.deepEqual(
      stringsIn(source).map((one) => [one.line, Buffer.from(one.bytes).toString("latin1"), one.isArray]),
      [
        [2, "abA", false],
        [4, "cd", true],
        [4, "ef", false],
      ],
    );
  });
});

describe("wide strings of C", () => {
  it("are what they were after being written and read", () => {
    const units = [0, 9, 34, 63, 63, 65, 0x80, 0xe9, 0x20ac, 0xd800, 65, 0xdc00, 0xffff];
    const narrow = Buffer.concat(units.map((unit) => Buffer.from([unit & 0xff, unit >> 8])));
    const wide = Buffer.concat([...units, 0x1f600, 0x10ffff].map((unit) => Buffer.from(Uint32Array.of(unit).buffer)));
    const read = (text: string) => stringsIn(`f(${text});`).map((one) => Buffer.from(one.bytes));
    // Behind an escape of hexadecimal digits another string begins, with a prefix of its own: the first is read here.
    assert.equal(wideCString(narrow, "w16").split('" u"').length, 3);
    assert.deepEqual(read(wideCString(wide.subarray(0, 9 * 4), "w32")), [wide.subarray(0, 9 * 4)]);
    assert.deepEqual(read(wideCString(wide.subarray(13 * 4), "w32", "U")), [wide.subarray(13 * 4)]);
    assert.deepEqual(read(wideCString(narrow.subarray(0, 18), "w16")), [narrow.subarray(0, 18)]);
    assert.deepEqual(read('u"\\U0001f600"'), [Buffer.from([0x3d, 0xd8, 0, 0xde])]);
  });
});

describe("a test's source with other literals", () => {
  it("has wide strings and numbers changed in their places", () => {
    const wide = (text: string): string => Buffer.from(text, "utf16le").toString("latin1");
    const source = 'f(u"ab", "ab", L"ab");\ng(1, 2 + 3);\n';
    const input = { ...change(1, wide("ab"), wide("a\u20ac")), name: "literal:/p/tests/t.c:1=w16" };
    assert.equal(bodyOf(changed(source, input)), 'f(u"a\\u20ac", "ab", L"ab");\ng(1, 2 + 3);\n');
    const number = { ...change(2, "\x05\0\0\0", "\xff\xff\xff\xff"), name: "literal:/p/tests/t.c:2=i32,g,2" };
    const made = changed(source, number);
    assert.match(made, /^\/\/ line 2: argument 2 of g, 5 -> -1$/m);
    assert.equal(bodyOf(made), 'f(u"ab", "ab", L"ab");\ng(1, -1);\n');
    const hidden = changed("G(1);\n", number);
    assert.match(hidden, /^\/\/ TO BE CHANGED BY HAND: line 2: argument 2 of g, 5 -> -1$/m);
    const words = changeInWords([differenceOf(number, (path) => path.slice(3))]);
    assert.equal(words, "the number at tests/t.c:2, argument 2 of g (5 -> -1)");
  });

  it("is looked at once, whatever it holds", () => {
    for (const text of ["/*", '"\\', "'\\", "/"]) assert.deepEqual(stringsIn(text.repeat(100_000)), []);
    assert.deepEqual(
      stringsIn('f(L"a", u8"b", xL "c", R"(d)");').map(({ bytes: own }) => Buffer.from(own).toString()),
      ["a\0\0\0", "c"],
    );
  });

  it("changes all equal strings, since the compiler makes one of them, but an array alone", () => {
    const source = 'f("ab");\ng("ab", "abc");\nchar x[] = "ab";\n';
    const made = (line: number): string => bodyOf(changed(source, change(line, "ab", "a\0")));
    assert.equal(made(1), 'f("a\\000");\ng("a\\000", "abc");\nchar x[] = "ab";\n');
    assert.equal(made(3), 'f("ab");\ng("ab", "abc");\nchar x[] = "a\\000";\n');
  });

  it("says what is to be changed by hand where the source does not show the literal", () => {
    const made = changed("char x[] = {1, 2};\n", change(1, "\x01\x02", "\x01\x03"));
    assert.match(made, /^\/\/ TO BE CHANGED BY HAND: line 1: "\\001\\002" -> "\\001\\003"$/m);
    assert.equal(bodyOf(made), "char x[] = {1, 2};\n");
    assert.match(changed(null, change(1, "a", "b")), /could not be read/);
  });

  it("nothing in a literal or a name ends the comment", () => {
    const made = changed("int x;\n", change(1, "a\nb\\", "*/\n\\"), () => "odd\nname\\");
    const [head] = made.split("#line");
    for (const line of head.split("\n").filter((one) => one !== "")) {
      assert.ok(line.startsWith("// "), line);
      assert.ok(!line.endsWith("\\"), line);
    }
  });

  it("of a finding's inputs only literals that changed are meant", () => {
    const base64 = (text: string): string => Buffer.from(text).toString("base64");
    const inputs = [
      { name: "stdin", seed: base64("a"), witness: base64("b") },
      { name: "literal:/p/t.c:3", seed: base64("a"), witness: base64("a") },
      { name: "literal:/p/t.c:4#2", seed: base64("a"), witness: base64("b") },
    ];
    assert.deepEqual(
      literalChanges({ inputs }).map(({ line, number }) => [line, number]),
      [[4, 2]],
    );
  });

  it("shows the changed part of a long literal", () => {
    assert.equal(shortChange(bytes("abc"), bytes("abd")), '"abc" -> "abd"');
    const long = "x".repeat(100);
    const part = "x".repeat(20);
    assert.equal(
      shortChange(bytes(`${long}a${long}`), bytes(`${long}b${long}`)),
      `..."${part}a${part}"... -> ..."${part}b${part}"...`,
    );
  });

  it("is named in words by its place in the project, with what it was and is", () => {
    const shown = (path: string): string => path.replace("/p/", "");
    const input = { ...change(7, "novalue", 'n="#lue'), name: "literal:/p/.tangent/build/tests/t.c:7#2" };
    const words = changeInWords([differenceOf(input, shown)]);
    assert.equal(words, '3 bytes of the literal at tests/t.c:7 ("novalue" -> "n=\\"#lue")');
  });

  it("is told if the program no longer has the literal there", () => {
    const test = { values: [{ name: "literal:/p/t.c:7", occurrence: 0, bytes: bytes("ab") }] } as unknown as TestInput;
    const having = (text: string) => ({
      tests: {
        named: "surely" as const,
        files: [],
        literals: [{ name: "literal:/p/t.c:7", address: 0, bytes: [...bytes(text)], uses: [] }],
      },
    });
    assert.equal(movedLiteral(having("ab"), test), null);
    assert.match(movedLiteral(having("ax"), test) ?? "", /no longer at \/p\/t\.c:7/);
    assert.match(movedLiteral({ tests: null }, test) ?? "", /no longer/);
  });
});
