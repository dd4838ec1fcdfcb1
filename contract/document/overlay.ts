import { resolve } from 'node:path';
import type { jsonpath as JsonPathModule } from 'json-p3';
import { runBounded, TookTooLong } from '../judge/bounded-run.ts';
import { problem } from '../diagnostics/diagnostic-codes.ts';
import type { Diagnostic } from '../model.ts';
import { parseFile, type SourceFile } from '../text/parse.ts';
import { joinPointer } from '../pointer.ts';
import type { Locate } from '../text/locate.ts';
import { readText } from '../text/read.ts';
import { isRecord } from '../record.ts';

interface Applying {
  readonly cwd: string;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly onText: (file: string, text: string) => void;
  /** The time that is left for the actions of all overlays of a document. It is used up here. */
  readonly budget: { leftMs: number };
}

/** For all overlays of a document together. */
export const LONGEST_OF_ALL_MS = 10_000;

/**
 * Applies an OpenAPI Overlay 1.0 to a document, in the order of its actions. JSONPath is RFC 9535. An action
 * without a match causes a warning. Time, number of places and size are limited. The document then locates what it does
 * not have itself in the overlay that added it.
 *
 * @returns the bytes of the overlay, or `undefined` after a problem was reported that makes it unusable
 */
export async function applyOverlay(
  document: SourceFile,
  file: string,
  { cwd, report, onText, budget }: Applying,
): Promise<Uint8Array | undefined> {
  const read = await readText(resolve(cwd, file), file);
  if (!read.ok) {
    report(read.diagnostic);
    return undefined;
  }
  onText(file, read.text);
  const parsed = parseFile(file, read.text);
  if (!parsed.ok) {
    parsed.diagnostics.forEach(report);
    return undefined;
  }
  const refuse: Refuse = (pointer, message, help) => {
    report(problem('overlay-invalid', message, { location: parsed.source.locate(pointer), help }));
    return undefined;
  };
  const actions = actionsOf(parsed.source.value, refuse);
  if (actions === undefined) return undefined;
  const { jsonpath } = await import('json-p3');
  unshare(document.value);
  let changed = 0;
  const updated = new Map<string, string[]>();
  for (const action of actions) {
    const startedAt = performance.now();
    const places = placesOf(document.value, action, jsonpath, budget.leftMs, refuse);
    if (places === undefined) return undefined;
    if (places.length === 0) {
      const location = parsed.source.locate(joinPointer(action.pointer, 'target'));
      const help = 'correct the JSONPath, or remove the action';
      report(problem('overlay-unmatched', `nothing matches ${action.target}`, { location, help }));
    }
    changed += places.length * (action.remove ? 1 : sizeOf(action.update));
    if (changed > MOST_VALUES)
      return refuse(
        action.pointer,
        `the overlay adds more than ${String(MOST_VALUES)} values`,
        'write fewer or smaller updates',
      );
    if (action.remove) removeAll(places);
    else
      for (const place of places) {
        update(place, action.update);
        const by = updated.get(place.pointer);
        if (by === undefined) updated.set(place.pointer, [joinPointer(action.pointer, 'update')]);
        else by.push(joinPointer(action.pointer, 'update'));
      }
    budget.leftMs -= performance.now() - startedAt;
  }
  Object.assign(document, { locate: locateIn(document.locate, parsed.source.locate, updated) });
  if (isTooDeep(document.value))
    return refuse('', 'the overlay nests the document too deeply', 'nest updates less deeply');
  return read.bytes;
}

// --- internal ---

type Refuse = (pointer: string, message: string, help: string) => undefined;

interface Action {
  readonly target: string;
  readonly remove: boolean;
  readonly update: unknown;
  readonly pointer: string;
}

const MOST_ACTIONS = 10_000;
const MOST_VALUES = 1_000_000;
const DEEPEST = 200;
const LONGEST_MS = 2_000;

function actionsOf(value: Readonly<Record<string, unknown>>, refuse: Refuse): readonly Action[] | undefined {
  const { overlay, actions } = value;
  if (!/^1\.0(?:\.\d+)?$/.test(String(overlay)))
    return refuse(
      overlay === undefined ? '' : '/overlay',
      overlay === undefined
        ? 'the file is not an OpenAPI Overlay'
        : `Overlay ${JSON.stringify(overlay)} is not supported, only 1.0 is`,
      'begin it with `overlay: 1.0.0`',
    );
  if (!Array.isArray(actions))
    return refuse('/actions', 'actions must be a list', 'add `actions:` with a target each');
  if (actions.length > MOST_ACTIONS)
    return refuse('/actions', `the overlay has more than ${String(MOST_ACTIONS)} actions`, 'split it');
  const read: Action[] = [];
  for (const [index, action] of (actions as readonly unknown[]).entries()) {
    const pointer = joinPointer('/actions', index);
    const target = isRecord(action) ? action['target'] : undefined;
    if (!isRecord(action) || typeof target !== 'string')
      return refuse(pointer, 'an action needs a target', 'add a JSONPath such as $.paths.*');
    const remove = action['remove'] ?? false;
    if (typeof remove !== 'boolean')
      return refuse(joinPointer(pointer, 'remove'), 'remove must be true or false', 'write true or false');
    if (!remove && !Object.hasOwn(action, 'update'))
      return refuse(pointer, 'an action needs update, or remove: true', 'add one of the two');
    read.push({ target, remove, update: action['update'], pointer });
  }
  return read;
}

