import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProgramImage } from "../jit/image.js";
import type { SiteId } from "../path/observer.js";
import { sampledOf } from "../project/sample.js";
import type { PathComparison } from "../techniques/compare-paths.js";
import { renderCampaignLcov } from "./campaign-lcov.js";
import type { ResultSeed } from "./campaign-result.js";
import { conditionAt, type Explanation, explanation, renderExplanation } from "./explanation.js";
import { renderFindingText } from "./finding-text.js";
import { changedInputs, changeInWords, commandSegments, pathsBelow, plainText } from "./finding-view.js";
import { renderPage } from "./html/page.js";
import { differenceOf, hexRows, textRows } from "./input-diff.js";
import { renderJunit } from "./junit.js";
import { renderMarkdown } from "./markdown.js";
import { findingById, parseResult } from "./result-file.js";
import { finding, HOSTILE_SOURCE, largeFinding, result } from "./result-fixture.js";
import { renderSarif } from "./sarif.js";
import { isCounted, withSuppressed } from "./suppressed.js";

describe("a sample of the tests", () => {
  it("every report says of how many, and how sure one can be", () => {
    const sampled = { ...result(), sampled: sampledOf(100, 20) };
    const confidence = /onfidence that a bug is not missed by looking at 20 of 100 tests: 99 % for one that 30/;
    for (const text of [renderJunit(sampled), renderSarif(sampled), renderMarkdown(sampled), renderPage(sampled, {})]) {
      assert.match(text, confidence);
    }
    assert.ok(!/onfidence/.test(renderMarkdown(result())));
    const read = parseResult(JSON.stringify(sampled), "results.json");
    assert.ok(read.kind === "result" && read.result.technique === "amplify");
    assert.deepEqual(read.result.sampled, sampled.sampled);
    const wrong = parseResult(JSON.stringify({ ...sampled, sampled: { tests: 3, confidence: {} } }), "results.json");
    assert.notEqual(wrong.kind, "result");
  });
});

