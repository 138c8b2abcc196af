import assert from "node:assert/strict";
import { test } from "node:test";
import { IrError } from "../module.js";
import {
  BYTES,
  COMDAT,
  ELLIPSIS,
  END,
  FLOAT_LITERAL,
  GLOBAL,
  HASH,
  INTEGER,
  LABEL,
  Lexer,
  LOCAL,
  METADATA_ID,
  STRING,
  unescapeText,
  WORD,
} from "./lexer.js";

function lexer(text: string): Lexer {
  const made = new Lexer(text, 0, text.length, "t.ll");
  made.next();
  return made;
}
function tokens(text: string): (string | number)[][] {
  const made = lexer(text);
  const found: (string | number)[][] = [];
  for (; made.token !== END; made.next()) found.push([made.token, made.raw()]);
  return found;
}

test("lexer: names, numbers, strings and punctuation are told apart", () => {
  assert.deepEqual(tokens('%x = add i32 %7, -12 ; text\n!dbg !5 #3 @"a b" c"x\\00" "s" $c ... 1.5e+3 0xK3F bb1: 7:'), [
    [LOCAL, "%x"],
    [61, "="],
    [WORD, "add"],
    [WORD, "i32"],
    [LOCAL, "%7"],
    [44, ","],
    [INTEGER, "-12"],
    [METADATA_ID, "!dbg"],
    [METADATA_ID, "!5"],
    [HASH, "#3"],
    [GLOBAL, '@"a b"'],
    [BYTES, 'c"x\\00"'],
    [STRING, '"s"'],
    [COMDAT, "$c"],
    [ELLIPSIS, "..."],
    [FLOAT_LITERAL, "1.5e+3"],
    [FLOAT_LITERAL, "0xK3F"],
    [LABEL, "bb1"],
    [LABEL, "7"],
  ]);
});

test("lexer: a number is exact or NaN", () => {
  assert.equal(lexer("%12").number, 12);
  assert.equal(lexer("-999999999999999").number, -999999999999999);
  assert.ok(Number.isNaN(lexer("18446744073709551615").number));
  assert.equal(lexer("%x").number, -1);
});

test("lexer: names and strings are unescaped, names as UTF-8", () => {
  assert.equal(lexer('@"a\\22b"').decodedName(), 'a"b');
  assert.equal(lexer('@"\\C3\\A9t\\C3\\A9"').decodedName(), "été");
  assert.equal(lexer('"label with space":').decodedName(), "label with space");
  assert.deepEqual([...lexer('c"a\\00\\\\\\FFz"').decodedBytes()], [97, 0, 92, 255, 122]);
  assert.equal(lexer('"a\\0Ab\\"').decodedString(), "a\nb\\");
  assert.equal(unescapeText("x\\FFy", 0, 5), "x\u00ffy");
});

test("lexer: knows which tokens begin a line, with either line ending", () => {
  const made = lexer("a b\r\nc\n  d");
  const first: boolean[] = [];
  for (; made.token !== END; made.next()) first.push(made.firstOnLine);
  assert.deepEqual(first.slice(1), [false, true, true]);
});

test("lexer: skips balanced brackets, whatever they contain", () => {
  const made = lexer('(a, [b, {"}"}], !c) after');
  made.skipBrackets();
  assert.equal(made.raw(), "after");
});

test("lexer: malformed tokens are errors with their line", () => {
  for (const [text, message] of [
    ['\n\n"open', /^t\.ll:3: a quotation mark is never closed/],
    ["\n?", /^t\.ll:2: unexpected character "\?"/],
    ["%", /a name must follow '%'/],
    ["12ab", /malformed number/],
    ["- 5", /a number must follow '-'/],
    ["%99999999999999999999", /names nothing/],
    ["(a", /expected a closing bracket, found the end/],
  ] as const) {
    assert.throws(
      () => {
        const made = lexer(text);
        made.skipBrackets();
      },
      (thrown: unknown) => thrown instanceof IrError && message.test(thrown.message),
      text,
    );
  }
});
