import type { PlacedObject } from '../document/object-kinds.ts';
import { joinPointer, parsePointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';

/** Repairs slips in the servers of a document. */
export function repairServer({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const { url } = value;
  if (url === undefined) {
    value['url'] = '/';
    const wrong = 'the server has no url';
    repaired({ kind: 'a server without a URL', pointer, wrong, read: '/' });
  }
  if (typeof url !== 'string') return;
  const host = /^(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?=[/?]|$)/i.exec(url)?.[0];
  const isLocal = /^(?:localhost|127\.0\.0\.1)(?::\d+)?(?=\/|$)/i.test(url);
  if (host !== undefined || isLocal) {
    const read = `${isLocal ? 'http' : 'https'}://${url}`;
    value['url'] = read;
    const at = joinPointer(pointer, 'url');
    const wrong = `the URL ${JSON.stringify(url)} has a host without a scheme, and would be a path`;
    repaired({ kind: 'a server URL without a scheme', pointer: at, wrong, read });
  }
  const names = new Set([...url.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name));
  const variables = value['variables'] ?? {};
  if (!isRecord(variables)) return;
  for (const [name, given] of Object.entries(variables)) {
    if (!['string', 'number', 'boolean'].includes(typeof given)) continue;
    variables[name] = { default: String(given) };
    repaired({
      kind: 'a server variable that is its default',
      pointer: joinPointer(pointer, 'variables', name),
      wrong: `the server variable ${name} is ${JSON.stringify(given)}`,
      read: 'its default',
    });
  }
  for (const name of names) {
    if (Object.hasOwn(variables, name)) continue;
    // The placeholder stays in the address, so that a call without a value cannot reach a wrong host.
    variables[name] = { default: `{${name}}` };
    value['variables'] = variables;
    repaired({
      kind: 'an undeclared server variable',
      pointer: joinPointer(pointer, 'url'),
      wrong: `the server variable ${name} is not declared`,
      read: `a variable ${name} without a usual value`,
    });
  }
}

export function repairServerVariable({ value, pointer }: PlacedObject, repaired: Repaired): void {
  const given = value['default'];
  const values = value['enum'];
  if (given === undefined && Array.isArray(values) && values.length > 0) {
    const [first] = values as unknown[];
    value['default'] = String(first);
    repaired({
      kind: 'a server variable without a default',
      pointer,
      wrong: 'the server variable has no default',
      read: String(first),
    });
  }
  if (given === undefined && !Array.isArray(values)) {
    const name = parsePointer(pointer)?.at(-1) ?? '';
    // As for a variable that is not declared, a call without a value cannot reach a wrong host.
    value['default'] = `{${name}}`;
    repaired({
      kind: 'a server variable without a default',
      pointer,
      wrong: 'the server variable has no default',
      read: `a variable ${name} without a usual value`,
    });
  }
  if (typeof given === 'number' || typeof given === 'boolean') {
    value['default'] = String(given);
    const at = joinPointer(pointer, 'default');
    repaired({
      kind: 'a default that is not a string',
      pointer: at,
      wrong: `default is ${String(given)}`,
      read: JSON.stringify(String(given)),
    });
  }
  if (Array.isArray(values) && values.some((each) => typeof each === 'number' || typeof each === 'boolean')) {
    value['enum'] = values.map((each: unknown) => (typeof each === 'object' ? each : String(each)));
    const at = joinPointer(pointer, 'enum');
    repaired({
      kind: 'an enum of a server variable that is not of strings',
      pointer: at,
      wrong: 'enum contains other values than strings',
      read: 'strings',
    });
  }
}
