import { escapeHtml } from '../../contract/index.ts';
import type { FailedCheck, RuleResult } from '../verdicts/report.ts';
import { scriptPath } from '../replay/repeat.ts';
import { plural } from './style.ts';

/** A rule of the page: its statement, its source, the evidence, and how to reproduce it. */
export function ruleDetails(rule: RuleResult, isKnown: boolean, folder: string | undefined): string {
  const { id, level, verdict, says, reason, fixtureLine, repeat } = rule;
  const rows = [
    row('cites', citationOf(rule)),
    row('reason', text(reason)),
    ...(rule.failures === undefined
      ? [row('expected', text(rule.expected)), row('got', code(rule.observed))]
      : failedChecks(rule.failures)),
    row('add', code(fixtureLine)),
    row(
      'repeat',
      code(repeat === undefined ? undefined : `${repeat.replay}\n\nsh ${scriptPath(folder, id)}`),
    ),
    restOfChecks(rule),
  ];
  const mark = isKnown ? '<span class="level">known, listed in the baseline</span>' : '';
  return `<details class="rule" id="${escapeHtml(id)}" data-verdict="${escapeHtml(verdict)}"${verdict === 'fail' && !isKnown ? ' open' : ''}>
<summary><span class="verdict ${escapeHtml(verdict)}">${escapeHtml(verdict)}</span><span><span class="id">${escapeHtml(id)}</span><span class="level">${escapeHtml(level)}</span>${mark}</span><span class="says">${prose(says)}</span></summary>
<dl>${rows.join('')}</dl></details>`;
}

/** A statement of the sheet, with text between backticks as code. */
export function prose(statement: string): string {
  return escapeHtml(statement).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** @param others exchanges that are shown beside it */
export function exchangeButton(id: string, others: readonly string[] = [], mark = ''): string {
  const ids = [...others, id].map(escapeHtml).join(' ');
  const label = escapeHtml([...others, id].join(' beside '));
  return `<button class="exchange${mark}" type="button" data-ids="${ids}">${label}</button>`;
}

// --- internal ---

function row(term: string, shown: string): string {
  return shown === '' ? '' : `<dt>${term}</dt><dd>${shown}</dd>`;
}

function text(value: string | undefined): string {
  return escapeHtml(value ?? '');
}

function code(value: string | undefined): string {
  return value === undefined || value === '' ? '' : `<pre>${escapeHtml(value)}</pre>`;
}

/** The name of the document, linked if its address is known, and a few words of the rule. */
function citationOf({ source, says }: RuleResult): string {
  const { document, title, url, section, item } = source;
  const name = escapeHtml(title ?? `document ${document}`);
  const isAddress = url !== undefined && /^https?:\/\//i.test(url);
  const named = isAddress ? `<a href="${escapeHtml(url)}" rel="noreferrer">${name}</a>` : `<b>${name}</b>`;
  const words = says.split(/\s+/);
  const few = words.slice(0, MOST_WORDS).join(' ') + (words.length > MOST_WORDS ? ' …' : '');
  const number = title === undefined ? '' : ` (document ${document})`;
  return `${named}${number}, ${escapeHtml(`${section}, ${item}`)}: <q>${prose(few)}</q>`;
}

const MOST_WORDS = 9;

/**
 * Each expectation that was not met, equal ones together, with the evidence: the last exchange of each check
 * decided.
 */
function failedChecks(failures: readonly FailedCheck[]): readonly string[] {
  const alike = new Map<string, FailedCheck[]>();
  for (const failure of failures) {
    const key = JSON.stringify([failure.expected, failure.observed]);
    alike.set(key, [...(alike.get(key) ?? []), failure]);
  }
  return [...alike.values()].map((group) => {
    const [{ expected, observed } = { expected: '', observed: '' }] = group;
    const times = group.length === 1 ? '' : ` ${group.length} times`;
    const buttons = group.map(({ exchanges }) => buttonsOf(exchanges)).join('');
    return `<dt class="fail">failed${times}</dt><dd><p class="check">expected ${escapeHtml(expected)}</p>${code(observed)}<p class="seen">${buttons}</p></dd>`;
  });
}

/** If a check compares exchanges, the first one is shown beside the deciding one. */
function buttonsOf(exchanges: readonly string[]): string {
  const [deciding, ...earlier] = exchanges;
  const first = earlier.at(-1);
  if (deciding === undefined) return '';
  const compared = first === undefined ? '' : exchangeButton(deciding, [first], ' failed');
  const each = exchanges.map((id) => exchangeButton(id, [], id === deciding ? ' failed' : ''));
  return `${compared}${each.join('')}`;
}

/** The other exchanges, and the number of checks that they represent. */
function restOfChecks({ exchanges, failures = [], checks, failed }: RuleResult): string {
  if (exchanges.length === 0) return '';
  const shown = new Set(failures.flatMap((failure) => failure.exchanges));
  const rest = exchanges.filter((id) => !shown.has(id)).map((id) => exchangeButton(id));
  const unshown = failed - failures.length;
  const sums = [
    ...(failures.length === 0 ? [] : [`${failed} of ${plural(checks, 'check')} failed`]),
    ...(unshown > 0 && failures.length > 0 ? [`${unshown} of them are not shown`] : []),
  ].join('; ');
  return row(failures.length === 0 ? plural(checks, 'check') : 'checks', `${sums} ${rest.join('')}`.trim());
}
