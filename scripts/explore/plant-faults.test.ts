import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../src/support/random.js";
import { type Block, blocksOf, drawFaults, plantFaults } from "./plant-faults.js";

const MAIN = `@table = internal global [1 x ptr] [ptr @far]
define i32 @main(i32 %0) !dbg !5 {
  %2 = icmp eq i32 %0, 1, !dbg !6
  br i1 %2, label %3, label %4, !dbg !6

3:                                                ; preds = %1
  %x = call i32 @near(), !dbg !7
  br label %4

4:                                                ; preds = %3, %1
  %y = phi i32 [ 1, %1 ], [ %x, %3 ]
  %z = load ptr, ptr @table, !dbg !8
  ret i32 %y, !dbg !8
}
define internal void @nobody() !dbg !5 {
  br label %1, !dbg !6

1:
  ret void, !dbg !6
}
!4 = !DIFile(filename: "a.c", directory: "/src")
!5 = distinct !DISubprogram(name: "main", scope: !4, file: !4, line: 2)
!6 = !DILocation(line: 3, column: 1, scope: !5)
!7 = !DILocation(line: 4, column: 1, scope: !5)
!8 = !DILocation(line: 5, column: 1, scope: !5)
`;
const OTHER = `define i32 @near() !dbg !5 {
  ret i32 1
}
define i32 @far() !dbg !5 {
  br label %again, !dbg !6

again:                                            ; preds = %again, %0
  br label %again, !dbg !6
}
!4 = !DIFile(filename: "/src/b.c", directory: "/elsewhere")
!5 = distinct !DISubprogram(name: "far", scope: !4, file: !4, line: 8)
!6 = !DILocation(line: 9, column: 1, scope: !5)
`;

test("planted faults: blocks of functions that main leads to, also by tables, with their places and depths", () => {
  assert.deepEqual(
    blocksOf([MAIN, OTHER]).map(({ module, file, line, depth }) => [module, file, line, depth]),
    [[0, "/src/a.c", 4, 0], [0, "/src/a.c", 5, 0], [1, "/src/b.c", 9, 1]], // biome-ignore format: rows
  );
});

test("planted faults: one is drawn of each of equal parts, the same again from the same random numbers", () => {
  const blocks = Array.from({ length: 25 }, (_, at) => ({ at, depth: 0 })) as unknown as Block[];
  const drawn = drawFaults(blocks, 5, new Random(7));
  assert.deepEqual(drawn.map(({ value }) => value), [1, 2, 3, 4, 5]); // biome-ignore format: short
  for (const { at, value } of drawn) assert.ok(at >= 5 * (value - 1) && at < 5 * value);
  assert.deepEqual(drawFaults(blocks, 5, new Random(7)), drawn);
  assert.equal(drawFaults(blocks.slice(0, 3), 5, new Random(7)).length, 3);
});

test("planted faults: a division stands behind the block's phis, and only main's module defines the selector", () => {
  const faults = drawFaults(blocksOf([MAIN, OTHER]), 3, new Random(1));
  const main = plantFaults(MAIN, faults.filter(({ module }) => module === 0)); // biome-ignore format: short
  assert.match(main, /%y = phi .*\n {2}%tangent_planted\.2\.read = load i32, ptr @tangent_planted, align 4, !dbg !8\n/);
  assert.match(
    main,
    /sub i32 %tangent_planted\.2\.read, 2, .*\n.* sdiv i32 1, %tangent_planted\.2\.difference, .*\n {2}%z = /,
  );
  assert.match(main, /^define i32 @main.*\n {2}call void @klee_make_symbolic\(ptr @tangent_planted, i64 4, /m);
  assert.match(main, /^@tangent_planted = global i32 0/m);
  const other = plantFaults(OTHER, faults.filter(({ module }) => module === 1)); // biome-ignore format: short
  assert.match(other, /^@tangent_planted = external global i32/m);
  assert.equal(plantFaults(OTHER, []), OTHER);
});
