import { along, breaks } from '../../../deviations/breaks.ts';
import { bucketsOf, onBody, withoutBucket, type AnswerChange } from '../../../deviations/changes.ts';
import { sends, status, when } from '../../../deviations/conditions.ts';
import type { Deviation } from '../../../deviations/deviation.ts';

type JsonRecord = Record<string, unknown>;
/** Changes the entries of the model's refusal; `few` works on a refusal of one entry, `many` on the others. */
const entries = (which: 'few' | 'many', change: (entries: readonly JsonRecord[]) => unknown): AnswerChange =>
  onBody(422, (body) => {
    const list = body['detail'] as readonly JsonRecord[];
    return (list.length === 1) === (which === 'few') ? { ...body, detail: change(list) } : body;
  });

const each = (which: 'few' | 'many', change: (entry: JsonRecord) => unknown): AnswerChange =>
  entries(which, (list) => list.map(change));

export const routerModelRefusalDeviations: readonly Deviation[] = breaks('runModel')({
  'router.run.422-shape~text': entries('few', () => 'The image cannot be decoded.'),
  'router.run.422-no-error-type~added': onBody(422, (body, seen) => ({
    ...body,
    [bucketsOf(seen)?.bodyMember ?? '']: bucketsOf(seen)?.roles.badInput,
  })),
  'router.run.422-no-error-type~added-under-a-key': when(
    sends('idempotency-key'),
    onBody(422, (body, seen) => ({
      ...body,
      [bucketsOf(seen)?.bodyMember ?? '']: bucketsOf(seen)?.roles.badInput,
    })),
  ),
  'router.run.422-bucket-header~missing': [
    when(status(422), withoutBucket),
    along('a 422 is an error answer like any other', 'router.headers.error-type'),
  ],
  'router.run.422-entry-required~loc-text': each('few', (entry) => ({ ...entry, loc: 'body.image' })),
  'router.run.422-entry-required~nameless': each('few', (entry) => ({
    ...entry,
    loc: (entry['loc'] as unknown[]).with(-1, ''),
  })),
  'router.run.422-loc-index-integer~text': each('many', (entry) => ({
    ...entry,
    loc: (entry['loc'] as unknown[]).map(String),
  })),
  'router.run.422-one-per-field~collapsed': entries('many', (list) =>
    list.filter(({ loc }) => (loc as unknown[]).some(Number.isInteger)).slice(0, 1),
  ),
  'router.run.422-one-per-field~doubled': entries('many', (list) => [...list, ...list.slice(-1)]),
  'router.run.422-loc-index-integer~in-name': each('many', (entry) => ({
    ...entry,
    loc: [(entry['loc'] as unknown[]).map(String).join('.')],
  })),
  'router.run.422-ctx-absent~null': each('few', (entry) => ({ ...entry, ctx: null })),
  'router.run.422-input-any~text': each('many', (entry) =>
    'input' in entry ? { ...entry, input: `${JSON.stringify(entry['input'])} ` } : entry,
  ),
});
