import assert from "node:assert/strict";
import { test } from "node:test";
import { renderPlot } from "./plot.js";

test("plot: the axes end at round numbers beyond the data, and the last value holds to the end", () => {
  const svg = renderPlot("a < b", "instructions", [
    { name: "one", colour: "red", points: [[0, 0], [10, 470], [60, 480]] }, // biome-ignore format: points
    { name: "none", colour: "blue", points: [] },
  ]);
  assert.match(svg, /a &lt; b/);
  assert.match(svg, />500</);
  assert.match(svg, />60 s</);
  assert.match(svg, /<path d="M70\.0 330\.0H161\.7V57\.4H620\.0V51\.6H620\.0" fill="none" stroke="red"/);
  assert.match(svg, /<path d="" fill="none" stroke="blue"/);
});
