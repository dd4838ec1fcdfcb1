import { isRecord } from '../record.ts';
import { compiles, fromForeignPattern } from './foreign-pattern.ts';
import { type RepairedSchema, type TellSlip } from './schema-slip.ts';

/** Patterns of another language than JavaScript. */
export function repairPatterns(value: RepairedSchema, tell: TellSlip): void {
  const { pattern, patternProperties } = value;
  const read = typeof pattern === 'string' ? fromForeignPattern(pattern) : undefined;
  if (read !== undefined) {
    value['pattern'] = read;
    tell(
      'a pattern of another language',
      'pattern',
      `the pattern ${String(pattern)} is not one of JavaScript`,
      read,
    );
  }
  if (read === undefined && typeof pattern === 'string' && !compiles(pattern)) {
    delete value['pattern'];
    const wrong = `the pattern ${pattern} is not one of JavaScript`;
    tell('a pattern that cannot be checked', 'pattern', wrong, 'absent: any text', 'name');
  }
  for (const [name, schema] of isRecord(patternProperties) ? Object.entries(patternProperties) : []) {
    const readName = fromForeignPattern(name);
    if (readName === undefined || Object.hasOwn(patternProperties as RepairedSchema, readName)) continue;
    Reflect.deleteProperty(patternProperties as RepairedSchema, name);
    (patternProperties as RepairedSchema)[readName] = schema;
    tell(
      'a pattern of another language',
      'patternProperties',
      `the pattern ${name} is not one of JavaScript`,
      readName,
    );
  }
}
