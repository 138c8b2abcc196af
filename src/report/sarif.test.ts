import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { renderCampaignLcov } from "./campaign-lcov.js";
import { renderJunit } from "./junit.js";
import { finding, result } from "./result-fixture.js";
import { renderSarif } from "./sarif.js";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Shape = { readonly [key: string]: "string" | "number" | "array" | "object" | Shape | readonly [Shape] };

/** The properties that the schema requires, or that hosts rely on, with their types. */
const LOCATION: Shape = { physicalLocation: { artifactLocation: { uri: "string" }, region: { startLine: "number" } } };
const LOG: Shape = {
  $schema: "string",
  version: "string",
  runs: [
    {
      tool: {
        driver: {
          name: "string",
          version: "string",
          rules: [{ id: "string", shortDescription: { text: "string" }, defaultConfiguration: { level: "string" } }],
        },
      },
      originalUriBaseIds: { SRCROOT: { uri: "string" } },
      results: [
        {
          ruleId: "string",
          ruleIndex: "number",
          level: "string",
          message: { text: "string" },
          locations: [LOCATION],
          partialFingerprints: "object",
          codeFlows: [{ threadFlows: [{ locations: [{ location: "object" }] }] }],
          stacks: [{ frames: [{ location: "object" }] }],
        },
      ],
    },
  ],
};

function check(value: Json, shape: Shape[string], path: string): void {
  if (typeof shape === "string") {
    const kind = Array.isArray(value) ? "array" : typeof value;
    assert.equal(kind, shape, path);
  } else if (Array.isArray(shape)) {
    assert.ok(Array.isArray(value) && value.length > 0, path);
    for (const [index, one] of (value as readonly Json[]).entries()) check(one, shape[0] as Shape, `${path}[${index}]`);
  } else {
    assert.ok(typeof value === "object" && value !== null && !Array.isArray(value), path);
    for (const [key, inner] of Object.entries(shape)) {
      check((value as { readonly [key: string]: Json })[key] ?? null, inner, `${path}.${key}`);
    }
  }
}

interface Rule {
  readonly id: string;
  readonly properties: { readonly "security-severity": string; readonly tags: readonly string[] };
}

interface Log {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly Rule[] } };
      readonly originalUriBaseIds: { readonly SRCROOT: { readonly uri: string } };
      readonly results: readonly {
        readonly ruleIndex: number;
        readonly ruleId: string;
        readonly level: string;
        readonly baselineState?: string;
        readonly partialFingerprints: { readonly [name: string]: string };
        readonly locations: readonly {
          readonly physicalLocation: {
            readonly artifactLocation: { readonly uri: string; readonly uriBaseId: string };
          };
        }[];
        readonly codeFlows: readonly {
          readonly threadFlows: readonly {
            readonly locations: readonly { readonly location: { readonly message: { readonly text: string } } }[];
          }[];
        }[];
      }[];
    },
  ];
}

