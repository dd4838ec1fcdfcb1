import { onBody, type AnswerChange } from '../../../deviations/changes.ts';
import { breaks } from '../../../deviations/breaks.ts';
import { parameter, type Condition } from '../../../deviations/conditions.ts';
import type { DeviationView } from '../../../deviations/deviation.ts';

/** Changes of the pages of the catalogue. */

type JsonRecord = Readonly<Record<string, unknown>>;

export const onList = breaks('listModels');

export const onPage = (change: (page: JsonRecord, seen: DeviationView) => unknown): AnswerChange =>
  onBody(200, change);

/** Changes one entry of the catalogue, on any page. */
export const oneEntry = (change: (entry: JsonRecord) => unknown): AnswerChange =>
  onPage((body) => ({
    ...body,
    data: entriesOf(body).map((entry) => (entry['id'] === 'acme/upscale_4x' ? change(entry) : entry)),
  }));

/** Changes the last entry of the catalogue. */
export const lastEntry = (change: (entry: JsonRecord) => unknown): AnswerChange =>
  onPage((body) =>
    body['has_more'] === false && entriesOf(body).length > 0
      ? { ...body, data: [...entriesOf(body).slice(0, -1), change(entriesOf(body).at(-1) ?? {})] }
      : body,
  );

/** Requests for pages of certain sizes; requests without a limit have no size. */
export const asks =
  (holds: (limit: number) => boolean): Condition =>
  (_, seen) =>
    holds(asked(seen));

export const asked = (seen: DeviationView): number => Number(parameter(seen, 'limit') ?? Number.NaN);

export function entriesOf({ data }: JsonRecord): readonly JsonRecord[] {
  return Array.isArray(data) ? (data as JsonRecord[]) : [];
}
