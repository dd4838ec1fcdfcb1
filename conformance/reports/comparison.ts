import { visibleStrings } from '../../contract/index.ts';
import type { ChangedRule, Comparison } from '../verdicts/compare.ts';
import { makeStyle, plural } from './style.ts';
import type { Style } from './style.ts';

/** A comparison for the terminal: newly broken rules first. */
export function renderComparison(
  comparison: Comparison,
  options: { readonly colour?: boolean; readonly ascii?: boolean } = {},
): string {
  const style = makeStyle(options);
  const { broken, mended, lost, otherwise, unchanged, doubts } = visibleStrings(comparison);
  const { fail, pass, note, warn } = style.symbols;
  const lines = [
    ...doubts.map((doubt) => `${style.caution(warn)} ${doubt}`),
    ...broken.map((rule) => `${style.bad(fail)} ${change(rule, style)}`),
    ...(broken.length > 0 ? [''] : []),
    ...lost.map((rule) => `${style.caution(warn)} ${change(rule, style)}`),
    ...(lost.length > 0 ? [''] : []),
    ...mended.map((rule) => `${style.good(pass)} ${change(rule, style)}`),
    ...otherwise.map((rule) => `${style.dim(note)} ${change(rule, style)}`),
    `  ${broken.length} newly broken · ${lost.length} passed before and are not decided now · ${mended.length} fixed · ${plural(otherwise.length, 'other change')} · ${unchanged} unchanged`,
  ];
  return `${lines.join('\n')}\n`;
}

// --- internal ---

function change({ id, before, after, observed, reason }: ChangedRule, style: Style): string {
  const isBroken = after === 'fail' || after === 'warn';
  const why = isBroken ? observed : before === 'pass' ? reason : undefined;
  const seen = why === undefined ? '' : `\n    ${style.dim(isBroken ? 'got' : 'now')}  ${why}`;
  return `${style.bold(id)}   ${before ?? 'absent'} → ${after ?? 'absent'}${seen}`;
}
