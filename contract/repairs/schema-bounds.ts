import { canonical } from '../canonical-json.ts';
import { type RepairedSchema, type TellSlip } from './schema-slip.ts';

/** Lists with a value twice, or without any. */
export function repairLists(value: RepairedSchema, tell: TellSlip): void {
  for (const name of ['required', 'enum']) {
    const list: unknown = value[name];
    if (!Array.isArray(list)) continue;
    const distinct = distinctOf(list);
    if (distinct.length < list.length) {
      value[name] = distinct;
      tell(`a value twice in ${name}`, name, `${name} contains the same item twice`, 'one of them', 'name');
    }
  }
  const values = value['enum'];
  if (values === null && typeof value['type'] === 'string') {
    delete value['enum'];
    tell('a member without a value', 'enum', 'enum has no value', 'absent', 'name');
  }
  if (Array.isArray(values) && values.length === 0) {
    delete value['enum'];
    const parts = Array.isArray(value['allOf']) ? (value['allOf'] as unknown[]) : [];
    value['allOf'] = [...parts, { not: {} }];
    tell('an enum without values', 'enum', 'enum is empty', 'a schema that no value matches', 'name');
  }
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    const list: unknown = value[name];
    if (!Array.isArray(list) || list.length > 0) continue;
    Reflect.deleteProperty(value, name);
    tell(`an empty ${name}`, name, `${name} is empty`, 'absent', 'name');
  }
}

/** Exclusive bounds as in OpenAPI 3.0, and negative lengths. */
export function repairBounds(value: RepairedSchema, dialect: '3.0' | '3.1', tell: TellSlip): void {
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const given = value[exclusive];
    const bound = value[inclusive];
    if (typeof given === 'boolean') {
      if (dialect === '3.0' && (given === false || typeof bound === 'number')) continue;
      Reflect.deleteProperty(value, exclusive);
      if (given && typeof bound === 'number') {
        value[exclusive] = bound;
        Reflect.deleteProperty(value, inclusive);
        tell(
          'an exclusive bound as in OpenAPI 3.0',
          exclusive,
          `${exclusive} is true`,
          `${exclusive}: ${String(bound)}`,
        );
      } else {
        const wrong = given ? `${exclusive} is true without ${inclusive}` : `${exclusive} is false`;
        tell('an exclusive bound as in OpenAPI 3.0', exclusive, wrong, 'absent', 'name');
      }
    }
  }
  for (const name of ['minLength', 'minItems', 'minProperties']) {
    const least = value[name];
    if (typeof least !== 'number' || !(least < 0)) continue;
    Reflect.deleteProperty(value, name);
    tell(
      'a negative minimum of a length',
      name,
      `${name} is ${String(least)}`,
      'absent: no length is negative',
      'name',
    );
  }
}

/** Bounds that no value is compared with, and counts that are not whole. */
export function repairNumbers(value: RepairedSchema, tell: TellSlip): void {
  for (const name of NUMBERS) {
    const bound = value[name];
    const isNothing = typeof bound === 'string' || (name === 'multipleOf' && bound === 0);
    if (!isNothing) continue;
    Reflect.deleteProperty(value, name);
    tell('a bound without effect', name, `${name} is ${JSON.stringify(bound)}`, 'absent', 'name');
  }
  for (const name of COUNTS) {
    const bound = value[name];
    if (typeof bound !== 'number' || Number.isInteger(bound) || !Number.isFinite(bound)) continue;
    const read = name.startsWith('min') ? Math.ceil(bound) : Math.floor(bound);
    value[name] = read;
    tell('a count that is not whole', name, `${name} is ${String(bound)}`, String(read));
  }
}

// --- internal ---

const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', ...COUNTS];

function distinctOf(list: readonly unknown[]): unknown[] {
  const seen = new Set<string | undefined>();
  return list.filter((item) => {
    const text = canonical(item);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}
