import { isRecord } from '../../../contract/index.ts';
import type { Operation, Schema } from '../../../contract/model.ts';
import { followed } from '../../../contract/pointer.ts';
import { singular } from '../../../contract/text/singular.ts';
import { wordsOf } from '../../writes/names.ts';
import type { OwnApi } from '../own-api.ts';
import { pathParameters } from '../own-api.ts';

/** How the paths of a document name its things: `/rooms/{number}` says that a room is a thing. */
interface PathNouns {
  /** In the singular. */
  readonly nouns: ReadonlySet<string>;
  /** The names of path parameters that no other member has by chance, such as `sku`, with the noun of what they name. */
  readonly ids: ReadonlyMap<string, string>;
  /** The patterns of path parameters, with the noun of what they name. */
  readonly patterns: ReadonlyMap<string, string>;
}

/**
 * The noun of the thing that a member of a body names by a word of the paths: `room`, `toRoom`, `room_number`, `sku`, or a
 * text with the pattern of an id. In the body that makes a thing, its own noun and id name nothing else.
 */
export function nounOfNamed(
  api: OwnApi,
  operation: Operation,
  names: readonly string[],
  schema: Schema | undefined,
): string | undefined {
  const { nouns, ids, patterns } = nounsOf(api);
  const isOwn = (noun: string | undefined): boolean => names.length === 1 && noun === ownNoun(operation);
  const words = wordsOf(names.at(-1) ?? '').map((word) => singular(word));
  const kept = words.slice(0, words.findLastIndex((word) => !IDS.has(word)) + 1);
  const known = kept.map((_, at) => kept.slice(at).join('')).find((noun) => nouns.has(noun));
  if (known !== undefined && !FREE_TEXTS.has(known) && !(isOwn(known) && known === kept.join('')))
    return known;
  const named = ids.get(words.join(''));
  if (named !== undefined && !isOwn(named)) return named;
  const described = schema === undefined ? undefined : followed(api.root, schema);
  const pattern = isRecord(described) ? described['pattern'] : undefined;
  const alike = typeof pattern === 'string' ? patterns.get(pattern) : undefined;
  return alike === undefined || (isOwn(alike) && OWN_IDS.has(words.join(''))) ? undefined : alike;
}

// --- internal ---

/** Words after a noun that say how the thing is named. */
const IDS = new Set(['id', 'uuid', 'guid', 'number', 'no', 'ref', 'reference', 'code', 'slug', 'key']);

/** Names that a thing has for itself. */
const OWN_IDS = new Set(['name', 'title', 'label', ...IDS]);

/** Nouns of things that are also texts of other things. */
const FREE_TEXTS = new Set([
  ...['comment', 'note', 'message', 'text', 'description', 'title', 'name', 'label', 'statu', 'status'],
  ...[
    'reason',
    'email',
    'address',
    'type',
    'kind',
    'state',
    'value',
    'version',
    'content',
    'data',
    'metadata',
  ],
]);

const known = new WeakMap<OwnApi, PathNouns>();

function nounsOf(api: OwnApi): PathNouns {
  const found = known.get(api);
  if (found !== undefined) return found;
  const nouns = new Set<string>();
  const ids = new Map<string, string>();
  const patterns = new Map<string, string>();
  for (const operation of api.operations) {
    const segments = operation.path.split('/');
    for (const { name, schema } of pathParameters(operation)) {
      const before = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
      if (before === '' || before.includes('{')) continue;
      const noun = nounIn(before);
      nouns.add(noun);
      const words = wordsOf(name).map((word) => singular(word));
      if (words.some((word) => !OWN_IDS.has(word) && !FREE_TEXTS.has(word))) ids.set(words.join(''), noun);
      const described = followed(api.root, schema);
      const pattern = isRecord(described) ? described['pattern'] : undefined;
      if (typeof pattern === 'string') patterns.set(pattern, noun);
    }
  }
  const all = { nouns, ids, patterns };
  known.set(api, all);
  return all;
}

/** What an operation makes or changes. */
function ownNoun({ path }: Operation): string {
  return nounIn(path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '');
}

function nounIn(segment: string): string {
  return singular(wordsOf(segment).join(''));
}
