import type { Json, MediaType, Schema } from '../model.ts';
import { joinPointer } from '../pointer.ts';
import type { PieceKind } from '../sequential/piece-kind.ts';
import { type Pieces, piecesOf } from '../sequential/pieces.ts';
import type { ChangeCollector } from './change-collector.ts';
import type { Way } from './schemas/comparing.ts';

/** The same content on both sides. */
export interface ContentPair {
  readonly before: MediaType;
  readonly after: MediaType;
  readonly label: string;
  readonly operation: string;
}

/**
 * Compares what a reader of pieces sees, however the documents describe it. Returns false if a body does not arrive in
 * pieces, or in other ones.
 */
export function comparePieces(ledger: ChangeCollector, pair: ContentPair, way: Way): boolean {
  const [old, next] = [piecesOf(pair.before, ledger.old.document), piecesOf(pair.after, ledger.new.document)];
  if (old === undefined || next === undefined || old.framing !== next.framing) return false;
  const { before, after, operation } = pair;
  const compare = (was: Schema | undefined, is: Schema | undefined, part: string): void => {
    const at = ({ pointer }: MediaType): string => joinPointer(pointer, 'schema', part);
    const sides = [
      { schema: was, pointer: at(before) },
      { schema: is, pointer: at(after) },
    ] as const;
    ledger.compare(...sides, way, `${pair.label} ${part}`, operation);
  };
  const compareKinds = (some: readonly PieceKind[], others: readonly PieceKind[], part: string): void => {
    if (!haveOtherForms(some, others)) compare(dataOf(some), dataOf(others), part);
    else
      ledger.add({
        ...{ kind: 'media-type-changed', callers: 'wire', servers: 'wire' },
        says: `${pair.label} ${part} was ${WORDS[some[0]?.form ?? 'text']} and is ${WORDS[others[0]?.form ?? 'text']}`,
        ...{ before: before.pointer, after: after.pointer, operations: [operation] },
      });
  };
  // Of parts that are bytes, or that have no kind, only the schema of the list tells what has changed.
  const hasSchemas = [old, next].every(({ kinds: [kind] }) => kind?.schema !== undefined);
  if (old.framing === 'parts' && !hasSchemas && !haveOtherForms(old.kinds, next.kinds)) return false;
  if (old.framing !== 'events') {
    compareKinds(old.kinds, next.kinds, 'piece');
    return true;
  }
  const [was, is] = [namesOf(old), namesOf(next)];
  if (old.kinds.length > 0 && next.kinds.length > 0) compare(textOf(was), textOf(is), 'event name');
  const common = was?.filter((name) => is?.includes(name) !== false) ?? is ?? [undefined];
  for (const name of common) {
    const [some, others] = [kindsOf(old, name), kindsOf(next, name)];
    compareKinds(some, others, name === undefined ? 'event data' : `event ${name} data`);
  }
  return true;
}

// --- internal ---

function haveOtherForms(some: readonly PieceKind[], others: readonly PieceKind[]): boolean {
  return new Set([...some, ...others].map(({ form }) => form)).size > 1;
}

const WORDS = { json: 'JSON', text: 'text', bytes: 'bytes' } as const;

/** The names that events can have; `undefined` if any. */
function namesOf({ kinds }: Pieces): readonly string[] | undefined {
  if (kinds.length === 0 || kinds.some(({ names }) => names === undefined)) return undefined;
  return [...new Set(kinds.flatMap(({ names }) => names ?? []))];
}

function textOf(names: readonly string[] | undefined): Schema {
  return names === undefined ? { type: 'string' } : { type: 'string', enum: [...names] };
}

function kindsOf({ kinds }: Pieces, name: string | undefined): readonly PieceKind[] {
  return name === undefined ? kinds : kinds.filter(({ names }) => names?.includes(name) !== false);
}

function dataOf(kinds: readonly PieceKind[]): Schema | undefined {
  const [only, ...more] = kinds;
  return more.length === 0 ? only?.schema : { anyOf: kinds.map(({ schema }) => (schema ?? true) as Json) };
}
