import { isJson } from '../judge/body-format.ts';
import type { Operation, Parameter } from '../model.ts';
import { joinPointer } from '../pointer.ts';
import type { TransmittedValue, ChangeCollector } from './change-collector.ts';
import { otherParty } from './change-collector.ts';
import type { OperationPair } from './operation-pair.ts';

/** Compares parameters: in the path, the query, headers and cookies. */
export function compareParameters(ledger: ChangeCollector, { old, new: next, sender }: OperationPair): void {
  const { pairs, gone, added } = paired(old, next);
  const receiver = otherParty(sender);
  const operations = [next.id];
  for (const parameter of gone)
    ledger.add({
      ...{ kind: 'parameter-removed', [sender]: 'code', [receiver]: parameter.required ? 'wire' : 'code' },
      says: `${nameOf(next, parameter)} is gone`,
      ...{ before: parameter.pointer, after: next.pointer, operations },
    });
  for (const parameter of added)
    ledger.add({
      ...{ kind: 'parameter-added', [sender]: parameter.required ? 'wire' : 'none' },
      says: `${nameOf(next, parameter)} is new${parameter.required ? ' and required' : ''}`,
      ...{ before: old.pointer, after: parameter.pointer, operations },
    });
  for (const [before, after] of pairs) compareOne(ledger, { old, new: next, sender }, before, after);
}

// --- internal ---

/**
 * Pairs by position and name. Names of path parameters are not sent, so these are also paired by their order.
 */
function paired(
  old: Operation,
  next: Operation,
): {
  readonly pairs: readonly (readonly [Parameter, Parameter])[];
  readonly gone: readonly Parameter[];
  readonly added: readonly Parameter[];
} {
  const key = (operation: Operation, parameter: Parameter): string => {
    const { in: position, name } = parameter;
    if (position === 'path') return `path ${String(namesIn(operation.path).indexOf(name))}`;
    return `${position} ${position === 'header' ? name.toLowerCase() : name}`;
  };
  const byKey = new Map(next.parameters.map((parameter) => [key(next, parameter), parameter]));
  const pairs = old.parameters.flatMap((parameter) => {
    const found = byKey.get(key(old, parameter));
    return found === undefined ? [] : [[parameter, found] as const];
  });
  const taken = new Set(pairs.flat());
  const rest = ({ parameters }: Operation): readonly Parameter[] =>
    parameters.filter((parameter) => !taken.has(parameter));
  return { pairs, gone: rest(old), added: rest(next) };
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

function compareOne(
  ledger: ChangeCollector,
  { new: next, sender }: OperationPair,
  before: Parameter,
  after: Parameter,
): void {
  const receiver = otherParty(sender);
  const name = nameOf(next, after);
  const places = { before: before.pointer, after: after.pointer, operations: [next.id] };
  if (before.name !== after.name && before.in === 'path')
    ledger.add({
      ...{ kind: 'parameter-renamed', callers: 'code', servers: 'code' },
      says: `${nameOf(next, before)} is called ${after.name} now`,
      ...places,
    });
  if (!before.required && after.required)
    ledger.add({ kind: 'parameter-required', [sender]: 'wire', says: `${name} is required`, ...places });
  if (before.required && !after.required)
    ledger.add({
      kind: 'parameter-optional',
      [receiver]: 'wire',
      says: `${name} is no longer required`,
      ...places,
    });
  if (before.deprecated !== after.deprecated)
    ledger.add({
      kind: after.deprecated ? 'parameter-deprecated' : 'parameter-restored',
      says: `${name} is ${after.deprecated ? '' : 'no longer '}deprecated`,
      ...places,
    });
  compareWriting(ledger, before, after, { name, places });
  const isText = !isJson(after.mediaType ?? '') && !isJson(before.mediaType ?? '');
  const way = { direction: 'request', sender, ...(isText ? { isText } : {}) } as const;
  ledger.compare(carried(before), carried(after), way, name, next.id);
}

function compareWriting(
  ledger: ChangeCollector,
  before: Parameter,
  after: Parameter,
  {
    name,
    places,
  }: { readonly name: string; readonly places: { before: string; after: string; operations: string[] } },
): void {
  const isList = [
    ledger.schemas.old.flat(ledger.schemas.old.node(before.schema, before.pointer, name)),
    ledger.schemas.new.flat(ledger.schemas.new.node(after.schema, after.pointer, name)),
  ].some(({ types }) => types.has('array') || types.has('object'));
  const isSame =
    before.mediaType === after.mediaType &&
    (before.style === after.style || before.mediaType !== undefined) &&
    (before.explode === after.explode || !isList);
  if (!isSame) {
    const shown = ({ mediaType, style, explode }: Parameter): string =>
      mediaType ?? `style ${style}${explode ? ', exploded' : ''}`;
    ledger.add({
      ...{ kind: 'parameter-written-otherwise', callers: 'wire', servers: 'wire' },
      says: `${name} was written as ${shown(before)} and is written as ${shown(after)}`,
      ...places,
    });
  }
  if (before.allowReserved !== after.allowReserved)
    ledger.add({
      ...{ kind: 'parameter-written-otherwise', callers: 'unknown', servers: 'unknown' },
      says: `${name} is ${after.allowReserved ? '' : 'no longer '}written with reserved characters as they are`,
      reason: 'it depends on whether values have such characters',
      ...places,
    });
}

function carried({ schema, mediaType, pointer }: Parameter): TransmittedValue {
  const inner = mediaType === undefined ? ['schema'] : ['content', mediaType, 'schema'];
  return { schema, pointer: joinPointer(pointer, ...inner) };
}

function nameOf({ id }: Operation, { in: position, name }: Parameter): string {
  return `${id} ${position} ${name}`;
}
