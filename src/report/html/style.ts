// The page's style: one column of text that never outgrows its reader's eye, two beside a finding where there is room; system
// fonts, since a font file would be an external resource; colours as variables, set twice, for light and for dark.
// Colour never stands alone: every mark also has a sign, a word or a line under it.

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #ffffff; --sunk: #f4f2ec; --line: #e2ded4; --ink: #1c1e22; --soft: #5d6067;
  --accent: #0a6762; --accent-soft: #d9efec; --focus: #0a6762;
  --critical: #b3142c; --high: #b4480a; --medium: #85610a; --low: #4e5a6b;
  --was: #f9d5d3; --was-ink: #8d1220; --now: #ffe59a; --now-ink: #4d3800; --hit: #fdeceb; --hit-line: #b3142c;
  --tests: #6d86c4; --added: #12968d; --missed: #e4e0d6; --missed-ink: #a3291f; --tests-wash: #f1f4fb; --added-wash: #dcf3f0; --missed-wash: #fcf0ee;
  --c: #61656d; --s: #7a4a00; --n: #7a2b91; --k: #164ea8; --p: #8a3d6e;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131518; --card: #1a1d21; --sunk: #20242a; --line: #31363e; --ink: #e7e6e2; --soft: #a0a4ac;
    --accent: #6bd0c5; --accent-soft: #14403d; --focus: #8be0d6;
    --critical: #ff8a8f; --high: #ffa869; --medium: #e8c35a; --low: #a9b6c9;
    --was: #57232a; --was-ink: #ffc3c4; --now: #5c4708; --now-ink: #ffe9a8; --hit: #3a2024; --hit-line: #ff8a8f;
    --tests: #7e97d6; --added: #3fbfb3; --missed: #3a3f47; --missed-ink: #ff9d94; --tests-wash: #1d2331; --added-wash: #123633; --missed-wash: #2f2122;
    --c: #969ca7; --s: #e0b877; --n: #d3a0e6; --k: #8fb6f7; --p: #e39bc5;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 400 1rem/1.55 var(--sans); text-rendering: optimizeLegibility; }
