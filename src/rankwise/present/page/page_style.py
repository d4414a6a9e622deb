"""The style sheet of the page: light and dark, on a phone and on paper."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5a6169; --line: #d9dde1; --back: #fff;
  --panel: #f5f7f9; --accent: #1c6dd0; --cut: #b3261e; --above: #1c6dd0; --below: #d1660f;
  --heat: #1c6dd0; --empty: #eceff2; --inverse: #fff; --added: #fde2b8; --missing: #b3261e;
  --edge: #0003; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a9b0b8; --line: #3b4046;
  --back: #16181b; --panel: #1f2226; --accent: #7db4ff; --cut: #ff8a80; --above: #7db4ff;
  --below: #ffb077; --heat: #7db4ff; --empty: #26292d; --inverse: #10151c; --added: #5c4415;
  --missing: #ff8a80; --edge: #fff4; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back);
  max-width: 112rem; margin: 1.5rem auto 4rem; padding: 0 1rem; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; margin-bottom: .3rem; }
h2 { font-size: 1.25rem; margin: 2.6rem 0 .3rem; } h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
section > p { max-width: 46rem; } p.lead, figcaption, .notes, .absent { color: var(--soft); }
a { color: var(--accent); }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; list-style: none; padding: 0;
  margin: .8rem 0; }
.tiles { display: flex; flex-wrap: wrap; gap: .7rem; padding: 0; margin: 1rem 0; list-style: none; }
.tiles li { background: var(--panel); border-radius: .5rem; padding: .5rem .9rem; }
.tiles b { display: block; font-size: 1.15rem; }
.scroll { overflow-x: auto; max-width: 100%; background: linear-gradient(to right, var(--back) 40%,
  transparent) left / 3rem 100% no-repeat local, linear-gradient(to left, var(--back) 40%,
  transparent) right / 3rem 100% no-repeat local, linear-gradient(to right, var(--edge),
  transparent) left / 1rem 100% no-repeat, linear-gradient(to left, var(--edge), transparent)
  right / 1rem 100% no-repeat; }
.scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.beside { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0 2.5rem; }
.tables { flex: 0 1 auto; min-width: min(22rem, 100%); width: fit-content; max-width: 100%; }
.tables .notes { contain: inline-size; }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums;
  font-size: .92rem; }
th, td { padding: .28rem .7rem; border-bottom: 1px solid var(--line); text-align: left;
  white-space: nowrap; } td.long { white-space: normal; overflow-wrap: anywhere; }
thead th { border-bottom-color: var(--soft); font-weight: 600; vertical-align: bottom; }
tr:has(+ tr.rule) > * { border-bottom: 2px dashed var(--cut); }
.name { position: sticky; left: 0; z-index: 1; background: var(--back); }
.right { text-align: right; } .center { text-align: center; }
th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0;
  padding: 0; cursor: pointer; } th button::after { content: " \\2195"; color: var(--soft);
  font-weight: 400; } th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr));
  gap: 1.2rem 2rem; margin: 1rem 0; flex: 1 1 26rem; min-width: 0; }
.broad { grid-column: 1 / -1; }
figure { margin: 0; max-width: 100%; } figcaption { font-size: .9rem; }
figure { min-width: min(17rem, 100%); } figcaption { contain: inline-size; }
figure details { font-size: .9rem; max-width: 100%; } figure summary { color: var(--soft); }
figure details .scroll { max-height: 24rem; overflow: auto; }
summary { cursor: pointer; }
svg { font: 12px system-ui, sans-serif; fill: var(--ink); display: block; }
figure svg { height: auto; width: clamp(.8 * var(--drawn), 100%, 1.2 * var(--drawn)); }
svg .axis, svg .tick { fill: var(--soft); } svg .name, svg .cell, svg .inverse { font-size: 11px; }
svg .grid { stroke: var(--line); } svg .range { stroke: var(--accent); stroke-width: 8;
  stroke-linecap: round; opacity: .38; } svg .dot { fill: var(--accent); }
svg .cut { stroke: var(--cut); stroke-dasharray: 5 4; } svg .fit { stroke: var(--soft);
  stroke-dasharray: 2 3; } svg .whisker { stroke: var(--soft); } svg .box { fill: var(--accent);
  fill-opacity: .38; stroke: var(--accent); } svg .median { stroke: var(--ink); stroke-width: 2; }
svg .above { fill: var(--above); } svg .below { fill: var(--below); }
svg .heat { fill: var(--heat); } svg .none { fill: var(--empty); }
svg .inverse { fill: var(--inverse); }
code { font-size: .86rem; overflow-wrap: anywhere; } pre { background: var(--panel);
  border-radius: .5rem; padding: .7rem .9rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.tools, .filters { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; align-items: center;
  margin: 1rem 0; }
.tools input, .tools select, .filters input, .filters select, .pager button, .filters button {
  font: inherit; color: inherit; background: var(--back);
  border: 1px solid var(--soft); border-radius: .35rem; padding: .25rem .5rem; max-width: 100%; }
.tools[hidden], .filters[hidden], .filters:has(> span[hidden]), .segment[hidden] {
  display: none; }
.filters input.short { width: 5rem; } .pager { text-align: center; }
.filters label { display: flex; flex-wrap: wrap; gap: .2rem .4rem; align-items: center; }
.filters span { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; }
.filters button, .pager button { cursor: pointer; }
.filters button:disabled, .pager button:disabled { color: var(--soft); cursor: default; }
.segment { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0;
  padding: .4rem .8rem; } .segment[open] > summary { margin-bottom: .5rem; }
.segment summary b { margin-right: .8rem; } .segment summary span { margin-right: .8rem;
  color: var(--soft); overflow-wrap: anywhere; }
.segment dl, .segment dd { margin: 0; } .segment dt { font-size: .82rem; color: var(--soft);
  margin-top: .55rem; } ins { background: var(--added); text-decoration: underline;
  text-decoration-thickness: 1px; }
del { color: var(--missing); font-size: .85em; margin: 0 .25em; }
.marked { padding-left: 1rem; } .marked > small { color: var(--soft); }
mark { background: var(--added); color: inherit; border-bottom: 2px solid var(--missing); }
mark small { color: var(--missing); margin-left: .3em; }
@media (max-width: 600px) { body { margin-top: .8rem; } th, td { padding: .25rem .45rem; }
  td.name { white-space: normal; max-width: 42vw; }
  figure > .scroll { max-width: calc(100vw - 2rem); } }
@media print { :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --back: #fff;
  --panel: #fff; --accent: #1c6dd0; --cut: #b3261e; --above: #1c6dd0; --below: #d1660f;
  --heat: #1c6dd0; --empty: #eee; --inverse: #fff; --added: #fde2b8; --missing: #b3261e;
  --edge: #0000; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { max-width: none; margin: 0; padding: 0; font-size: 10pt; }
  nav, .tools, .filters, .pager, section:has(.pair-table) { display: none; }
  h2, h3 { break-after: avoid; } figure, tr, .segment { break-inside: avoid; }
  svg { max-width: 100%; height: auto; }
  .scroll, figure details .scroll { overflow: visible; max-height: none; }
  table { font-size: 8.5pt; } th, td { padding: .15rem .35rem; white-space: normal; }
  th button::after { content: none; } details:not([open]) { display: none; }
  .beside { display: block; } .figures { display: flex; flex-wrap: wrap; }
  .name { position: static; } .scroll { background: none; }
  figure { flex: 0 1 46%; } figure.wide { flex-basis: 100%; } }
@page { margin: 14mm; }
"""