/** A value that a target selects, with the object or list that contains it. */
interface Place {
  readonly value: unknown;
  readonly owner: unknown;
  readonly key: string | number | undefined;
  readonly pointer: string;
}

type JsonPath = typeof JsonPathModule;

function placesOf(
  root: unknown,
  { target, remove, pointer }: Action,
  { query }: JsonPath,
  leftMs: number,
  refuse: Refuse,
): readonly Place[] | undefined {
  const at = joinPointer(pointer, 'target');
  const limitMs = Math.floor(Math.min(LONGEST_MS, leftMs));
  if (limitMs < 1)
    return refuse(
      at,
      `the actions up to this one take longer than ${String(LONGEST_OF_ALL_MS / 1_000)} s together`,
      'write narrower JSONPaths, or fewer actions',
    );
  try {
    const places = runBounded(() => {
      const found: Place[] = [];
      for (const { location, value } of query(target, root as Parameters<typeof query>[1])) {
        const owner = location
          .slice(0, -1)
          .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], root);
        found.push({ value, owner, key: location.at(-1), pointer: joinPointer('', ...location) });
      }
      return found;
    }, limitMs);
    if (remove && places.some(({ key }) => key === undefined))
      return refuse(at, 'the whole document cannot be removed', 'name a part of it');
    const scalar = remove
      ? undefined
      : places.find(({ value }) => typeof value !== 'object' || value === null);
    if (scalar !== undefined)
      return refuse(
        at,
        `${target} selects a value that is not an object or a list`,
        'select the object that has it, and update its member',
      );
    return places;
  } catch (error) {
    if (error instanceof TookTooLong)
      return refuse(at, `${target} takes too long to find`, 'write a narrower JSONPath');
    const reason = error instanceof Error ? error.message : String(error);
    return refuse(
      at,
      `${target} is not a valid JSONPath: ${reason}`,
      'write a JSONPath of RFC 9535, such as $.paths.*.get',
    );
  }
}

/** The place of a pointer in the document; else in the update that added it. An update never adds what it selects. */
function locateIn(
  document: Locate,
  overlay: Locate,
  updated: ReadonlyMap<string, readonly string[]>,
): Locate {
  return (pointer, part) => {
    const own = document(pointer, part);
    for (let at = pointer; own === undefined && at !== '';) {
      at = at.slice(0, at.lastIndexOf('/'));
      for (const by of updated.get(at) ?? []) {
        const found = overlay(`${by}${pointer.slice(at.length)}`, part);
        if (found !== undefined) return found;
      }
    }
    return own;
  };
}

/** Removes from the last item of a list to the first, so that the indices stay valid. */
function removeAll(places: readonly Place[]): void {
  const lists = new Map<unknown[], Set<number>>();
  for (const { owner, key } of places) {
    if (Array.isArray(owner)) lists.set(owner, (lists.get(owner) ?? new Set()).add(Number(key)));
    else if (isRecord(owner)) Reflect.deleteProperty(owner, String(key));
  }
  for (const [list, indices] of lists)
    list.splice(0, list.length, ...list.filter((_, index) => !indices.has(index)));
}

/** Merges objects, appends to lists, and replaces any other value. */
function update({ value }: Place, by: unknown): void {
  if (Array.isArray(value)) {
    if (Array.isArray(by)) for (const item of by as readonly unknown[]) value.push(structuredClone(item));
    else value.push(structuredClone(by));
  } else if (isRecord(value) && isRecord(by)) merge(value, by);
}

function merge(target: Record<string, unknown>, by: Readonly<Record<string, unknown>>): void {
  for (const [name, member] of Object.entries(by)) {
    const known = Object.hasOwn(target, name) ? target[name] : undefined;
    if (isRecord(known) && isRecord(member)) merge(known, member);
    else if (Array.isArray(known) && Array.isArray(member))
      known.push(...(structuredClone(member) as unknown[]));
    else
      // Not an assignment: `__proto__` is an ordinary name here.
      Object.defineProperty(target, name, {
        value: structuredClone(member),
        configurable: true,
        enumerable: true,
        writable: true,
      });
  }
}

/** A YAML alias makes one value appear at several places, but an action must change only one of them. */
function unshare(root: object): void {
  const seen = new Set<object>([root]);
  for (const parent of seen) {
    for (const [name, member] of Object.entries(parent)) {
      if (typeof member !== 'object' || member === null) continue;
      const own = (seen.has(member as object) ? structuredClone(member) : member) as object;
      if (own !== member) (parent as Record<string, unknown>)[name] = own;
      seen.add(own);
    }
  }
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + sizeOf(member), 1);
}

function isTooDeep(root: unknown): boolean {
  const waiting: (readonly [value: unknown, depth: number])[] = [[root, 0]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, depth] = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > DEEPEST) return true;
    for (const member of Object.values(value)) waiting.push([member, depth + 1]);
  }
  return false;
}
