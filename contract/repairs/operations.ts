import { freeOperationId } from '../document/operation-id.ts';
import { operationsIn } from '../document/item-operations.ts';
import { followed, joinPointer } from '../pointer.ts';
import { isRecord } from '../record.ts';
import type { Repaired } from './repair-list.ts';
import { canonical } from '../canonical-json.ts';

/**
 * Repairs slips of operations that concern several parts of a document: path parameters, and duplicate ids.
 */
export function repairOperations(root: Record<string, unknown>, repaired: Repaired): void {
  const ids = new Set<unknown>();
  for (const { operation } of operationsOf(root)) ids.add(operation['operationId']);
  const seen = new Set<unknown>();
  const objects = new Set<unknown>();
  for (const path of isRecord(root['paths']) ? Object.keys(root['paths']) : []) {
    if (path.startsWith('x-')) continue;
    const item = ownCopy(root['paths'] as Record<string, unknown>, path, objects);
    if (item === undefined) continue;
    const pointer = joinPointer('/paths', path);
    repairPositions(path, item, pointer, repaired);
    const shared = parametersOf(root, item, pointer, repaired);
    for (const { method, owner, name, tokens } of operationsIn(item)) {
      const operation = ownCopy(owner, name, objects);
      if (operation === undefined) continue;
      const at = joinPointer(pointer, ...tokens);
      repairPositions(path, operation, at, repaired);
      repairPathParameters(
        root,
        path,
        operation,
        [...shared, ...parametersOf(root, operation, at, repaired)],
        at,
        repaired,
      );
      const id = operation['operationId'];
      if (typeof id !== 'string') continue;
      if (id === '' || seen.has(id)) {
        const free = freeOperationId(method, path, ids);
        operation['operationId'] = free;
        repaired({
          kind: id === '' ? 'an empty operationId' : 'an operationId twice',
          pointer: joinPointer(at, 'operationId'),
          wrong: id === '' ? 'the operationId is empty' : `another operation has the operationId ${id}`,
          read: free,
        });
      }
      seen.add(id);
    }
  }
}

// --- internal ---

/**
 * A member that is an object. A path that refers to another shares its objects, so it gets copies with ids of
 * its own.
 */
function ownCopy(
  owner: Record<string, unknown>,
  name: string,
  seen: Set<unknown>,
): Record<string, unknown> | undefined {
  const given = owner[name];
  if (!isRecord(given)) return undefined;
  const own = seen.has(given) ? { ...given } : given;
  owner[name] = own;
  seen.add(own);
  return own;
}

function* operationsOf(
  root: Record<string, unknown>,
): Generator<{ readonly operation: Record<string, unknown> }> {
  for (const item of isRecord(root['paths']) ? Object.values(root['paths']) : []) yield* operationsIn(item);
}

interface Named {
  readonly name: string;
  readonly in: string;
  readonly owner: Record<string, unknown>;
  readonly raw: unknown;
  readonly pointer: string;
}

/** The parameters of a path or an operation. Of identical ones, only the first is kept. */
function parametersOf(
  root: unknown,
  owner: Record<string, unknown>,
  at: string,
  repaired: Repaired,
): Named[] {
  const list = owner['parameters'];
  if (!Array.isArray(list)) return [];
  const found = new Map<string, { readonly named: Named; readonly text: string | undefined }>();
  const kept: unknown[] = [];
  list.forEach((raw: unknown, index) => {
    const pointer = joinPointer(at, 'parameters', index);
    const parameter = followed(root, raw);
    if (isRecord(parameter) && typeof parameter['name'] === 'string' && typeof parameter['in'] === 'string') {
      const { name, in: position } = parameter as { name: string; in: string };
      const key = `${position} ${name}`;
      // Two parameters that differ only in descriptive members are equal on the wire.
      const { description: _, example: __, examples: ___, ...wire } = parameter;
      const text = canonical(wire);
      if (found.get(key)?.text === text) {
        repaired({
          kind: 'a parameter twice',
          pointer,
          wrong: `duplicate ${position} parameter ${name}`,
          read: 'one of the two, they are equal',
        });
        return;
      }
      found.set(key, { named: { name, in: position, owner, raw, pointer }, text });
    }
    kept.push(raw);
  });
  if (kept.length < list.length) owner['parameters'] = kept;
  return [...found.values()].map(({ named }) => named);
}

/** A parameter that does not say where it is, and whose name is in the path. */
function repairPositions(
  path: string,
  { parameters }: Record<string, unknown>,
  at: string,
  repaired: Repaired,
): void {
  for (const [index, parameter] of Array.isArray(parameters) ? parameters.entries() : []) {
    if (!isRecord(parameter) || parameter['in'] !== undefined || typeof parameter['$ref'] === 'string')
      continue;
    if (!path.includes(`{${String(parameter['name'])}}`)) continue;
    parameter['in'] = 'path';
    parameter['required'] = true;
    repaired({
      kind: 'a path parameter without a position',
      pointer: joinPointer(at, 'parameters', index),
      wrong: `the parameter ${String(parameter['name'])} has no in`,
      read: 'in: path',
    });
  }
}

/** A name without the parts that are a matter of style: capitals, underscores and dashes. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The name in the placeholder of a gateway or a router: `{name=shelves/*}`, `{path*}`, `{+path}`, `{id:[0-9]+}`. */
function withoutPattern(name: string): string {
  return name.replace(/^[+*]/, '').split(/[=:*?+]/, 1)[0] ?? '';
}

function repairPathParameters(
  root: unknown,
  path: string,
  operation: Record<string, unknown>,
  parameters: readonly Named[],
  at: string,
  repaired: Repaired,
): void {
  const wanted = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name));
  const given = parameters.filter((parameter) => parameter.in === 'path');
  const lost = new Set([...wanted].filter((name) => given.every((parameter) => parameter.name !== name)));
  const extra = new Set(given.filter(({ name }) => !wanted.has(name)));
  for (const name of [...lost]) {
    const found = [...extra].find((parameter) => plain(parameter.name) === plain(withoutPattern(name)));
    if (found === undefined) continue;
    lost.delete(name);
    extra.delete(found);
    const list = found.owner['parameters'] as unknown[];
    found.owner['parameters'] = list.map((other) =>
      other === found.raw ? { ...(followed(root, other) as object), name } : other,
    );
    repaired({
      kind: 'a path parameter under another name',
      pointer: found.pointer,
      wrong: `the path parameter ${found.name} does not occur in ${path}`,
      // Names of path parameters are not sent.
      read: name,
    });
  }
  // If exactly one parameter and one placeholder remain, one of them is probably misspelt. Only the author
  // knows which.
  if (lost.size > 0 && extra.size > 0) return;
  for (const name of lost) {
    const list: unknown = operation['parameters'] ?? [];
    if (!Array.isArray(list)) return;
    operation['parameters'] = [
      ...(list as unknown[]),
      { name, in: 'path', required: true, schema: { type: 'string' } },
    ];
    repaired({
      kind: 'an undeclared path parameter',
      pointer: at,
      wrong: `the path parameter ${name} of ${path} is not declared`,
      read: `a parameter ${name} of type string`,
      part: 'name',
    });
  }
  for (const { name, owner, raw, pointer } of extra) {
    const list = owner['parameters'] as unknown[];
    owner['parameters'] = list.filter((other) => other !== raw);
    repaired({
      kind: 'a path parameter that the path does not have',
      pointer,
      wrong: `the path parameter ${name} does not occur in ${path}`,
      read: 'absent',
    });
  }
}
