// What only the page of a composition has: boxes of functions, one above the other, with an arrow between them. Colours are those of
// style.ts.

export const COMPOSE_STYLE = `
.lifting { background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; margin: 0 0 0.75rem; }
.lifting > summary { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: baseline; padding: 0.75rem 1.25rem; cursor: pointer; list-style: none; }
.lifting > summary::-webkit-details-marker { display: none; }
.lifting > summary .headline { flex: 1 1 20rem; }
.lifting > summary:hover h3 { text-decoration: underline; text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
.decisive { flex: 0 0 100%; color: var(--soft); font-size: 0.9375rem; overflow-wrap: anywhere; } .decisive code { color: var(--ink); }
.lifting-body { padding: 0.75rem 1.25rem 1.25rem; border-top: 1px solid var(--line); }
.obstacles { margin: 0.5rem 0 0; padding-left: 1.25rem; } .obstacles li { padding: 0.125rem 0; overflow-wrap: anywhere; }
.chain { list-style: none; padding: 0; margin: 0.75rem 0 0; max-width: 46rem; }
.box { border: 1px solid var(--accent); background: var(--accent-soft); border-radius: 0.5rem; padding: 0.5rem 0.875rem; }
.link.failing .box { border-color: var(--hit-line); background: var(--hit); }
.stopped .link:first-child .box { border-style: dashed; }
.box-name { overflow-wrap: anywhere; } .box-name b { font-family: var(--mono); font-size: 0.9375rem; margin-right: 0.5rem; }
.box-part { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0 0.5rem; font-size: 0.875rem; padding-top: 0.125rem; }
.box-part .label { color: var(--soft); }
.values { display: flex; flex-wrap: wrap; gap: 0 0.875rem; overflow-wrap: anywhere; min-width: 0; }
.conditions code + code::before { content: "&& "; color: var(--soft); }
.liftings { margin-top: 1rem; }
.calls { display: block; position: relative; margin-left: 1.25rem; padding: 0.375rem 0 0.5rem 1rem; font-size: 0.8125rem; color: var(--soft); border-left: 2px solid var(--accent); overflow-wrap: anywhere; }
.calls::after { content: ""; position: absolute; left: calc(-0.3125rem - 1px); bottom: 0; border: 0.3125rem solid transparent; border-bottom: 0; border-top: 0.4375rem solid var(--accent); }
.chain-end { margin: 0.375rem 0 0 1.25rem; color: var(--hit-line); font-weight: 600; font-size: 0.9375rem; } .stopped .chain-end { color: var(--soft); }
@media (max-width: 40rem) { .box-part { grid-template-columns: minmax(0, 1fr); } .lifting > summary, .lifting-body { padding-inline: 1rem; } }
@media print { .lifting { break-inside: auto; } .box { break-inside: avoid; } }
@media (forced-colors: active) { .calls::after { forced-color-adjust: none; } }
`;
