import { isRecord, type PolicyOf } from '../../../contract/index.ts';
import { memberAt } from '../../../contract/policies/member-at.ts';
import { headerOf } from '../../call/answer.ts';
import { pathIn } from '../../samples/put.ts';
import { asStatus, put, withHeader, type AnswerChange } from '../changes.ts';
import { parameter, when, type Condition } from '../conditions.ts';
import type { DeviationView } from '../deviation.ts';
import {
  alongCases,
  alongPolicy,
  anotherStatus,
  documented,
  firstAgain,
  withOtherStatus,
  type Ways,
} from './broken.ts';

type Pages = PolicyOf<'pagination'> | PolicyOf<'numbered-pages'>;

/** Ways to mislead clients that paginate; those that need a member that pages do not have are left out. */
export function pageWays(policy: Pages): Ways {
  const { limitParameter, maximumLimit, defaultLimit } = policy;
  const names: Partial<Readonly<Record<'items' | 'limit' | 'more' | 'next', string>>> = policy.page ?? {};
  const { limit, more, next } = names;
  const listIn = (body: unknown): readonly string[] =>
    names.items === undefined ? [] : pathIn(body, names.items);
  const limitOf = (seen: DeviationView): number => Number(parameter(seen, limitParameter) ?? Number.NaN);
  const isDefault: Condition = (_, seen) => parameter(seen, limitParameter) === undefined;
  const isTooMuch: Condition = (_, seen) => limitOf(seen) > maximumLimit;
  const isLess: Condition = (_, seen) => limitOf(seen) <= maximumLimit;
  const items = (body: unknown): readonly unknown[] => {
    const found = names.items === undefined ? body : memberAt(body, names.items);
    return Array.isArray(found) ? (found as unknown[]) : [];
  };
  const telling = (holds: Condition, told: (seen: DeviationView) => number): AnswerChange =>
    when(
      holds,
      onListPage((body, seen) => (limit === undefined ? body : put(body, pathIn(body, limit), told(seen)))),
    );
  const filled = (
    holds: Condition,
    change: (items: readonly unknown[]) => readonly unknown[],
  ): AnswerChange =>
    when(
      holds,
      onListPage((body) => put(body, listIn(body), change(items(body)))),
    );
  const isFirst = (seen: DeviationView): boolean =>
    placesOf(policy).every((name) => parameter(seen, name) === undefined);
  let first: readonly unknown[] | undefined;
  return {
    // Without a member for it, only the number of items shows the size of a page.
    ...(limit === undefined
      ? {
          'limit-default~overfull': filled(isDefault, (found) => repeated(found, defaultLimit + 1)),
          'limit-clamped~overfull': filled(isTooMuch, (found) => repeated(found, maximumLimit + 1)),
        }
      : {
          'limit-default~another': telling(isDefault, () => defaultLimit + 1),
          'limit~not-told': telling(isLess, (seen) => limitOf(seen) + 1),
          'limit-clamped~not': telling(isTooMuch, limitOf),
        }),
    'limit~overfull': [
      filled(isLess, (found) => [...found, ...found]),
      alongCases('a page repeats its items', 'walk'),
      alongPolicy('resource', 'a page has more items than the total', 'filtered'),
    ],
    ...(more === undefined || next !== undefined || policy.kind === 'pagination'
      ? {}
      : {
          'walk~more-after-a-full-page': onListPage((body, seen) =>
            items(body).length === limitOf(seen) ? put(body, pathIn(body, more), true) : body,
          ),
        }),
    ...(more === undefined || next === undefined
      ? {}
      : {
          'more~cursor-at-the-end': onListPage((body) =>
            memberAt(body, more) === false ? put(body, pathIn(body, next), 'end') : body,
          ),
          'more~no-cursor': [
            onListPage((body) => put(body, pathIn(body, next), undefined)),
            alongCases('a walk cannot continue without a cursor', 'walk'),
          ],
        }),
    ...(policy.zeroIsDefault === true
      ? {
          'limit-low~refused': [
            when((_, seen) => limitOf(seen) <= 0, asStatus(400)),
            documented('the document allows such a limit', 'answer'),
            alongPolicy('error-codes', 'the body is that of a page', 'shape'),
            alongPolicy('error-buckets', 'the headers are those of a page', 'header'),
          ] as const,
        }
      : {}),
    ...totalWays(policy),
    ...placeWays(policy),
    ...nowhereWays(policy),
    'walk~first-page-again': [
      onListPage((body, seen) => {
        if (isFirst(seen)) first = items(body);
        else if (first !== undefined) return put(body, listIn(body), first);
        return body;
      }),
      alongCases(
        'a short page seems to have another one behind it, and the first page may be of another size',
        ...['limit-default', 'limit', 'limit-clamped', 'limit-low'],
      ),
      alongPolicy(
        'resource',
        'what is on other pages is not found',
        'listed',
        'filtered',
        'deleted',
        'owned',
      ),
    ],
  };
}

