import {
  isFar,
  markdownCode,
  escapeMarkdown,
  shownPlace,
  visible,
  visibleStrings,
  workflowMessage,
  workflowProperty,
} from '../../contract/index.ts';
import type { Change, Contract, Diff, Party, Place } from '../../contract/index.ts';
import { breaks, type Judgement, judgementOf } from '../../contract/diff/change.ts';
import { changeKinds } from '../../contract/diff/kinds.ts';
import type { Terminal } from '../terminal.ts';

export const diffFormatNames = ['text', 'markdown', 'json', 'github'] as const;
export type DiffFormat = (typeof diffFormatNames)[number];

/** A comparison with the names of its sides. */
export interface NamedDiff extends Diff {
  readonly old: Contract;
  readonly new: Contract;
}

export interface Counts {
  readonly callers: number;
  readonly servers: number;
  readonly unknown: number;
  readonly harmless: number;
}

export function countsOf({ changes }: Diff): Counts {
  const of = (judgement: Judgement): number =>
    changes.filter((change) => judgementOf(change) === judgement).length;
  const breaking = (party: Party): number => changes.filter((change) => breaks(change, party)).length;
  return {
    callers: breaking('callers'),
    servers: breaking('servers'),
    unknown: of('unknown'),
    harmless: of('harmless'),
  };
}

/** The counts as one sentence. */
export function summaryOf(diff: Diff): string {
  const { callers, servers, unknown, harmless } = countsOf(diff);
  if (diff.changes.length === 0) return 'no change; descriptions and examples are not compared';
  const verb = (count: number): string =>
    `${String(count)} ${count === 1 ? 'change breaks' : 'changes break'}`;
  return `${verb(callers)} callers, ${verb(servers)} servers; ${String(unknown)} unknown, ${String(harmless)} harmless`;
}

/** The effect of a change on callers and servers, such as `breaking for callers, and for servers in code`. */
export function judgementText(change: Change): string {
  const judgement = judgementOf(change);
  if (judgement !== 'breaking') return judgement;
  const parties = (['callers', 'servers'] as const).filter((party) => breaks(change, party));
  const [first = '', second] = parties.map(
    (party) => `for ${party}${change[party] === 'code' ? ' in code' : ''}`,
  );
  if (second === undefined) return `breaking ${first}`;
  return change.callers === change.servers
    ? `breaking for callers and servers${change.callers === 'code' ? ' in code' : ''}`
    : `breaking ${first} and ${second}`;
}

export function renderDiff(diff: NamedDiff, format: DiffFormat, terminal: Terminal): string {
  if (format === 'json') return JSON.stringify(jsonOf(diff), undefined, 2);
  if (format === 'markdown') return markdownOf(diff);
  return format === 'github' ? githubOf(diff) : textOf(diff, terminal);
}

// --- internal ---

function textOf(diff: NamedDiff, { sign, paint }: Terminal): string {
  const signs: Record<Judgement, string> = {
    breaking: paint('red', sign.bad),
    unknown: paint('yellow', sign.warning),
    harmless: paint('dim', sign.dot),
  };
  const lines = diff.changes.flatMap((change) => {
    const { kind, says, reason, operations } = visibleStrings(change);
    const judgement = judgementOf(change);
    const head = `${signs[judgement]} ${says}  ${paint('dim', `${judgementText(change)} · ${kind}`)}`;
    const places = `${placeText(change.before)} ${sign.arrow} ${placeText(change.after)}`;
    if (judgement === 'harmless') return [head, paint('dim', `    ${places}`)];
    return [
      head,
      ...(reason === undefined ? [] : [`    why: ${reason}`]),
      ...(operations.length === 0 ? [] : [`    operations: ${listOf(operations)}`]),
      `    generated code: ${changeKinds[change.kind]}`,
      paint('dim', `    ${places}`),
    ];
  });
  return [...lines, `${sign.info} ${visible(sidesOf(diff, sign.arrow))}: ${summaryOf(diff)}`].join('\n');
}

function sidesOf({ old, new: next }: NamedDiff, arrow: string): string {
  return `${old.document.file} ${arrow} ${next.document.file}`;
}

function placeText(place: Place | undefined): string {
  if (place === undefined) return 'nowhere';
  const { file, line, column, pointer } = place;
  const where =
    line === undefined || column === undefined || isFar(column) ? file : shownPlace({ file, line, column });
  return visible(`${where} ${pointer}`.trim());
}

function listOf(operations: readonly string[]): string {
  const shown = operations.slice(0, MOST_SHOWN);
  const more = operations.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}

const MOST_SHOWN = 10;

function markdownOf(diff: NamedDiff): string {
  const { changes } = diff;
  const rows = changes.map((change) => {
    const { says, reason, operations, kind } = change;
    const place =
      change.after?.file === diff.new.document.file ? change.after : (change.after ?? change.before);
    const cells = [
      judgementText(change),
      `${escapeMarkdown(says)}${reason === undefined ? '' : ` (${escapeMarkdown(reason)})`}`,
      operations.length === 0 ? '' : markdownCode(listOf(operations)),
      escapeMarkdown(changeKinds[kind]),
      markdownCode(placeText(change.before)),
      markdownCode(placeText(place)),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head =
    '| Judgement | Change | Operations | Generated code | Before | After |\n| --- | --- | --- | --- | --- | --- |';
  const title = `## ${escapeMarkdown(diff.old.title)}: ${markdownCode(diff.old.document.file)} to ${markdownCode(diff.new.document.file)}`;
  const summary = summaryOf(diff);
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return [title, sentence, ...(rows.length === 0 ? [] : [[head, ...rows].join('\n')])].join('\n\n');
}

/** Commands of GitHub Actions: an error if callers or servers break, a warning if it is unknown. */
function githubOf({ changes }: NamedDiff): string {
  return changes
    .filter((change) => judgementOf(change) !== 'harmless')
    .map((change) => {
      const { says, reason, after, before, kind, operations } = change;
      const level = judgementOf(change) === 'breaking' ? 'error' : 'warning';
      const place = after ?? before;
      const at = place === undefined ? [] : [`file=${workflowProperty(place.file)}`];
      const where =
        place?.line === undefined ? [] : [`line=${String(place.line)}`, `col=${String(place.column)}`];
      const title = workflowProperty(`${judgementText(change)} (${kind})`);
      const message = [
        says,
        ...(reason === undefined ? [] : [`why: ${reason}`]),
        ...(operations.length === 0 ? [] : [`operations: ${listOf(operations)}`]),
        `generated code: ${changeKinds[kind]}`,
      ].join('\n');
      return `::${level} ${[...at, ...where, `title=${title}`].join(',')}::${workflowMessage(message)}`;
    })
    .join('\n');
}

/** `docs/diff.schema.json` describes it. */
function jsonOf(diff: NamedDiff): object {
  const side = ({ name, title, version, document, sheet }: Contract): object => ({
    ...{ name, title, version, document: document.file, documentHash: document.hash },
    ...(sheet === undefined ? {} : { sheet: sheet.file, sheetHash: sheet.hash }),
  });
  return {
    schemaVersion: 1,
    old: side(diff.old),
    new: side(diff.new),
    counts: countsOf(diff),
    changes: diff.changes.map(({ kind, callers, servers, says, reason, operations, before, after }) => ({
      ...{ kind, judgement: judgementOf({ callers, servers }), callers, servers, says },
      ...(reason === undefined ? {} : { reason }),
      ...{ generatedCode: changeKinds[kind], operations, before, after },
    })),
  };
}
