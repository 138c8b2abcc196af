// What the campaign left out, in words that say what it means and what could be done about it. Nothing that is counted is
// hidden: a reason without words of its own is shown as it is called.

import type { CampaignResult } from "../campaign-result.js";
import { type Html, html } from "./markup.js";

const WORDS: readonly (readonly [prefix: string, words: string])[] = [
  ["checks skipped because they took too long", "The checks of a test may take a share of its time; these came after it. More time for each test (--seed-time) makes them."],
  ["paths beyond the distance", "They leave the tests' paths further away than the distance allows. A larger distance (--distance) goes there."],
  ["failures that are the virtual machine", "A test, or a path next to it, failed only because the virtual machine starts no processes and has no network, or shows streams otherwise than the system. They are no bugs, and are not reported."],
  ["tests at a distance that took all of their time", "There was more to look at than time. More of it for each test (--seed-time), or for all (--time), goes on from there."],
  ["tests at a distance that did not end", "They ignored their time and were terminated; what they had found until then is kept."],
  ["tests at a distance that were lost", "A mistake of Tangent's own, or too little memory, ended them. Please report it."],
  ["tests whose plain run", "What such a test covers is known only as far as it came. More time for each test (--seed-time) lets it end."],
  ["tests that end otherwise", "Their status is another one than when they were recorded: the virtual machine lacks something, or the test depends on its surroundings. What lies behind the difference was not looked at."],
  ["functions of which not all paths", "There was more to look at than time. More of it for each function (--unit-time), or for all (--time), goes on from there."],
  ["whole runs for a failure of which", "The way from the program's input to a failing function has more paths than there was time for. More of it (--time) goes on from there."],
  ["functions that cannot be tested by themselves", "What they take cannot be made, for example because they have no debug information. The table of functions says of each why."],
  ["functions or tests that did not end", "They ignored their time and were terminated; what they had found until then is kept."],
  ["functions or tests that were lost", "A mistake of Tangent's own, or too little memory, ended them. Please report it."],
  ["conditions of a call that could not be decided", "Whether a caller can make a function fail was too hard a question for the time it may take."],
  ["solver gave up", "The conditions of these paths were too hard for the time a question may take. They may hide anything."],
  ["paths dropped for want of memory", "They were known and feasible perhaps, but there was no room to keep them."],
  ["paths that ended in limit", "The program ran longer than one path may. It may be a slow path, or an endless loop."],
  ["paths that ended in unsupported", "The program asked for something the virtual machine does not have."],
  ["made concrete: system-call", "A value that depends on the input went to the operating system. Only what it was on that run was followed; its other values are tried where they change a branch."],
  ["made concrete: floating-point", "Arithmetic with long double, and what the library computes with it, is followed as it happened, not for all inputs."],
  ["made concrete: allocation-size", "The size of an allocation depends on the input; the size it had was used."],
  ["made concrete: copy-size", "How many bytes are copied depends on the input; the number it was on that run was used."],
  ["made concrete: store-address", "An address that depends on the input was written to; the place it was on that run was used."],
  ["made concrete: load-address", "An address that depends on the input and reaches too much was read from; the place it was on that run was used."],
  ["made concrete: lookup-too-deep", "A table was read at a place that comes out of other tables, as in a generated scanner or parser; the entry it was on that run was used. The others are paths of their own."],
  ["made concrete", "A value that depends on the input was used as it was on that run, where following all its values would cost too much."],
]; // biome-ignore format: a table

export function notExploredSection({ notExplored, totals, notes = [] }: CampaignResult): Html {
  const told =
    notes.length === 0 ? html`` : html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;
  const entries = Object.entries(notExplored).sort((a, b) => b[1] - a[1]);
  if (totals.divergences > 0) entries.push(["runs that took another path than predicted", totals.divergences]);
  if (totals.unconfirmed > 0) entries.push(["inputs that did not fail when run again", totals.unconfirmed]);
  if (entries.length === 0)
    return html`<p class="quiet">Nothing was left out within the limits that were set.</p>${told}`;
  return html`<dl class="reasons">${entries.map(
    ([reason, count]) =>
      html`<div><dt><span class="count">${count.toLocaleString("en-US").replaceAll(",", "\u00a0")}</span> ${reason}</dt><dd>${reasonInWords(reason)}</dd></div>`,
  )}</dl>${told}`;
}

/** "": it has no words but its own. */
export function reasonInWords(reason: string): string {
  return WORDS.find(([prefix]) => reason.startsWith(prefix))?.[1] ?? "";
}