/** Changes the bodies of successful lists. */
export function onListPage(change: (body: unknown, seen: DeviationView) => unknown): AnswerChange {
  return (answer, seen) => {
    const { status, body } = answer;
    if (status !== 200 || body.kind !== 'json') return answer;
    return { ...answer, body: { kind: 'json', value: change(body.value, seen) } };
  };
}

// --- internal ---

/** A place that no page has given is not refused. */
function nowhereWays(policy: Pages): Ways {
  const [name = ''] = placesOf(policy);
  const stated = policy.noSuchPage?.status;
  const refused: Condition = ({ status }, seen) =>
    status === (stated ?? 400) && parameter(seen, name) !== undefined;
  return {
    'no-such-page~fails': [
      when(refused, asStatus(500)),
      documented('the document may forbid such a place as well', 'bad-parameter'),
      documented('the document may allow such a place: then a valid request gets a server error', 'answer'),
      anotherStatus,
    ],
    ...(policy.kind === 'pagination' ? { 'no-such-page~the-first-one': firstAgain([refused]) } : {}),
    ...(stated === undefined
      ? {}
      : {
          'no-such-page~another-status': [when(refused, withOtherStatus(stated)), anotherStatus] as const,
        }),
  };
}

/** The stated total is that of one item more. */
function totalWays(policy: Pages): Ways {
  if (policy.kind !== 'numbered-pages') return {};
  const { page: { total } = {}, totalHeader } = policy;
  if (totalHeader !== undefined)
    return {
      'walk~another-total': [
        (answer, seen) =>
          withHeader(totalHeader, String(Number(headerOf(answer, totalHeader)) + 1))(answer, seen),
        alongPolicy('resource', 'the total of a selection is another as well', 'filtered'),
      ],
    };
  if (total === undefined) return {};
  return {
    'walk~another-total': [
      onListPage(oneMore(total)),
      alongPolicy('resource', 'the total of a selection is another as well', 'filtered'),
    ],
  };
}

/** The stated number or offset of a page is that of the next one. */
function placeWays(policy: Pages): Ways {
  const place = policy.kind === 'numbered-pages' ? policy.page?.place : undefined;
  return place === undefined ? {} : { 'walk~another-place': onListPage(oneMore(place)) };
}

function oneMore(path: string): (body: unknown) => unknown {
  return (body) => (isRecord(body) ? put(body, pathIn(body, path), Number(memberAt(body, path)) + 1) : body);
}

/** This many items; if there are fewer, the first ones are repeated. */
function repeated(items: readonly unknown[], count: number): readonly unknown[] {
  return items.length === 0 ? [] : Array.from({ length: count }, (_, index) => items[index % items.length]);
}

/** The parameters that select a page other than the first. */
function placesOf(policy: Pages): readonly string[] {
  if (policy.kind === 'pagination') return [policy.cursorParameter];
  return [policy.pageParameter, policy.offsetParameter].filter((name) => name !== undefined);
}
