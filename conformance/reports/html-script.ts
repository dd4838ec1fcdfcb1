import { unseenCharacters } from '../../contract/index.ts';

/** The script of the HTML report: search, filter by verdict, links to rules, exchanges on demand. */
export const htmlScript = `
const unseen = new RegExp(${JSON.stringify(`(?![\\n\\t])${unseenCharacters}`)}, 'gu');
const unit = (one) => '\\\\u' + one.charCodeAt(0).toString(16).padStart(4, '0');
const visible = (text) => text.replace(unseen, (character) => character.split('').map(unit).join(''));
const exchanges = new Map(JSON.parse(document.getElementById('exchanges').textContent).map((one) => [one.id, one]));
const rules = [...document.querySelectorAll('details.rule')];
const rows = [...document.querySelectorAll('main > table > tbody > tr:not(:first-child)')];
const texts = new Map([...rules, ...rows].map((one) => [one, one.textContent.toLowerCase()]));
const search = document.getElementById('search');
const chips = [...document.querySelectorAll('.chip')];
const none = document.getElementById('none');
function filter() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const off = new Set(chips.filter((chip) => chip.getAttribute('aria-pressed') === 'false').map((chip) => chip.dataset.verdict));
  let shown = 0;
  for (const rule of rules) {
    const fits = !off.has(rule.dataset.verdict) && words.every((word) => texts.get(rule).includes(word));
    rule.hidden = !fits;
    if (fits) shown += 1;
  }
  for (const group of document.querySelectorAll('section.area')) group.hidden = !group.querySelector('details.rule:not([hidden])');
  for (const row of rows) {
    row.hidden = !words.every((word) => texts.get(row).includes(word));
    if (!row.hidden) shown += 1;
  }
  for (const table of document.querySelectorAll('main > table')) {
    table.hidden = !table.querySelector('tr:not(:first-child):not([hidden])');
    table.previousElementSibling.hidden = table.hidden;
  }
  none.hidden = shown > 0;
}
search.addEventListener('input', filter);
for (const chip of chips) chip.addEventListener('click', () => {
  chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') === 'false'));
  filter();
});
addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== search) { event.preventDefault(); search.focus(); }
});
const dialog = document.querySelector('dialog');
function block(title, head, body) {
  const heading = document.createElement('h3');
  heading.textContent = visible(title);
  const pre = document.createElement('pre');
  const rest = body ? '\\n\\n' + body.text + (body.cut ? '… (' + body.bytes + ' bytes)' : '') : '';
  pre.textContent = visible(head + rest);
  return [heading, pre];
}
const lines = (headers) => headers.map(([name, value]) => name + ': ' + value).join('\\n');
document.addEventListener('click', (event) => {
  const button = event.target.closest('button.exchange');
  const shown = (button && button.dataset.ids || '').split(' ').map((id) => exchanges.get(id)).filter(Boolean);
  if (shown.length === 0) return;
  dialog.querySelector('div').replaceChildren(...shown.map((one, index) => {
    const { request, answer } = one;
    const column = document.createElement('section');
    const title = document.createElement('h2');
    title.textContent = visible((shown.length > 1 ? (index === 0 ? 'first: ' : 'second: ') : '') + one.id + ' · ' + one.scenario + ' · ' + one.durationMs + ' ms');
    column.append(title,
      ...block('sent, caller: ' + request.as, request.method + ' ' + request.target + '\\n' + lines(request.headers), request.body),
      ...(answer ? block('got', answer.status + '\\n' + lines(answer.headers), answer.body) : block('got', one.failure || 'no answer')));
    return column;
  }));
  dialog.showModal();
});
function open() {
  const rule = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (rule && rule.tagName === 'DETAILS') { rule.open = true; rule.scrollIntoView(); }
}
addEventListener('hashchange', open);
open();
`;
