import { joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import { onlyType } from './enums.ts';
import type { Repaired } from './repair-list.ts';

/** A style that is not allowed at a parameter's position has no effect on a single value. */
export function repairStyle(value: Record<string, unknown>, pointer: string, repaired: Repaired): void {
  const { style, schema } = value;
  const styles = STYLES[String(value['in'])];
  if (typeof style !== 'string' || styles === undefined || styles.includes(style)) return;
  const meant = styles.find((other) => other.toLowerCase() === style.toLowerCase());
  if (style === 'simple' && value['in'] !== 'path') {
    // A list with commas, as in a path.
    delete value['style'];
    value['explode'] ??= false;
    const wrong = `style cannot be "simple" in ${String(value['in'])}`;
    const read = 'explode: false';
    return repaired({
      kind: 'a style of another place',
      pointer: joinPointer(pointer, 'style'),
      wrong,
      read,
    });
  }
  const type = isRecord(schema) ? onlyType(schema['type']) : undefined;
  if (meant === undefined && (!ALL_STYLES.has(style) || type === undefined || !SINGLE.has(type))) return;
  if (meant === undefined) delete value['style'];
  else value['style'] = meant;
  repaired({
    kind: 'a style of another place',
    pointer: joinPointer(pointer, 'style'),
    wrong: `style cannot be ${JSON.stringify(style)} in ${String(value['in'])}`,
    read: meant ?? 'absent, since a single value has the same form in each',
  });
}

// --- internal ---

const SINGLE: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean']);

const STYLES: Readonly<Record<string, readonly string[]>> = {
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  path: ['simple', 'label', 'matrix'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

const ALL_STYLES: ReadonlySet<string> = new Set(Object.values(STYLES).flat());
