import { isRecord, pagesPolicyOf, type PolicyOf } from '../../../contract/index.ts';
import type { Contract, Json } from '../../../contract/model.ts';
import { joinPointer, valueAt } from '../../../contract/pointer.ts';
import { put, type AnswerChange } from '../changes.ts';
import { parameter } from '../conditions.ts';
import { alongCases, type Ways } from './broken.ts';
import { onListPage } from './pages.ts';

/** A filtered list ends with a thing that the filter does not select. */
export function filterWays(contract: Contract, { filters, items, operations }: PolicyOf<'resource'>): Ways {
  const list = contract.operations.find(({ id }) => id === operations.list);
  if (filters === undefined || list === undefined) return {};
  const path = items ?? pagesPolicyOf(list)?.page?.items;
  const place = path === undefined ? [] : path.split('.');
  let known: readonly unknown[] = [];
  const onReply: AnswerChange = onListPage((body, seen) => {
    const found = valueAt(body as Json, joinPointer('', ...place));
    if (!Array.isArray(found)) return body;
    const used = Object.entries(filters).find(([name]) => parameter(seen, name) !== undefined);
    if (used === undefined) {
      known = [...known, ...(found as unknown[])].slice(-MOST_KNOWN);
      return body;
    }
    const [name, member] = used;
    const other = known.find((item) => isRecord(item) && String(item[member]) !== parameter(seen, name));
    return other === undefined || found.length === 0
      ? body
      : put(body, place, [...(found as unknown[]).slice(0, -1), other]);
  });
  return {
    'filtered~another': [
      { operations: [list.id], onReply },
      alongCases('a filtered list lacks its last thing', 'listed'),
    ],
  };
}

/** Each page of a sorted list is turned round. */
export function sortWays(contract: Contract, { sort, items, operations }: PolicyOf<'resource'>): Ways {
  const list = contract.operations.find(({ id }) => id === operations.list);
  if (sort === undefined || list === undefined) return {};
  const path = items ?? pagesPolicyOf(list)?.page?.items;
  const place = path === undefined ? [] : path.split('.');
  return {
    'sorted~the-other-way': {
      operations: [list.id],
      onReply: onListPage((body, seen) => {
        const found = valueAt(body as Json, joinPointer('', ...place));
        const isSorted = parameter(seen, sort.parameter) !== undefined && Array.isArray(found);
        return isSorted ? put(body, place, (found as unknown[]).toReversed()) : body;
      }),
    },
  };
}

// --- internal ---

const MOST_KNOWN = 200;
