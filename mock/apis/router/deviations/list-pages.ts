import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import { parameter } from '../../../deviations/wire.ts';

/** Changes of the pages of the catalogue. */

export type JsonRecord = Record<string, unknown>;

export const list = ['listModels'];

export const page =
  (change: (page: JsonRecord, seen: DeviationView) => unknown): NonNullable<Deviation['onReply']> =>
  (answer, seen) =>
    onJson(answer, 200, (body) => change(body, seen));

/** Changes one entry of the catalogue, on whatever page it stands. */
export const oneEntry =
  (change: (entry: JsonRecord) => unknown): NonNullable<Deviation['onReply']> =>
  (answer) =>
    onJson(answer, 200, (body) => ({
      ...body,
      data: entriesOf(body).map((entry) => (entry['id'] === 'acme/upscale_4x' ? change(entry) : entry)),
    }));

/** Changes the last entry of the catalogue. */
export const lastEntry = (change: (entry: JsonRecord) => unknown): NonNullable<Deviation['onReply']> =>
  page((body) =>
    body['has_more'] === false && entriesOf(body).length > 0
      ? { ...body, data: [...entriesOf(body).slice(0, -1), change(entriesOf(body).at(-1) ?? {})] }
      : body,
  );

export const asked = (seen: DeviationView): number => Number(parameter(seen, 'limit') ?? Number.NaN);

export function entriesOf(body: JsonRecord): readonly JsonRecord[] {
  const { data } = body;
  return Array.isArray(data) ? (data as JsonRecord[]) : [];
}
