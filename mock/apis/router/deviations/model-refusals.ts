import { withoutHeaders, type Answer } from '../../../call/answer.ts';
import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import { along, breaks, bucketsOf, when } from '../../../deviations/wire.ts';

type JsonRecord = Record<string, unknown>;
type Reply = NonNullable<Deviation['onReply']>;

const run = ['runModel'];

/** Changes the entries of the model's refusal; `few` works on a refusal of one entry, `many` on the others. */
const entries =
  (which: 'few' | 'many', change: (entries: readonly JsonRecord[]) => unknown): Reply =>
  (answer) =>
    onJson(answer, 422, (body) => {
      const list = body['detail'] as readonly JsonRecord[];
      return (list.length === 1) === (which === 'few') ? { ...body, detail: change(list) } : body;
    });

const each = (which: 'few' | 'many', change: (entry: JsonRecord) => unknown): Reply =>
  entries(which, (list) => list.map(change));

export const routerModelRefusalDeviations: readonly Deviation[] = [
  breaks('router.run.422-shape', 'text', {
    operations: run,
    onReply: entries('few', () => 'The image is no picture.'),
  }),
  breaks('router.run.422-no-error-type', 'added', {
    operations: run,
    onReply: (answer, seen) =>
      onJson(answer, 422, (body) => ({
        ...body,
        [bucketsOf(seen)?.bodyMember ?? '']: bucketsOf(seen)?.roles.badInput,
      })),
  }),
  breaks('router.run.422-bucket-header', 'missing', {
    operations: run,
    alsoFails: along('a 422 is an error answer like any other', 'router.headers.error-type'),
    onReply: when((answer) => answer.status === 422, withoutBucket),
  }),
  breaks('router.run.422-entry-required', 'loc-text', {
    operations: run,
    onReply: each('few', (entry) => ({ ...entry, loc: 'body.image' })),
  }),
  breaks('router.run.422-loc-index-integer', 'text', {
    operations: run,
    onReply: each('many', (entry) => ({ ...entry, loc: (entry['loc'] as unknown[]).map(String) })),
  }),
  breaks('router.run.422-one-per-field', 'collapsed', {
    operations: run,
    onReply: entries('many', (list) =>
      list.filter(({ loc }) => (loc as unknown[]).some(Number.isInteger)).slice(0, 1),
    ),
  }),
  breaks('router.run.422-one-per-field', 'doubled', {
    operations: run,
    onReply: entries('many', (list) => [...list, ...list.slice(-1)]),
  }),
  breaks('router.run.422-loc-index-integer', 'in-name', {
    operations: run,
    onReply: each('many', (entry) => ({
      ...entry,
      loc: [(entry['loc'] as unknown[]).map(String).join('.')],
    })),
  }),
  breaks('router.run.422-ctx-absent', 'null', {
    operations: run,
    onReply: each('few', (entry) => ({ ...entry, ctx: null })),
  }),
  breaks('router.run.422-input-any', 'text', {
    operations: run,
    onReply: each('many', (entry) =>
      'input' in entry ? { ...entry, input: `${JSON.stringify(entry['input'])} ` } : entry,
    ),
  }),
];

// --- internal ---

function withoutBucket(answer: Answer, seen: DeviationView): Answer {
  return withoutHeaders(answer, bucketsOf(seen)?.header ?? '');
}
