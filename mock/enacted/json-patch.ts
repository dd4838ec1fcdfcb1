import { canonical } from '../../contract/canonical-json.ts';
import { isRecord } from '../../contract/index.ts';

/** A step of a JSON Patch that cannot be taken: nothing is changed then. */
export class PatchFault extends Error {
  override readonly name = 'PatchFault';
}

/**
 * A value after a JSON Patch (RFC 6902).
 *
 * @throws {PatchFault} if a step cannot be taken
 */
export function jsonPatched(value: unknown, steps: readonly unknown[]): unknown {
  const whole = { '': structuredClone(value) };
  for (const step of steps) take(whole, step);
  return whole[''];
}

// --- internal ---

interface Place {
  readonly owner: Record<string, unknown> | unknown[];
  readonly name: string;
}

function take(whole: Record<string, unknown>, step: unknown): void {
  if (!isRecord(step)) throw new PatchFault('each step must be an object');
  const { op, path, from, value } = step;
  const target = placeAt(whole, path);
  switch (op) {
    case 'test':
      if (canonical(valueAt(target)) !== canonical(value))
        throw new PatchFault(`${String(path)} has another value`);
      return;
    case 'add':
      put(target, value);
      return;
    case 'remove':
      remove(target);
      return;
    case 'replace':
      valueAt(target);
      if (Array.isArray(target.owner)) target.owner[Number(target.name)] = value;
      else put(target, value);
      return;
    case 'copy':
    case 'move': {
      const source = placeAt(whole, from);
      const moved = structuredClone(valueAt(source));
      if (op === 'move') remove(source);
      put(placeAt(whole, path), moved);
      return;
    }
    default:
      throw new PatchFault(`${String(op)} is not an operation of a JSON Patch`);
  }
}

/** The owner and the name of a place, by its JSON pointer (RFC 6901). */
function placeAt(whole: Record<string, unknown>, pointer: unknown): Place {
  if (typeof pointer !== 'string' || !/^(?:\/|$)/.test(pointer))
    throw new PatchFault(`${String(pointer)} is not a JSON pointer`);
  const names = pointer.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = names.pop() ?? '';
  let owner: unknown = whole;
  for (const each of names) owner = valueAt({ owner: ownerIn(owner, pointer), name: each });
  return { owner: ownerIn(owner, pointer), name };
}

function ownerIn(value: unknown, pointer: string): Place['owner'] {
  if (Array.isArray(value)) return value;
  if (isRecord(value)) return value as Record<string, unknown>;
  throw new PatchFault(`there is nothing at ${pointer}`);
}

function valueAt({ owner, name }: Place): unknown {
  if (!Object.hasOwn(owner, name) || (Array.isArray(owner) && !INDEX.test(name)))
    throw new PatchFault(`there is no ${name}`);
  return (owner as Record<string, unknown>)[name];
}

function put({ owner, name }: Place, value: unknown): void {
  if (!Array.isArray(owner)) {
    Object.defineProperty(owner, name, { value, enumerable: true, writable: true, configurable: true });
    return;
  }
  const index = name === '-' ? owner.length : INDEX.test(name) ? Number(name) : Infinity;
  if (index > owner.length) throw new PatchFault(`there is no place ${name} in the list`);
  owner.splice(index, 0, value);
}

function remove(place: Place): void {
  valueAt(place);
  const { owner, name } = place;
  if (Array.isArray(owner)) owner.splice(Number(name), 1);
  else Reflect.deleteProperty(owner, name);
}

const INDEX = /^(?:0|[1-9]\d*)$/;
