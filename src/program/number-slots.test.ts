import assert from "node:assert/strict";
import { test } from "node:test";
import { DataLayout } from "../ir/data-layout.js";
import { type LinkedProgram, linkProgram } from "../ir/link.js";
import { parseModule } from "../ir/text/parse-module.js";
import { type NumberSlots, withNumberSlots } from "./number-slots.js";

/** Debugging information: function !2, of these parameters, and one position for each line, from !30 on. */
const debug = (file: string, lines: readonly number[], parameters: readonly string[] = []): string =>
  [
    '!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)',
    `!1 = !DIFile(filename: "${file}", directory: "/p")`,
    `!2 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0)`,
    "!3 = !DISubroutineType(types: !4)",
    `!4 = !{${["null", ...parameters].join(", ")}}`,
    '!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)',
    '!6 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)',
    "!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)",
    '!8 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e", file: !1, line: 1, baseType: !5, size: 32, elements: !9)',
    "!9 = !{}",
    ...lines.map((line, n) => `!${30 + n} = !DILocation(line: ${line}, column: 1, scope: !2)`),
  ].join("\n");

function slotsOf(
  text: string,
  lines: readonly number[],
  file = "tests/t.c",
): { readonly program: LinkedProgram; readonly numbers: NumberSlots | null } {
  const layout = new DataLayout();
  const module = (body: string, name: string) => parseModule(body, { name, origin: "program", library: null });
  const put = "define void @put(ptr %x, i32 %n, i64 %s, i32 %e) !dbg !2 {\n  ret void\n}\n";
  const linked = linkProgram(
    [
      module(`${text}\ndeclare void @put(ptr, i32, i64, i32)\n${debug(file, lines, ["!5"])}`, "t"),
      module(put + debug("src/lib.c", [], ["!7", "!5", "!6", "!8"]), "lib"),
    ],
    { libc: () => null, roots: ["main"], layout },
  );
  return withNumberSlots(linked, layout);
}

const namesOf = (numbers: NumberSlots | null): readonly string[] => (numbers?.slots ?? []).map(({ name }) => name);

test("numbers: arguments of the library's functions have a place that is loaded; enumerations stay", () => {
  const { program, numbers } = slotsOf(
    `define void @main() !dbg !2 {
  call void @put(ptr null, i32 -3, i64 7, i32 1), !dbg !30
  call void @put(ptr null, i32 4, i64 7, i32 1), !dbg !30
  ret void
}`,
    [5],
  );
  assert.deepEqual(namesOf(numbers), [
    "literal:/p/tests/t.c:5=i32,put,2",
    "literal:/p/tests/t.c:5=u64,put,3",
    "literal:/p/tests/t.c:5#2=i32,put,2",
    "literal:/p/tests/t.c:5#2=u64,put,3",
  ]);
  assert.deepEqual([...(numbers?.slots[0].bytes ?? [])], [0xfd, 0xff, 0xff, 0xff]);
  const main = program.lookup("main");
  const variables = numbers?.slots.map(({ variable }) => variable) ?? [];
  for (const variable of variables) {
    assert.ok(program.variables.includes(variable));
    assert.ok(main?.kind === "function" && program.references.get(main)?.includes(variable));
  }
  assert.equal(new Set(variables.map(({ name }) => name)).size, 4);
  // Each time anew, since passes change bodies.
  for (let n = 0; n < 2; n++) {
    const body = main?.kind === "function" ? main.parseBody() : null;
    const all = body?.blocks.flatMap(({ instructions }) => instructions) ?? [];
    assert.deepEqual(
      all.map(({ op }) => op),
      ["load", "load", "call", "load", "load", "call", "ret"],
    );
    assert.equal(all[2].operands[2], all[0]);
    assert.equal(all[2].operands[4].kind, "int");
  }
});

test("numbers: sizes of what is passed beside them and line numbers stay", () => {
  const { numbers } = slotsOf(
    `@text = internal constant [4 x i8] c"abc\\00"
define void @main() !dbg !2 {
  %x = alloca [10 x i32]
  call void @put(ptr @text, i32 5, i64 3, i32 1), !dbg !30
  call void @put(ptr %x, i32 10, i64 40, i32 1), !dbg !31
  call void @put(ptr %x, i32 11, i64 41, i32 1), !dbg !32
  ret void
}`,
    [5, 6, 7],
  );
  assert.deepEqual(namesOf(numbers), ["literal:/p/tests/t.c:7=i32,put,2", "literal:/p/tests/t.c:7=u64,put,3"]);
  assert.deepEqual(
    numbers?.sizes.map(({ line }) => line),
    [5, 6, 6],
  );
});

test("numbers: of the tests' own helpers only those that they hand to the library", () => {
  const { numbers } = slotsOf(
    `define void @main() !dbg !2 {
  call void @hands(i32 4), !dbg !30
  call void @keeps(i32 4), !dbg !31
  call void @changes(i32 4), !dbg !32
  ret void
}
define void @hands(i32 %n) !dbg !2 {
  %v = alloca i32
  store i32 %n, ptr %v
  %x = load i32, ptr %v
  %y = add i32 %x, 1
  call void @put(ptr null, i32 %y, i64 9, i32 1), !dbg !33
  ret void
}
define void @keeps(i32 %n) !dbg !2 {
  ret void
}
define void @changes(i32 %n) !dbg !2 {
  %v = alloca i32
  store i32 %n, ptr %v
  store i32 0, ptr %v
  %x = load i32, ptr %v
  call void @put(ptr null, i32 %x, i64 9, i32 1)
  ret void
}`,
    [5, 6, 7, 8],
  );
  // The call without a place in the source has no number.
  assert.deepEqual(namesOf(numbers), ["literal:/p/tests/t.c:5=i32,hands,1", "literal:/p/tests/t.c:8=u64,put,3"]);
});

test("numbers: a program that is no test by its name is left as it is", () => {
  const main = `define void @main() !dbg !2 {\n  call void @put(ptr null, i32 3, i64 7, i32 1), !dbg !30\n  ret void\n}`;
  assert.equal(slotsOf(main, [5], "cmd/tool.c").numbers, null);
});