describe("SARIF", () => {
  it("has what the schema requires", () => {
    const text = renderSarif(result([finding(), finding({ id: "b", kind: "abort", severity: "medium" })]));
    check(JSON.parse(text) as Json, LOG, "log");
    assert.match(text, /"version": "2.1.0"/);
  });

  it("names files relative to the root of the sources, percent-encoded", () => {
    const [run] = (JSON.parse(renderSarif(result())) as Log).runs;
    assert.deepEqual(run.results[0].locations[0].physicalLocation.artifactLocation, {
      uri: "src/a%20b.c",
      uriBaseId: "SRCROOT",
    });
    assert.equal(run.originalUriBaseIds.SRCROOT.uri, "file:///project/");
  });

  it("names files relative to the sources, if the project is a build's own folder", () => {
    const built = { ...result(), project: "/project/out", sources: "/project" };
    const [run] = (JSON.parse(renderSarif(built)) as Log).runs;
    assert.equal(run.originalUriBaseIds.SRCROOT.uri, "file:///project/");
    assert.equal(run.results[0].locations[0].physicalLocation.artifactLocation.uri, "src/a%20b.c");
    assert.match(renderCampaignLcov(built), /^SF:src\/a b\.c$/m);
    assert.match(renderJunit(built), /#1 main src\/a b\.c:6:3/);
  });

  it("a fingerprint is the finding's id, whatever input shows it", () => {
    const one = (JSON.parse(renderSarif(result())) as Log).runs[0].results[0];
    const moved = finding({ seedId: "other", witnessCommand: ["./prog"], foundMs: 9 });
    const two = (JSON.parse(renderSarif(result([moved]))) as Log).runs[0].results[0];
    assert.deepEqual(one.partialFingerprints, two.partialFingerprints);
  });

  it("the source's fingerprint is there beside the identity, and the other places of a cause are related", () => {
    const one = finding({ id: "one", group: "same" });
    const two = finding({ id: "two", group: "same", fingerprint: "5a5a" });
    const [first, second] = (JSON.parse(renderSarif(result([one, two]))) as Log).runs[0].results;
    assert.deepEqual(Object.values(first.partialFingerprints), ["one", "ba9876543210"]);
    assert.deepEqual(Object.values(second.partialFingerprints), ["two", "5a5a"]);
    assert.match(JSON.stringify(first), /"the same cause: two"/);
    assert.match(JSON.stringify(second), /"group":"same"/);
  });

  it("rules are the kinds, and levels follow the severity", () => {
    const log = JSON.parse(
      renderSarif(
        result([finding(), finding({ id: "b" }), finding({ id: "c", kind: "memory-leak", severity: "low" })]),
      ),
    ) as Log;
    const [run] = log.runs;
    assert.deepEqual(
      run.tool.driver.rules.map(({ id }) => id),
      ["heap-buffer-overflow", "memory-leak"],
    );
    for (const one of run.results) assert.equal(run.tool.driver.rules[one.ruleIndex].id, one.ruleId);
    assert.deepEqual(
      run.results.map(({ level }) => level),
      ["error", "error", "note"],
    );
  });

  it("a read that ends next to its object is a rule of its own, with its own severity and CWE number", () => {
    const near = { ...finding({ id: "b", severity: "low", cwe: 126 }), access: "read" as const, score: 3.3 };
    const before = { ...near, id: "c", cwe: 127 };
    const far = { ...near, id: "d", severity: "medium", score: 6.1 };
    const written = { ...finding({ id: "e", severity: "high" }), access: "write" as const, score: 7.8 };
    const [run] = (JSON.parse(renderSarif(result([near, before, far, written]))) as Log).runs;
    assert.deepEqual(
      run.tool.driver.rules.map(({ id, properties }) => [
        id,
        properties["security-severity"],
        properties.tags.slice(1),
      ]),
      [
        ["heap-buffer-overflow", "7.8", ["external/cwe/cwe-122"]],
        ["heap-buffer-overflow-near-read", "3.3", ["external/cwe/cwe-126", "external/cwe/cwe-127"]],
        ["heap-buffer-overflow-read", "6.1", ["external/cwe/cwe-126"]],
      ],
    );
    assert.deepEqual(
      run.results.map(({ level }) => level),
      ["error", "warning", "note", "note"],
    );
  });

  it("a code flow goes from the allocation and main to the place", () => {
    const [one] = (JSON.parse(renderSarif(result())) as Log).runs[0].results;
    const steps = one.codeFlows[0].threadFlows[0].locations.map(({ location }) => location.message.text);
    assert.equal(steps[0], "the block is allocated");
    assert.equal(steps[1], "main calls memcpy");
    assert.match(steps[2], /write of 1 byte/);
  });

  it("says which findings the baseline has, if there is one", () => {
    const compared = { ...result([finding({ known: true }), finding({ id: "b" })]), baseline: "old.json" };
    const [run] = (JSON.parse(renderSarif(compared)) as Log).runs;
    assert.deepEqual(
      run.results.map(({ baselineState }) => baselineState),
      ["unchanged", "new"],
    );
    assert.equal((JSON.parse(renderSarif(result())) as Log).runs[0].results[0].baselineState, undefined);
  });
});
