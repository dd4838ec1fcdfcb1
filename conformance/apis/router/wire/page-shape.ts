import { check } from '../../../scenarios/check.ts';
import { isObject, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { isModel, isProvider } from './segment.ts';

/** Document 1, Identifier schemas, table. */
const ID = /^[a-z0-9]+([._-][a-z0-9]+)*\/[a-z0-9]+([._-][a-z0-9]+)*$/;
export const CURSOR = /^[A-Za-z0-9._~+/=-]{1,512}$/;

/** The requirements for every page of the catalogue, in any walk. */
export const pageRules = [
  'router.ids.provider-pattern',
  'router.ids.model-pattern',
  'router.ids.id-pattern',
  'router.ids.id-is-join',
  'router.ids.per-segment-bound',
  'router.ids.no-variant',
  'router.cursor.shape',
  'router.list.entry-exact',
  'router.list.entry-required',
  'router.list.body-required',
  'router.list.data-at-most-limit',
  'router.list.limit-range',
  'router.list.cursor-iff-more',
  'router.list.cursor-omitted-not-null',
] as const;

export function* judgePage(page: Exchange): Generator<Check> {
  if (page.status !== 200 || !isObject(page.json)) return;
  const { data, has_more: more, limit, next_cursor: next } = page.json;

  // Document 1, RouterModelListResponse: `data` array, `has_more` boolean, `limit` integer, all required.
  yield check(
    'router.list.body-required',
    page,
    Array.isArray(data) && typeof more === 'boolean' && Number.isInteger(limit),
    'an array data, a boolean has_more and an integer limit',
  );
  // Document 1, RouterModelListResponse, row limit: 1..100.
  if (typeof limit === 'number') {
    const inRange = Number.isInteger(limit) && limit >= 1 && limit <= 100;
    yield check('router.list.limit-range', page, inRange, 'an echoed limit from 1 to 100', `limit ${limit}`);
  }
  // Document 1, RouterModelListResponse, row data: at most `limit` entries.
  if (Array.isArray(data) && typeof limit === 'number') {
    const got = `${data.length} entries with limit ${limit}`;
    yield check(
      'router.list.data-at-most-limit',
      page,
      data.length <= limit,
      `at most ${limit} entries`,
      got,
    );
  }
  if (typeof more === 'boolean') {
    const cursor = `has_more ${more}, next_cursor ${'next_cursor' in page.json ? sketch(next) : 'absent'}`;
    // Document 1, RouterModelListResponse, row next_cursor: present exactly when `has_more` is true. Null
    // counts as absent here.
    const there = next !== undefined && next !== null;
    yield check(
      'router.list.cursor-iff-more',
      page,
      there === more,
      'a next_cursor exactly when has_more is true',
      cursor,
    );
    // The same row: omitted otherwise, and so not null.
    if (!more) {
      const omitted = next !== null;
      yield check(
        'router.list.cursor-omitted-not-null',
        page,
        omitted,
        'no member next_cursor on the last page',
        cursor,
      );
    }
  }
  // Document 1, Identifier schemas, RouterPageCursor: the alphabet, 1 to 512 characters.
  if (typeof next === 'string') {
    const fits = CURSOR.test(next);
    yield check(
      'router.cursor.shape',
      page,
      fits,
      'a cursor of 1 to 512 characters of its alphabet',
      sketch(next),
    );
  }
  for (const entry of Array.isArray(data) ? (data as unknown[]) : []) yield* judgeEntry(page, entry);
}

/** Judges one catalogue entry. Passes are counted per entry, so an empty catalogue exercises nothing. */
function* judgeEntry(page: Exchange, entry: unknown): Generator<Check> {
  const got = sketch(entry);
  const id = member(entry, 'id');
  const provider = member(entry, 'provider');
  const model = member(entry, 'model');
  const names = isObject(entry) ? Object.keys(entry) : [];

  // Document 1, RouterModelListEntry: three members, all required, and nothing else.
  const complete = [id, provider, model].every((value) => typeof value === 'string');
  yield check(
    'router.list.entry-required',
    page,
    complete,
    'strings id, provider and model in every entry',
    got,
  );
  const extra = names.filter((name) => !['id', 'provider', 'model'].includes(name));
  yield check(
    'router.list.entry-exact',
    page,
    extra.length === 0,
    'no member but id, provider and model',
    got,
  );

  // Document 1, Identifier schemas, table: patterns and lengths.
  if (typeof provider === 'string') {
    const fits = isProvider(provider);
    yield check(
      'router.ids.provider-pattern',
      page,
      fits,
      'lower-case parts, at most 64 characters',
      sketch(provider),
    );
  }
  if (typeof model === 'string') {
    const fits = isModel(model);
    yield check(
      'router.ids.model-pattern',
      page,
      fits,
      'lower-case parts, at most 128 characters',
      sketch(model),
    );
  }
  // Document 1, Identifier schemas, rule 3: 64 and 128 for the segments, regardless of the total length.
  if (typeof provider === 'string' && typeof model === 'string') {
    const within = provider.length <= 64 && model.length <= 128;
    const lengths = `${provider.length} and ${model.length} characters`;
    yield check('router.ids.per-segment-bound', page, within, 'at most 64 and 128 characters', lengths);
  }
  if (typeof id !== 'string') return;
  // Document 1, Identifier schemas, rule 4: a catalogue never lists a variant.
  const slashes = id.split('/').length - 1;
  yield check('router.ids.no-variant', page, slashes < 2, 'one slash in an ID', sketch(id));
  if (slashes < 2) {
    const fits = ID.test(id) && id.length <= 193;
    yield check(
      'router.ids.id-pattern',
      page,
      fits,
      'provider/model in lower case, at most 193 characters',
      sketch(id),
    );
  }
  // Document 1, Identifier schemas, rule 3: joined by a single slash.
  if (typeof provider === 'string' && typeof model === 'string') {
    const joined = id === `${provider}/${model}`;
    yield check('router.ids.id-is-join', page, joined, 'an id that is provider, slash, model', got);
  }
}