describe("JUnit", () => {
  it("a test with a finding fails, one that was skipped is skipped", () => {
    const xml = renderJunit(result());
    assert.match(xml, /<testsuites name="tangent" tests="2" failures="1" errors="0" skipped="1"/);
    assert.match(xml, /<failure type="heap-buffer-overflow"/);
    assert.match(xml, /<skipped message="its program could not be loaded"\/>/);
  });

  it("a test that was never looked at has not passed", () => {
    const made = result([]);
    const seeds = made.seeds.map((seed) => ({ ...seed, skipped: null }));
    const xml = renderJunit({ ...made, seeds });
    assert.match(xml, /tests="2" failures="0" errors="0" skipped="1"/);
    assert.match(xml, /<skipped message="not looked at: the campaign ended before its turn came"\/>/);
  });

  it("names files and programs of the project relative to it, also those of the copy that was built", () => {
    const copied = finding({
      witnessCommand: ["/project/.tangent/build/prog", "/project/d.bin", "/elsewhere/x"],
      stack: [{ function: "f", file: "/project/.tangent/build/lib/f.c", line: 3, column: 1, origin: "program" }],
    });
    const xml = renderJunit(result([copied]));
    assert.match(xml, /#0 f lib\/f\.c:3:1\ninput: \.tangent\/build\/prog d\.bin \/elsewhere\/x\n/);
    assert.ok(!xml.includes("/project"));
    const sarif = renderSarif(result([copied]));
    assert.match(sarif, /"uri": "lib\/f\.c"/);
    assert.equal(sarif.match(/\/project/g)?.length, 1, "only the root of the sources");
  });

  it("has no character that XML forbids, and no markup of the input's", () => {
    const xml = renderJunit(result());
    assert.equal(/\p{Cc}/u.test(xml.replaceAll("\n", "")), false);
    assert.ok(!xml.includes("<i>") && !xml.includes("<b>"));
    assert.match(xml, /&lt;i&gt;&amp;/);
  });

  it("says which other findings have the same cause", () => {
    const xml = renderJunit(result([finding({ id: "one", group: "same" }), finding({ id: "two", group: "same" })]));
    assert.match(xml, /same cause: two/);
    assert.doesNotMatch(renderJunit(result()), /same cause/);
  });

  it("a finding of the baseline does not fail its test", () => {
    const xml = renderJunit(result([finding({ known: true })]));
    assert.match(xml, /failures="0"/);
    assert.match(xml, /<system-out>known: /);
  });
});

describe("reports for machines", () => {
  it("hide nothing, turn no text around and bring no links of the input's", () => {
    const odd = "\u202e\u2066\u200e\u2028[click](https://example.org/)";
    const stack = [{ function: odd, file: `/project/${odd}.c`, line: 1, column: 1, origin: "program" }];
    const words = { title: odd, message: odd, sentence: odd, severity: odd, witnessCommand: [odd] };
    const hostile = result([finding({ ...words, stack, location: stack[0] })]);
    const source = `/* ${odd} */`;
    const [{ message, locations }] = JSON.parse(renderSarif(hostile)).runs[0].results;
    const texts = [
      renderMarkdown(hostile, { readSource: () => source }),
      renderJunit(hostile),
      JSON.stringify([message, locations]),
    ];
    assert.doesNotMatch(texts[0].replace(/^```[\s\S]*?^```/gm, ""), /https:\/\//);
    for (const text of texts) assert.doesNotMatch(text, /[\u202e\u2066\u200e\u2028]/);
    assert.doesNotMatch(message.text, /\]\(/);
  });
});

describe("Markdown", () => {
  it("is a table and folded details, with nothing of the input as markup", () => {
    const text = renderMarkdown(result(), { readSource: () => HOSTILE_SOURCE });
    assert.match(text, /^### Tangent: 1 bug\n/);
    assert.match(text, /\| critical \| Heap buffer overflow \| src\/a b\.c:6 in main \| 1 \| `0123456789ab` \|/);
    assert.equal(text.match(/<details>/g)?.length, text.match(/<\/details>/g)?.length);
    assert.ok(!text.includes("<b>of"));
  });

  it("stays below what code hosts take, and says what it left out", () => {
    const many = Array.from({ length: 200 }, (_, index) => finding({ id: String(index) }));
    const text = renderMarkdown(result([...many, largeFinding()]), { readSource: () => HOSTILE_SOURCE });
    assert.ok(text.length < 65_000, `${text.length}`);
    assert.match(text, /did not fit/);
  });

  it("a cause is one row and one fold, with its other places named in it", () => {
    const places = ["one", "two", "three"].map((id) => finding({ id, group: "same" }));
    const text = renderMarkdown(result([...places, finding({ id: "else" })]), { readSource: () => null });
    assert.match(text, /^### Tangent: 2 bugs in 4 places\n/);
    assert.match(text, /src\/a b\.c:6 in main and 2 more places \| 1 \| `one` \|/);
    assert.equal(text.match(/<details>/g)?.length, 2);
    assert.match(text, /The same cause shows at:\n\n- `two` src.*\n- `three` /);
  });

  it("tells findings of the baseline only by their number", () => {
    const text = renderMarkdown(result([finding({ known: true })]), { readSource: () => null });
    assert.match(text, /no new bugs/);
    assert.match(text, /1 finding was known before/);
  });
});

describe("lcov of a campaign", () => {
  it("counts what the tests and what Tangent reached", () => {
    assert.equal(
      renderCampaignLcov(result()),
      "TN:tangent\nSF:src/a b.c\nDA:2,1\nDA:3,1\nDA:6,1\nDA:7,0\nLF:4\nLH:3\nend_of_record\n",
    );
  });
});

describe("the difference to the test", () => {
  const bytes = (text: string): string => Buffer.from(text, "latin1").toString("base64");
  it("rows of text end where both have a newline", () => {
    const difference = differenceOf({ name: "stdin", seed: bytes("a\nb\nc\n"), witness: bytes("a\nbxc\n") });
    assert.equal(difference.changedBytes, 1);
    const { rows } = textRows(difference);
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ["same", "changed"],
    );
    const last = rows[1];
    assert.ok(last.kind === "changed" && last.seed.length === 4 && last.offset === 2);
  });

  it("every changed byte is in a row or counted as hidden", () => {
    const [input] = largeFinding().inputs;
    const difference = differenceOf(input);
    for (const { rows, hiddenChanges } of [hexRows(difference), textRows(difference)]) {
      let shown = 0;
      for (const row of rows) {
        if (row.kind === "changed") shown += row.witness.filter(({ changed }) => changed).length;
      }
      assert.ok(shown + hiddenChanges <= difference.changedBytes);
      assert.ok(shown > 0);
    }
    const { rows, hiddenChanges } = hexRows(difference);
    const shown = rows.flatMap((row) => (row.kind === "changed" ? row.witness.filter(({ changed }) => changed) : []));
    assert.equal(shown.length + hiddenChanges, difference.changedBytes);
  });

  it("bytes that only one of them has are changed", () => {
    const difference = differenceOf({ name: "arg0", seed: bytes("abc"), witness: bytes("a") });
    assert.equal(difference.changedBytes, 2);
    assert.equal(difference.label, "argument 1");
  });

  it("a command is quoted as a shell reads it", () => {
    assert.equal(plainText(commandSegments(["./p", "it's", "\u00ff", ""], [])), "./p 'it'\\''s' $'\\xff' ''");
  });
});

describe("a finding in the terminal", () => {
  it("has the source, the difference and how to run it, also without colours", () => {
    const text = renderFindingText(finding(), {
      colour: false,
      shown: pathsBelow("/project"),
      readSource: () => HOSTILE_SOURCE,
    });
    assert.match(text, /main at src\/a b\.c:6:3/);
    assert.match(text, /char room\[4\]/);
    assert.match(text, /test {5}\.\/prog 12 'it'/);
    assert.match(text, /\+ thr<e\\n\n {7}\^/);
    assert.match(text, /allocated at/);
    assert.match(text, /tangent replay 0123456789ab/);
    assert.equal(text.includes("\x1b"), false);
    assert.doesNotMatch(text, /same cause/);
  });

  it("names the other places of the same cause", () => {
    const text = renderFindingText(finding(), {
      colour: false,
      shown: pathsBelow("/project"),
      readSource: () => null,
      others: [finding({ id: "feed", program: "/project/other" })],
    });
    assert.match(text, /the same cause shows at\n {2}feed {2}src\/a b\.c:6 in main \(other\)\n/);
  });
});

describe("names in JUnit's XML", () => {
  const namesIn = (text: string): string[] =>
    [...text.matchAll(/<testcase [^>]*name="([^"]*)"/g)].map(([, name]) => name);
  const seed = (id: string, parts: Partial<ResultSeed> = {}): ResultSeed => ({ ...result().seeds[0], id, ...parts });

  it("are the same after another build, in which each test has another id", () => {
    const before = { ...result([]), seeds: [seed("5eed01"), seed("5eed02", { stdinBytes: 7 })] };
    const after = { ...before, seeds: [seed("5eed99", { stdinBytes: 7 }), seed("5eed98")] };
    assert.deepEqual(namesIn(renderJunit(after)).sort(), namesIn(renderJunit(before)).sort());
    assert.equal(new Set(namesIn(renderJunit(before))).size, 2);
  });
});

describe("suppressed findings", () => {
  const suppressed = { ...finding({ id: "aaa", group: "a" }), suppressed: "meant <so>" };
  const both = result([suppressed, finding({ id: "bbb", group: "b", seedId: "5eed000000000002" })]);

  it("are marked by what tangent.toml says now, by function, file and kind", () => {
    const fits = { id: null, function: "main", file: "src/*.c", kind: "heap-buffer-overflow", reason: "so it is" };
    const [one] = withSuppressed([finding()], [fits], pathsBelow("/project"));
    assert.equal(one.suppressed, "so it is");
    assert.equal(isCounted(one), false);
    assert.equal(withSuppressed([one], [], pathsBelow("/project"))[0].suppressed, undefined);
    assert.equal(isCounted(withSuppressed([one], [{ ...fits, function: "other" }], pathsBelow("/project"))[0]), true);
  });

  it("are shown in every report, and fail nothing", () => {
    const xml = renderJunit(both);
    assert.match(xml, /failures="1"/);
    assert.match(xml, /<system-out>suppressed: meant &lt;so&gt;: Heap/);
    const markdown = renderMarkdown(both);
    assert.match(markdown, /### Tangent: 1 bug\n/);
    assert.match(markdown, /1 finding is suppressed by tangent.toml[\s\S]*`aaa`.*meant/);
    const sarif = JSON.parse(renderSarif(both)) as {
      readonly runs: readonly { readonly results: readonly { readonly suppressions?: unknown }[] }[];
    };
    assert.deepEqual(
      sarif.runs[0].results.map(({ suppressions }) => suppressions),
      [[{ kind: "external", status: "accepted", justification: "meant <so>" }], undefined],
    );
    const page = renderPage(both, {});
    assert.match(page, /<title>1 bug/);
    assert.match(page, /Suppressed by tangent.toml: meant &lt;so&gt;/);
    const text = renderFindingText(suppressed, { colour: false, shown: (path) => path, readSource: () => null });
    assert.match(text, /suppressed meant <so>/);
  });
});

describe("reading results", () => {
  it("a file that is none is a message", () => {
    for (const text of ["", "{", "null", "[]", '{"version":99}', '{"version":1}']) {
      const read = parseResult(text, "x.json");
      assert.ok(read.kind === "unreadable" && read.message.includes("x.json"), text);
    }
    assert.equal(parseResult(JSON.stringify(result()), "x.json").kind, "result");
  });

  it("results of a technique that this version does not know are refused by its name", () => {
    for (const technique of ["compost", undefined, 7]) {
      const read = parseResult(JSON.stringify({ ...result(), technique }), "x.json");
      assert.ok(read.kind === "unreadable" && /technique .*amplify/.test(read.message), String(technique));
    }
  });

  it("a finding is found by the beginning of its id, if only one has it", () => {
    const two = result([finding({ id: "abc1" }), finding({ id: "abd2" })]);
    assert.equal(findingById(two, "abc").kind, "found");
    const several = findingById(two, "ab");
    assert.ok(several.kind === "none" && several.message.includes("abc1, abd2"));
    assert.equal(findingById(two, "").kind, "none");
  });
});

describe("what holds of the input", () => {
  it("numbers arguments as the witness does, and names files without their folders", () => {
    const image = { sites: [], locations: [], coverage: [] } as unknown as ProgramImage;
    const explained = (holds: string, bytes: readonly string[] = []): Explanation => {
      const side = { holds, taken: true };
      const more = { meetsAgain: true, afterwards: [{ site: 0 as SiteId, side }], moreAfterwards: 0 };
      const parting = { site: 0 as SiteId, bytes, first: side, second: side, ...more };
      const ends = [
        { kind: "exit", code: 0 },
        { kind: "exit", code: 0 },
      ] as unknown as PathComparison["ends"];
      return explanation(image, { common: 1, decisions: [2, 2], partings: [parting], ends });
    };
    const told = (holds: string): string =>
      renderExplanation(
        explained(holds),
        "end",
        (path) => path,
        () => null,
      );
    const [step] = explained("arg0[3] == 'q'", ["arg0[3]", "stdin[0]"]).steps;
    assert.deepEqual(step.bytes, ["argv[1][3]", "stdin[0]"], "as the text has it");
    assert.deepEqual(step.test, { holds: "argv[1][3] == 'q'", nextLine: null }, "no line is known");
    assert.equal(step.afterwards[0].holds, "argv[1][3] == 'q'");
    assert.match(told("arg0[3] == 'q'"), /with the test argv\[1\]\[3\] == 'q';/);
    assert.match(told("(arg0[0] + arg11[2]) < 3"), /\(argv\[1\]\[0\] \+ argv\[12\]\[2\]\) < 3/);
    assert.match(told("file:/a/b/arg0[1] != stdin[0]"), /with the test arg0\[1\] != stdin\[0\];/);
    const changed = changedInputs(
      finding({ inputs: [{ name: "arg0", seed: "MQ==", witness: "Mg==" }] }),
      (path) => path,
    );
    assert.equal(changeInWords(changed), "1 byte of argument 1");
  });
});

describe("the condition at a branch", () => {
  const at = (text: string, column: number): string | null =>
    conditionAt({ function: "f", file: "f.c", line: 1, column, isOwn: true }, () => text);
  it("is what the statement has in its parentheses, or what is around the operator", () => {
    assert.equal(at("  if (c == 'x') return;", 11), "c == 'x'");
    assert.equal(at("  for (int i = 0; i < n; i++) f(i);", 3), "i < n");
    assert.equal(at("  while (f(a) && b[i] > ')') g();", 23), "b[i] > ')'");
    assert.equal(at("  switch (getc(f)) {", 3), "getc(f)");
    assert.equal(at("x", 9), null);
  });
});

describe("a finding of an input that grew", () => {
  const moved = finding({
    id: "abcdefabcdef",
    seedId: "made",
    isMade: true,
    seedCommand: ["./prog", "122"],
    witnessCommand: ["./prog", "129"],
    inputs: [
      { name: "arg0", seed: Buffer.from("122").toString("base64"), witness: Buffer.from("129").toString("base64") },
    ],
    moved: {
      from: "5eed000000000001",
      command: ["./prog", "12"],
      steps: ["`12` longer by 1 byte", "`<b>` put at the end"],
    },
  });
  const STEPS = "`12` longer by 1 byte, then `<b>` put at the end";

  it("says in every report what was made of which test", () => {
    const made = result([moved]);
    const text = renderFindingText(moved, { shown: pathsBelow("/project"), readSource: () => null, colour: false });
    assert.match(text, /distance {3}1, on the path of an input that 2 moves made of the test/);
    assert.match(text, /from test 5eed000000000001/);
    assert.match(text, /what breaks it: an input made of the test, with 1 byte of argument 1 changed/);
    assert.ok(text.includes(`  test     ./prog 12\n  made     ${STEPS}\n  witness  ./prog 129`));
    const markdown = renderMarkdown(made, { readSource: () => null });
    assert.match(markdown, /Made of the test: .*longer by 1 byte/);
    assert.ok(markdown.includes("- ./prog 12\n+ ./prog 129"));
    assert.match(renderJunit(made), /failures="1"/, "its recorded test fails");
    assert.match(renderSarif(made), /"test": "5eed000000000001"/);
    const page = renderPage(made, { readSource: () => null });
    assert.match(page, /Made of the test: .*`12` longer by 1 byte, then `&lt;b&gt;` put at the end; then/);
    assert.ok(page.includes('href="#s-5eed000000000001"'));
  });

  it("is read again as it was written", () => {
    const made = result([moved]);
    const read = parseResult(JSON.stringify(made), "results.json");
    assert.deepEqual(read.kind === "result" ? read.result.findings[0].moved : read, moved.moved);
  });
});
