// What the live page's style has besides the report's: places that keep their size while what they show changes.

export const LIVE_STYLE = `
.away { visibility: hidden; }
.lost { position: absolute; left: 0; right: 0; top: 100%; background: var(--now); color: var(--now-ink); padding: 0.375rem 1rem; margin: 0; text-align: center; font-size: 0.9375rem; }
#headline { min-height: 1.12em; }
#doing { min-height: 1.6em; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; max-width: none; }
.bar.time { margin: 1.25rem 0 0; }
.figures dd { white-space: nowrap; }
.acts { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin-top: 1rem; min-height: 2.75rem; }
.chip:disabled { color: var(--soft); cursor: default; }
.chip.stop:not(:disabled) { border-color: var(--critical); color: var(--critical); font-weight: 620; }
.acts code { background: var(--sunk); border-radius: 0.375rem; padding: 0.25rem 0.5rem; }
.panel { height: min(34rem, 75vh); overflow-y: auto; border: 1px solid var(--line); border-radius: 0.75rem; padding: 0.75rem; background: var(--sunk); resize: vertical; }
.panel .finding:last-child { margin-bottom: 0; }
.panel .finding > summary { grid-template-columns: 5.25rem minmax(0, 1fr) auto 1rem; }
.panel .loading { padding: 0 1.25rem 1rem; }
.below { display: flex; gap: 1rem; align-items: center; min-height: 2.75rem; margin-top: 0.5rem; }
.tall { max-height: 26rem; overflow: auto; min-height: 6rem; }
.tall thead th { position: sticky; top: 0; background: var(--paper); }
td .bar { margin-top: 0.375rem; height: 0.375rem; max-width: 18rem; }
.found-curve { fill: none; stroke: var(--critical); stroke-width: 2; stroke-dasharray: 5 3; vector-effect: non-scaling-stroke; }
.work { list-style: none; padding: 0; margin: 0.5rem 0 0; min-height: 5.5rem; }
.work li { display: grid; grid-template-columns: 8rem minmax(0, 1fr) 7rem; gap: 1rem; padding: 0.375rem 0; border-bottom: 1px solid var(--line); align-items: baseline; }
.work code { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.work .since { text-align: right; font-variant-numeric: tabular-nums; font-size: 0.875rem; }
.linked { font: inherit; font-family: var(--mono); font-size: 0.8125rem; color: var(--accent); background: none; border: 0; padding: 0.25rem 0; text-align: left; cursor: pointer; overflow-wrap: anywhere; text-decoration: underline; text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
.seed-details td { background: var(--sunk); }
rect.known { fill: var(--missed); stroke: var(--low); stroke-width: 1; vector-effect: non-scaling-stroke; } rect.fresh { fill: var(--critical); }
.swatch.fresh { background: var(--critical); } .swatch.known { background: var(--missed); border: 1px solid var(--low); } .swatch.line { background: var(--tests); height: 0.1875rem; }
.swatch.dashed { background: none; border-top: 2px dashed var(--critical); height: 0; }
dialog { background: var(--card); color: inherit; border: 1px solid var(--line); border-radius: 0.75rem; padding: 1.25rem 1.5rem; max-width: 26rem; }
dialog::backdrop { background: rgb(0 0 0 / 0.4); }
dialog dl div { display: grid; grid-template-columns: 5rem 1fr; padding: 0.25rem 0; }
kbd { font-family: var(--mono); font-size: 0.8125rem; border: 1px solid var(--line); border-radius: 0.25rem; padding: 0 0.375rem; background: var(--sunk); }
@media (max-width: 40rem) {
  .work li { grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem; }
  .work code { grid-column: 1 / -1; grid-row: 2; }
  .panel { padding: 0.5rem; height: 70vh; }
  .panel .finding > summary { grid-template-columns: 1fr auto 1rem; }
  .tall thead { display: none; }
  #doing { white-space: normal; min-height: 4.8em; max-height: 4.8em; overflow-wrap: anywhere; }
}
`;
