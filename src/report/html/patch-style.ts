// What only the page of a patch has: the diff and its states, and behaviour side by side. Colours are those of
// style.ts.

export const PATCH_STYLE = `
.patch-total { max-width: 46rem; } .patch-total p { margin: 0 0 0.5rem; color: var(--ink); } .patch-total strong { font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.bar .dead { background: repeating-linear-gradient(135deg, var(--soft) 0 2px, transparent 2px 6px); }
.dl .state { justify-self: start; }
#behaviour > .quiet { margin-bottom: 0.75rem; }
.notes { margin: 1rem 0 0; padding-left: 1.25rem; }
.legend.states { margin: 0 0 1rem; gap: 0.375rem 1.25rem; }
.state { display: inline-block; min-width: 1.25rem; text-align: center; border-radius: 3px; font: 700 0.75rem/1.25rem var(--mono); color: var(--soft); }
.state.covered { background: var(--tests-wash); color: var(--ink); box-shadow: inset 0 0 0 1px var(--tests); }
.state.reached { background: var(--added-wash); color: var(--accent); box-shadow: inset 0 0 0 1px var(--added); }
.state.not-reached { background: var(--missed-wash); color: var(--missed-ink); box-shadow: inset 0 0 0 1px var(--missed-ink); }
.state.unreachable { background: var(--sunk); box-shadow: inset 0 0 0 1px var(--soft); text-decoration: line-through; }
.patch-file { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); margin: 0 0 1rem; overflow: hidden; }
.patch-file > summary { padding: 0.625rem 1rem; cursor: pointer; border-bottom: 1px solid var(--line); }
.patch-file > summary h3 { font-family: var(--mono); font-size: 0.875rem; overflow-wrap: anywhere; }
.counts { float: right; font: 600 0.8125rem/1.6 var(--mono); } .counts .plus { color: var(--accent); } .counts .minus { color: var(--was-ink); }
.hunks { padding-bottom: 0.375rem; }
.dl { display: grid; grid-template-columns: 3rem 3rem 1.25rem 1.75rem minmax(0, 1fr); align-items: start; line-height: 1.6; color: inherit; text-decoration: none; list-style: none; padding-right: 0.75rem; }
.dl::-webkit-details-marker { display: none; }
.dl i { font: normal 0.75rem/1.75 var(--mono); color: var(--soft); text-align: right; padding-right: 0.75rem; user-select: none; -webkit-user-select: none; }
.dl .sign { font: 700 0.8125rem/1.6 var(--mono); user-select: none; -webkit-user-select: none; }
.dl code { white-space: pre-wrap; overflow-wrap: anywhere; }
.dl.hunk { display: block; padding: 0.25rem 1rem; background: var(--sunk); color: var(--soft); }
.dl.added .sign { color: var(--accent); } .dl.removed { background: var(--sunk); } .dl.removed .sign { color: var(--was-ink); } .dl.removed code { color: var(--soft); }
.dl.is-covered { background: var(--tests-wash); } .dl.is-reached { background: var(--added-wash); } .dl.is-not-reached { background: var(--missed-wash); }
.dl.is-white-space { opacity: .7; }
.dl.is-unreachable { background: repeating-linear-gradient(135deg, transparent 0 8px, var(--sunk) 8px 16px); }
details.line > summary { cursor: pointer; } details.line > summary.dl:hover code, a.dl:hover code { text-decoration: underline; text-decoration-style: dotted; text-underline-offset: 0.2em; }
details.line > summary.dl .state::after { content: " ▾"; font-size: 0.625rem; } details.line[open] > summary.dl .state::after { content: " ▴"; }
details.line > summary.dl, a.dl { grid-template-columns: 3rem 3rem 1.25rem 2.25rem minmax(0, 1fr); } .hunks .dl { grid-template-columns: 3rem 3rem 1.25rem 2.25rem minmax(0, 1fr); }
.line-body { padding: 0.25rem 1.25rem 1.25rem; border-block: 1px solid var(--line); background: var(--card); box-shadow: inset 3px 0 0 var(--accent); }
.line-body ul, .line-body ol { margin: 0.5rem 0 0; padding-left: 1.5rem; overflow-wrap: anywhere; }
.target { border-bottom: 1px solid var(--line); } .target > summary, p.target { padding: 0.5rem; margin: 0; }
.content { background: var(--sunk); border-radius: 0.5rem; padding: 0.5rem 1rem; max-height: 20rem; overflow: auto; }
.content > code { white-space: pre-wrap; overflow-wrap: anywhere; width: auto; }
.tree { list-style: none; }
.change { background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; margin: 0 0 0.75rem; }
.change.crash { box-shadow: inset 3px 0 0 var(--critical); }
.change > summary { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; padding: 0.75rem 1.25rem; cursor: pointer; list-style: none; }
.change > summary::-webkit-details-marker { display: none; }
.change > summary .headline { flex: 1 1 20rem; } .change > summary .headline code { overflow-wrap: anywhere; }
.verdict { font-weight: 700; } .verdict.crash { color: var(--critical); } .verdict.different { color: var(--medium); } .verdict.fixed { color: var(--accent); }
.change-body { padding: 0.75rem 1.25rem 1.25rem; border-top: 1px solid var(--line); }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.75rem; }
.sides figcaption { font-size: 0.8125rem; color: var(--soft); }
.sides pre { background: var(--sunk); border-radius: 0.5rem; padding: 0.5rem 0.75rem; max-height: 24rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.sides pre > code { width: auto; } .sides mark { text-decoration: none; }
@media (max-width: 44rem) {
  .sides { grid-template-columns: minmax(0, 1fr); }
  .dl i:first-child { display: none; }
  .hunks .dl, details.line > summary.dl, a.dl { grid-template-columns: 2.5rem 1rem 2rem minmax(0, 1fr); }
  .dl.hunk { display: block; }
}
@media print { .patch-file, .change { break-inside: auto; } .content, .sides pre { max-height: none; } }
@media (forced-colors: active) { .state { forced-color-adjust: none; } }
`;
