/** The style of the HTML report: no external requests, light and dark mode, readable on paper. */
export const htmlStyle = `
:root { color-scheme: light dark; --ground: #fbfaf7; --sheet: #fff; --ink: #23211c; --quiet: #6d685c; --line: #e2ded3;
  --pass: #2c7a4b; --fail: #b3261e; --warn: #8a5a00; --open: #5c6470; --mark: #efe9d8; }
@media (prefers-color-scheme: dark) { :root { --ground: #17171a; --sheet: #1f1f24; --ink: #e8e6e1; --quiet: #a09b90;
  --line: #35353c; --pass: #6cc58d; --fail: #ff8a80; --warn: #e3b341; --open: #9aa4b2; --mark: #33302a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 66rem; padding: 2rem 1.25rem 5rem; background: var(--ground); color: var(--ink);
  font: 16px/1.5 ui-sans-serif, system-ui, sans-serif; }
code, pre, .id { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: 0.875em; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.5rem 0 0.75rem; }
h3 { font-size: 0.95rem; margin: 1.5rem 0 0.4rem; color: var(--quiet); font-weight: 600; }
.kind { margin: 0 0 0.2rem; color: var(--quiet); font-size: 0.875rem; }
.lead { font-size: 1.1rem; margin: 0.6rem 0 0; }
h2 small { color: var(--quiet); font-weight: 400; font-size: 0.85rem; margin-left: 0.4em; }
footer { margin-top: 3rem; color: var(--quiet); font-size: 0.875rem; }
.facts { font-size: 0.9rem; color: var(--quiet); margin: 0.25rem 0 0; }
.tools { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0.75rem 0;
  background: var(--ground); border-bottom: 1px solid var(--line); }
.tools input { flex: 1 1 14rem; padding: 0.4rem 0.7rem; font: inherit; color: inherit; background: var(--sheet);
  border: 1px solid var(--line); border-radius: 6px; }
.chip { padding: 0.35rem 0.7rem; font: inherit; font-size: 0.875rem; color: inherit; background: var(--sheet);
  border: 1px solid var(--line); border-radius: 999px; cursor: pointer; }
.chip b { margin-right: 0.3em; }
.chip[aria-pressed='false'] { opacity: 0.45; text-decoration: line-through; }
.pass { color: var(--pass); } .fail, .error { color: var(--fail); } .warn, .inconclusive { color: var(--warn); }
.not-exercised, .not-applicable { color: var(--open); }
.finding { margin: 1rem 0; padding: 0.75rem 1rem; background: var(--mark); border-left: 4px solid var(--fail); border-radius: 4px; }
.finding.doubt { border-color: var(--warn); }
details.rule { background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; margin: 0.3rem 0; }
details.rule > summary { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0.2rem 0.9rem; padding: 0.5rem 0.8rem; cursor: pointer; list-style: none; }
details.rule > summary::-webkit-details-marker { display: none; }
details.rule > summary:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid var(--warn); outline-offset: 2px; }
summary .verdict { font-weight: 600; font-size: 0.875rem; }
summary .id { font-weight: 600; overflow-wrap: anywhere; }
summary .says { grid-column: 2; color: var(--quiet); font-size: 0.9rem; }
.level { color: var(--quiet); font-size: 0.8rem; margin-left: 0.6em; }
dl { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0.35rem 0.9rem; margin: 0; padding: 0.4rem 0.8rem 0.9rem; border-top: 1px solid var(--line); }
dt { color: var(--quiet); font-size: 0.875rem; } dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0; padding: 0.6rem 0.75rem; background: var(--ground); border: 1px solid var(--line); border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
button.exchange { font: inherit; font-size: 0.85rem; padding: 0 0.4rem; margin: 0 0.25rem 0.25rem 0; color: inherit;
  background: none; border: 1px solid var(--line); border-radius: 4px; cursor: pointer; }
dialog { width: min(60rem, 94vw); max-height: 90vh; padding: 1.25rem; color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
dialog::backdrop { background: rgb(0 0 0 / 0.45); }
dialog h2 { margin-top: 0; overflow-wrap: anywhere; } .beside { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; } .beside section { flex: 1 1 20rem; min-width: 0; }
.failed { border-color: var(--fail) !important; color: var(--fail) !important; } .check { margin: 0 0 0.3rem; } q { quotes: '“' '”'; color: var(--quiet); }
a { color: inherit; } dialog form { text-align: right; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; } td, th { text-align: left; vertical-align: top; padding: 0.35rem 0.6rem 0.35rem 0; border-bottom: 1px solid var(--line); }
[hidden] { display: none !important; }
dd, .facts, .finding, summary { min-width: 0; overflow-wrap: anywhere; } h2, details.rule { scroll-margin-top: 4.5rem; }
.seen { margin: 0.3rem 0 0; }
@media (max-width: 40rem) { body { padding: 1rem 0.75rem 3rem; } details.rule > summary, dl { grid-template-columns: minmax(0, 1fr); } summary .says { grid-column: 1; }
  .level { display: inline-block; } .tools { position: static; } button.exchange { padding: 0.3rem 0.6rem; }
  tbody, tr, td { display: block; overflow-wrap: anywhere; } h2, details.rule { scroll-margin-top: 0; } tr:first-child { display: none; } td { border: 0; padding: 0.15rem 0; } tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); } dialog { width: 98vw; padding: 0.75rem; } }
@media print { .tools, button.exchange { display: none; } }
`;
