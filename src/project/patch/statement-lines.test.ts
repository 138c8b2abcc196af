import assert from "node:assert/strict";
import { test } from "node:test";
import { statementStarts } from "./statement-lines.js";

const SOURCE = `int f (int a)
{
  if (a > 1
      && a < 7) /* small; */
    error (1, 0,
           "text; with { signs",
           a);

  switch (a)
    {
    case 1:
      g (a);
#ifdef X
      h (a,
#endif
         2);
    }
  return
    a;
}
`;

test("lines that continue a statement are led to its first line, others are not", () => {
  const lines = SOURCE.split("\n").map((_, at) => at + 1);
  const starts = statementStarts(SOURCE, lines);
  assert.deepEqual(
    [...starts].filter(([line]) => line > 2),
    [
      [4, 3],
      [5, 3],
      [6, 3],
      [7, 3],
      [19, 18],
    ],
  );
});

test("nothing is looked up for lines that do not exist, and a long text without end costs little", () => {
  assert.equal(statementStarts(SOURCE, [0, 99]).size, 0);
  const long = "x,\n".repeat(100_000);
  assert.equal(statementStarts(long, [50_000]).get(50_000), 50_000 - 59);
});
