import { operationIdOf } from './operation-id.ts';
import { operationsIn } from './item-operations.ts';
import { joinPointer, parsePointer, valueAt } from '../pointer.ts';
import { suggest } from '../diagnostics/suggest.ts';
import type { Operation } from '../model.ts';
import { isRecord } from '../record.ts';
import { decoded } from '../text/decoded.ts';

/** Selects operations by their ids, or by a tag. */
export interface Choice {
  /** All operations, if left out. */
  readonly only?: readonly string[] | undefined;
  readonly except?: readonly string[] | undefined;
}

/** A name that is neither an operation nor a tag of any document. */
export class UnknownOperationError extends Error {
  override readonly name = 'UnknownOperationError';
}

/**
 * Checks that each name is an operation or a tag.
 *
 * @throws {UnknownOperationError} with a similar name, for the first one that is neither
 */
export function requireKnownOperations(
  names: readonly string[],
  operations: readonly Pick<Operation, 'id' | 'tags'>[],
): void {
  const known = new Set(operations.flatMap(({ id, tags }) => [id, ...tags]));
  for (const name of names) {
    if (known.has(name)) continue;
    const near = suggest(name, [...known]);
    throw new UnknownOperationError(
      `there is no operation and no tag ${JSON.stringify(name)}${near === undefined ? '' : `. Did you mean ${JSON.stringify(near)}?`}`,
    );
  }
}

/** Whether an operation matches an id or a tag. */
export function isChosen({ only, except }: Choice, id: string, tags: readonly unknown[]): boolean {
  const isNamed = (names: readonly string[]): boolean =>
    names.includes(id) || tags.some((tag) => names.includes(String(tag)));
  return (only === undefined || isNamed(only)) && (except === undefined || !isNamed(except));
}

/**
 * Removes unwanted operations from a document, in place, and then the components that nothing refers to any
 * more, so that faults in these do not matter. Changes nothing if no name in `only` exists in the document.
 */
export function narrowDocument(root: Record<string, unknown>, choice: Choice): void {
  const { paths } = root;
  if (!isRecord(paths) || (choice.only === undefined && choice.except === undefined)) return;
  const dropped: (() => void)[] = [];
  let hasAny = false;
  for (const [path, item] of Object.entries(paths)) {
    if (!isRecord(item)) continue;
    for (const { method, operation, owner, name } of operationsIn(item)) {
      const { operationId, tags } = operation;
      const id = typeof operationId === 'string' ? operationId : operationIdOf(method, path);
      if (isChosen(choice, id, Array.isArray(tags) ? tags : [])) hasAny = true;
      else dropped.push(() => Reflect.deleteProperty(owner, name));
    }
  }
  if (!hasAny) return;
  for (const drop of dropped) drop();
  for (const [path, item] of Object.entries(paths))
    if (isRecord(item) && item['$ref'] === undefined && operationsIn(item).length === 0)
      Reflect.deleteProperty(paths, path);
  if (choice.only !== undefined) Reflect.deleteProperty(root, 'webhooks');
  dropComponents(root);
}

// --- internal ---

function dropComponents(root: Record<string, unknown>): void {
  const { components, ...rest } = root;
  const reached = isRecord(components) ? reachedFrom(rest, root) : undefined;
  if (!isRecord(components) || reached === undefined) return;
  for (const [section, named] of Object.entries(components)) {
    // Security requirements name a scheme without a `$ref`.
    if (!isRecord(named) || section === 'securitySchemes') continue;
    for (const name of Object.keys(named))
      if (!reached.has(joinPointer('/components', section, name))) Reflect.deleteProperty(named, name);
  }
}

/**
 * The pointers of the components that references lead to; `undefined` if a reference could lead to any of
 * them.
 */
function reachedFrom(start: unknown, root: unknown): ReadonlySet<string> | undefined {
  const reached = new Set<string>();
  const seen = new Set<object>();
  const waiting: unknown[] = [start];
  const reach = (pointer: string): void => {
    if (reached.has(pointer)) return;
    reached.add(pointer);
    waiting.push(valueAt(root, pointer));
  };
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [name, inner] of Object.entries(value)) {
      waiting.push(inner);
      const texts =
        name === '$ref' ? [inner] : name === 'mapping' && isRecord(inner) ? Object.values(inner) : [];
      for (const text of texts) {
        if (typeof text !== 'string') continue;
        if (name === 'mapping' && !text.includes('#')) reach(joinPointer('/components/schemas', text));
        const [, part] = /^#(\/components\/[^/]+\/[^/]+)/.exec(text) ?? [];
        // Another file can refer back to this one, and an anchor can be anywhere.
        if (part === undefined && name === '$ref' && !text.startsWith('#/')) return undefined;
        const tokens = part === undefined ? undefined : parsePointer(decoded(part));
        if (tokens !== undefined) reach(joinPointer('', ...tokens));
      }
      if (name === '$dynamicRef' || name === '$recursiveRef') return undefined;
    }
  }
  return reached;
}