h1, h2, h3, h4, h5, p, dl, dd, figure, pre, ol { margin: 0; }
h2 { font-size: 1.375rem; font-weight: 650; letter-spacing: -0.01em; margin: 0 0 1rem; }
h3 { font-size: 1.0625rem; font-weight: 620; line-height: 1.35; display: inline; }
h4 { font-size: 0.9375rem; font-weight: 640; margin: 1.75rem 0 0.5rem; }
h5 { font-size: 0.875rem; font-weight: 400; margin: 1rem 0 0.375rem; }
code, pre { font-family: var(--mono); font-size: 0.8125rem; font-variant-ligatures: none; tab-size: 8; }
pre { overflow-x: auto; line-height: 1.6; }
pre code { font-size: inherit; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
abbr { text-decoration: none; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
[hidden] { display: none !important; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.quiet { color: var(--soft); }
.skip { position: absolute; left: -999px; top: 0; z-index: 9; background: var(--card); padding: 0.5rem 1rem; }
.skip:focus { left: 0.5rem; top: 0.5rem; }

.top { position: sticky; top: 0; z-index: 5; background: var(--paper); border-bottom: 1px solid var(--line); }
.bar-inner, main, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.5rem; }
.bar-inner { display: flex; align-items: center; gap: 2rem; min-height: 3.25rem; }
.mark-name { display: inline-flex; align-items: center; gap: 0.5rem; font-weight: 680; letter-spacing: -0.01em; }
.mark-name svg { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round; }
.mark-name .dot { fill: var(--accent); stroke: var(--paper); stroke-width: 1.5; }
nav { display: flex; gap: 1.25rem; overflow-x: auto; scrollbar-width: none; margin-left: auto; padding: 0.25rem; }
nav a { color: var(--soft); text-decoration: none; font-size: 0.9375rem; white-space: nowrap; padding: 0.375rem 0; }
nav a:hover { color: var(--ink); text-decoration: underline; }

.hero { padding: 3rem 0 0.5rem; }
.project { color: var(--soft); font-weight: 560; overflow-wrap: anywhere; }
h1 { font-size: clamp(1.875rem, 1.2rem + 3vw, 3rem); line-height: 1.12; letter-spacing: -0.025em; font-weight: 720; margin: 0.25rem 0 0.75rem; text-wrap: balance; }
h1.good { color: var(--accent); }
.lead { max-width: 46rem; color: var(--soft); font-size: 1.0625rem; text-wrap: pretty; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 1.25rem 1.5rem; margin: 2rem 0 0; padding: 1.25rem 0; border-block: 1px solid var(--line); }
.figures div { display: flex; flex-direction: column-reverse; justify-content: flex-end; }
.figures dt { color: var(--soft); font-size: 0.875rem; }
.figures dd { font-size: 1.5rem; font-weight: 640; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; line-height: 1.25; }
main > section { padding: 3rem 0 0; }

.controls { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin: 0 0 1rem; }
html:not(.js) .controls, html:not(.js) th button { display: none; }
html.js th .plain { display: none; }
input[type="search"] { font: inherit; font-size: 0.9375rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.4rem 0.75rem; width: min(20rem, 100%); }
input::placeholder { color: var(--soft); opacity: 1; }
.controls .search { flex: 1 1 15rem; }
.search input { width: 100%; }
.chip { font: inherit; font-size: 0.875rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 2rem; padding: 0.375rem 0.875rem; cursor: pointer; min-height: 2.25rem; }
.chip:hover { border-color: var(--soft); }
.chip[aria-pressed="false"] { opacity: 0.6; text-decoration: line-through; }
.chip .dot { display: inline-block; width: 0.6em; height: 0.6em; border-radius: 50%; margin-right: 0.45em; background: currentColor; }
.count { font-variant-numeric: tabular-nums; }
.dot.critical, .mark.critical { color: var(--critical); } .dot.high, .mark.high { color: var(--high); } .dot.medium, .mark.medium { color: var(--medium); } .dot.low, .mark.low { color: var(--low); }

.finding { background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; margin: 0 0 0.75rem; scroll-margin-top: 4.5rem; }
.group { border-left: 3px solid var(--line); padding-left: 0.75rem; margin: 0 0 0.75rem; }
.group-note { margin: 0 0 0.5rem; } .hint { max-width: 44rem; border-left: 3px solid var(--accent); padding-left: 0.75rem; }
.suppressed-head { margin: 1.5rem 0 0.5rem; }
.finding > summary { display: grid; grid-template-columns: 5.25rem 1fr auto 1rem; gap: 0.25rem 1rem; align-items: baseline; padding: 0.875rem 1.25rem; cursor: pointer; list-style: none; border-radius: 0.75rem; }
.finding > summary::-webkit-details-marker { display: none; }
.finding > summary::after { content: ""; width: 0.5rem; height: 0.5rem; border-right: 2px solid var(--soft); border-bottom: 2px solid var(--soft); transform: rotate(45deg) translate(-0.15rem, -0.15rem); justify-self: end; }
.finding[open] > summary::after { transform: rotate(225deg) translate(-0.1rem, -0.1rem); }
.finding > summary:hover h3 { text-decoration: underline; text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
.severity { font-size: 0.8125rem; font-weight: 640; color: var(--low); }
.severity::before { content: ""; display: inline-block; width: 0.625rem; height: 0.625rem; border-radius: 2px; background: currentColor; margin-right: 0.5rem; }
.severity.critical { color: var(--critical); } .severity.high { color: var(--high); } .severity.medium { color: var(--medium); }
.severity.critical::before { transform: rotate(45deg) scale(0.9); }
.severity.medium::before { border-radius: 50%; } .severity.low::before { background: none; border: 2px solid currentColor; border-radius: 50%; }
.headline { display: flex; flex-wrap: wrap; gap: 0 0.75rem; align-items: baseline; min-width: 0; }
.where { color: var(--soft); font-family: var(--mono); font-size: 0.8125rem; overflow-wrap: anywhere; }
.tags { display: flex; gap: 0.375rem; }
.tag { font-size: 0.8125rem; color: var(--soft); background: var(--sunk); border-radius: 0.375rem; padding: 0.0625rem 0.5rem; white-space: nowrap; }
.body { display: grid; grid-template-columns: minmax(0, 1fr) 17rem; gap: 2.5rem; padding: 0.25rem 1.25rem 1.5rem; border-top: 1px solid var(--line); }
.message { font-size: 1.0625rem; font-weight: 560; margin-top: 1rem; overflow-wrap: anywhere; text-wrap: pretty; }
.story > .quiet { max-width: 44rem; }
aside { padding-top: 1rem; font-size: 0.9375rem; }
aside dl div { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
aside dt { color: var(--soft); font-size: 0.8125rem; }
aside dd { overflow-wrap: anywhere; }

.source, .rows, .listing { background: var(--sunk); border-radius: 0.5rem; }
.source { margin: 1.25rem 0 0; overflow: hidden; }
.source figcaption { font-family: var(--mono); font-size: 0.8125rem; color: var(--soft); padding: 0.5rem 1rem 0; overflow-wrap: anywhere; }
.source pre { padding: 0.375rem 0 0.75rem; }
pre > code { display: block; width: max-content; min-width: 100%; }
.l { display: block; padding-right: 1rem; white-space: pre; }
.l i { display: inline-block; font-style: normal; width: 3.25rem; padding-right: 1rem; text-align: right; color: var(--soft); user-select: none; -webkit-user-select: none; }
/* Tabs are counted from where the code begins: numbers and signs stand in the padding. */
.source .l { padding-left: 3.25rem; } .source .l i { margin-left: -3.25rem; }
.listing .l { padding-left: 4.5rem; } .listing .l i { margin-left: -4.5rem; }
.l.hit { background: var(--hit); box-shadow: inset 3px 0 0 var(--hit-line); }
.l.caret { line-height: 1; padding-bottom: 0.25rem; }
.l.caret b { color: var(--hit-line); font-size: 0.6875rem; }
.c { color: var(--c); font-style: italic; } .s { color: var(--s); } .n { color: var(--n); } .k { color: var(--k); } .p { color: var(--p); }

.memory { margin: 1.25rem 0 0; }
.memory svg { display: block; overflow: visible; }
rect.object { fill: var(--accent-soft); stroke: var(--accent); stroke-width: 1; }
line.cell { stroke: var(--accent); stroke-opacity: 0.35; }
rect.access { fill: var(--critical); fill-opacity: 0.85; }
.memory figcaption, .legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; font-size: 0.875rem; color: var(--soft); margin-top: 0.375rem; }
.key { display: inline-flex; align-items: center; gap: 0.5rem; }
.swatch { width: 0.75rem; height: 0.75rem; border-radius: 2px; flex: none; }
.swatch.object { background: var(--accent-soft); border: 1px solid var(--accent); } .swatch.access { background: var(--critical); }
.swatch.tests { background: var(--tests); } .swatch.added { background: var(--added); } .swatch.missed { background: var(--missed); border: 1px solid var(--line); }

.commands { display: grid; gap: 0.375rem; margin-top: 0.75rem; }
.command { position: relative; display: flex; align-items: stretch; background: var(--sunk); border-radius: 0.5rem; margin: 0.375rem 0 0; }
.commands .command { margin: 0; }
.command .label { flex: none; width: 3.75rem; padding: 0.5rem 0 0.5rem 1rem; color: var(--soft); font-size: 0.8125rem; line-height: 1.65; }
.command pre { flex: 1; min-width: 0; padding: 0.5rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.command pre > code { width: auto; }
.command.witness { box-shadow: inset 3px 0 0 var(--hit-line); }
.copy { flex: none; align-self: flex-start; font: inherit; font-size: 0.8125rem; color: var(--soft); background: none; border: 0; border-radius: 0.375rem; padding: 0.5rem 0.75rem; cursor: pointer; min-height: 2.25rem; }
.copy:hover { color: var(--ink); text-decoration: underline; }
mark { border-radius: 2px; padding: 0 1px; margin: 0 -1px; }
mark.was { background: var(--was); color: var(--was-ink); text-decoration: line-through; text-decoration-thickness: 1px; }
mark.now { background: var(--now); color: var(--now-ink); text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 0.2em; }
.esc { color: var(--soft); } mark .esc { color: inherit; }
.diff .label { font-weight: 620; }
.rows { padding: 0.5rem 0; }
.rows .l b { display: inline-block; width: 1.25rem; font-weight: 700; user-select: none; -webkit-user-select: none; }
.rows.text .l i { width: 0.75rem; padding: 0; }
.rows.hex .l i { width: 3.5rem; padding-right: 0.75rem; }
.controls label { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; }
.rows .minus b { color: var(--was-ink); } .rows .plus b { color: var(--added); }
.rows .same, .rows .gap { color: var(--soft); }
.rows .gap { font-family: var(--sans); font-size: 0.8125rem; padding-block: 0.125rem; }
.more { margin-top: 0.375rem; font-size: 0.875rem; }
.more > summary { cursor: pointer; color: var(--soft); padding: 0.25rem 0; width: max-content; }
.frames { padding-left: 1.75rem; }
.frames li { padding: 0.0625rem 0; font-variant-numeric: tabular-nums; }
.frames li::marker { color: var(--soft); font-size: 0.8125rem; }
.frames code { font-weight: 640; } .frames .foreign code { font-weight: 400; color: var(--soft); }

.bar { display: flex; height: 0.5rem; border-radius: 0.25rem; overflow: hidden; background: var(--missed); }
.bar .tests { background: var(--tests); } .bar .added { background: var(--added); }
.total { margin: 1rem 0 1.5rem; } .total .bar { height: 0.875rem; border-radius: 0.4375rem; } .total p { margin-top: 0.5rem; color: var(--soft); }
.files { border-top: 1px solid var(--line); }
.file { border-bottom: 1px solid var(--line); }
.file > summary, .file.plain { display: grid; grid-template-columns: minmax(0, 1fr) 8rem 12rem; gap: 0.25rem 1.5rem; align-items: center; padding: 0.625rem 0.5rem; list-style: none; }
.file > summary { cursor: pointer; }
.file > summary::-webkit-details-marker { display: none; }
.file > summary .name::before { content: "+"; display: inline-block; width: 1.25rem; color: var(--soft); }
.file[open] > summary .name::before { content: "−"; }
.file.plain .name { padding-left: 1.25rem; }
.file > summary:hover { background: var(--sunk); }
.name { font-family: var(--mono); font-size: 0.875rem; overflow-wrap: anywhere; }
.numbers { display: grid; grid-template-columns: 1fr 3rem; gap: 0.5rem; text-align: right; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.numbers .plus { color: var(--added); font-weight: 640; }
.listing { max-height: 42rem; overflow: auto; padding: 0.5rem 0; margin: 0 0 1rem; }
.listing .l b { display: inline-block; width: 1.25rem; font-weight: 700; user-select: none; -webkit-user-select: none; }
.listing .t { background: var(--tests-wash); } .listing .t b { color: var(--tests); }
.listing .a { background: var(--added-wash); } .listing .a b { color: var(--added); }
.listing .m { background: var(--missed-wash); } .listing .m b { color: var(--missed-ink); }

.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
th, td { text-align: left; padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child { padding-left: 0.25rem; }
th { font-weight: 560; color: var(--soft); font-size: 0.875rem; white-space: nowrap; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0.25rem 0; cursor: pointer; }
th button:hover { color: var(--ink); text-decoration: underline; }
th[aria-sort] button { color: var(--ink); }
th[aria-sort="ascending"] button::after { content: " ↑"; } th[aria-sort="descending"] button::after { content: " ↓"; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td code { overflow-wrap: anywhere; }
td .quiet, td .skipped { display: block; font-size: 0.8125rem; overflow-wrap: anywhere; }
td .skipped { color: var(--high); }
tr:target { background: var(--accent-soft); }

.plot { position: relative; height: 13rem; border-bottom: 1px solid var(--line); margin-top: 1.75rem; }
.plot svg { width: 100%; height: 100%; display: block; }
.plot .grid line { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.plot .area { fill: var(--tests); fill-opacity: 0.16; } .plot .curve { fill: none; stroke: var(--tests); stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.scale { position: absolute; right: 0; top: -1.5rem; font-size: 0.8125rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.marks { position: absolute; inset: 0; pointer-events: none; }
.mark { position: absolute; bottom: -0.4375rem; width: 0.875rem; height: 0.875rem; margin-left: -0.4375rem; border-radius: 2px; rotate: 45deg; background: currentColor; border: 2px solid var(--paper); pointer-events: auto; }
.mark::before { content: ""; position: absolute; inset: -0.375rem; }
.ticks { display: flex; justify-content: space-between; font-size: 0.8125rem; color: var(--soft); font-variant-numeric: tabular-nums; padding-top: 0.625rem; }
.timeline figcaption { color: var(--soft); margin-top: 0.75rem; font-size: 0.9375rem; }
.reasons div { padding: 0.75rem 0; border-top: 1px solid var(--line); }
.reasons dt { font-weight: 560; } .reasons dt .count { color: var(--accent); margin-right: 0.25rem; }
.notes, .reasons { overflow-wrap: anywhere; }
.reasons dd { color: var(--soft); max-width: 46rem; text-wrap: pretty; }
footer { padding-block: 3rem 4rem; color: var(--soft); font-size: 0.875rem; overflow-wrap: anywhere; }

@media (max-width: 56rem) {
  .body { grid-template-columns: minmax(0, 1fr); gap: 0.5rem; }
  aside dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: 0 1.5rem; }
}
@media (max-width: 40rem) {
  .bar-inner, main, footer { padding-inline: 1rem; }
  .bar-inner { gap: 1rem; }
  nav { gap: 1rem; margin-left: 0; mask-image: linear-gradient(to right, #000 85%, transparent); padding-right: 2rem; }
  .hero { padding-top: 1.75rem; }
  .figures { grid-template-columns: repeat(2, 1fr); }
  main > section { padding-top: 2.5rem; }
  .finding > summary { grid-template-columns: 1fr auto 1rem; padding: 0.875rem 1rem; }
  .headline { grid-column: 1 / -1; grid-row: 2; flex-direction: column; }
  .body { padding: 0 1rem 1rem; }
  .source, .rows { margin-inline: -1rem; border-radius: 0; }
  .l i { width: 2.5rem; padding-right: 0.75rem; }
  .source .l { padding-left: 2.5rem; } .source .l i { margin-left: -2.5rem; }
  .listing .l { padding-left: 3.75rem; } .listing .l i { margin-left: -3.75rem; }
  .file > summary, .file.plain { grid-template-columns: minmax(0, 1fr) auto; }
  .file .bar { grid-column: 1 / -1; }
  .numbers { grid-template-columns: auto auto; }
  .ticks span:nth-child(even) { display: none; }
  .seeds, .seeds thead, .seeds tbody { display: block; }
  .seeds tr { display: flex; flex-wrap: wrap; gap: 0.125rem 1rem; padding-block: 0.625rem; border-bottom: 1px solid var(--line); }
  .seeds th, .seeds td { border: 0; padding: 0; text-align: left; }
  .seeds td:first-child { flex: 0 0 100%; }
  .seeds td:empty { display: none; }
  .seeds td[data-label]::before { content: attr(data-label) " "; color: var(--soft); }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  :root { --paper: #fff; --card: #fff; }
  body { font-size: 10pt; }
  .top, .controls, .copy, .skip { display: none; }
  .finding { break-inside: auto; border-color: #999; }
  .finding > summary { break-after: avoid; }
  .finding::details-content { content-visibility: visible; block-size: auto; }
  .source, .command, .memory, .diff { break-inside: avoid; }
  pre { white-space: pre-wrap; }
  .listing { max-height: none; }
  a { color: inherit; }
}
@media (forced-colors: active) { .bar .tests, .bar .added, rect.object, rect.access { forced-color-adjust: none; } }
`;
