import { deadlineAfter, neverFreed } from '../../../deviations/key-parts.ts';
import { headerOf, withHeaders, withoutHeaders, type Answer } from '../../../call/answer.ts';
import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import { mostSuggested, policyRefusedOnce, schemaUnchecked, unreleasedSuggested } from './parts.ts';
import {
  along,
  bearsCredential,
  breaks,
  bucketsOf,
  hasRole,
  headersOf,
  inBucket,
  isWellFormed,
  pathId,
  refused,
  sentBody,
  when,
  withJson,
  withText,
} from '../../../deviations/wire.ts';

type JsonRecord = Record<string, unknown>;
type Reply = NonNullable<Deviation['onReply']>;

const run = ['runModel'];

/** The model that answers with its input. */
const ECHO = 'acme/echo-1';

/** Members that its usual input has. */
const KNOWN = ['prompt', 'layers', 'note'];

const on = (id: string, change: Reply): Reply => when((_, seen) => pathId(seen) === id, change);

/** Successful runs of one model. */
const success = (id: string, change: Reply): Reply =>
  on(
    id,
    when((answer) => answer.status === 200, change),
  );

const results: readonly Deviation[] = [
  breaks('router.run.ok', '201', {
    operations: run,
    onReply: success('mock/ok', (answer) => ({ ...answer, status: 201 })),
  }),
  breaks('router.run.no-202', 'accepted', {
    operations: run,
    alsoFails: along('a 202 is no 200', 'router.run.ok'),
    onReply: success('mock/ok', (answer) => ({
      ...withHeaders(answer, [['Location', '/v1/runs/1']]),
      status: 202,
    })),
  }),
  breaks('router.run.single-response', 'stream', {
    operations: run,
    onReply: success(
      'mock/ok',
      when(
        (_, seen) => seen.request.header('accept')?.includes('event-stream') === true,
        (answer) => withText(answer, 200, 'text/event-stream', 'event: progress\ndata: {"value":0.5}\n\n'),
      ),
    ),
  }),
  breaks('router.run.output-object', 'array', {
    operations: run,
    onReply: success('mock/ok', (answer) => onJson(answer, 200, (body) => [body])),
  }),
  breaks('router.run.output-unchanged', 'envelope', {
    operations: run,
    alsoFails: through('an envelope'),
    onReply: success(ECHO, (answer) => onJson(answer, 200, (data) => ({ data }))),
  }),
  breaks('router.run.output-unchanged', 'field-dropped', {
    operations: run,
    alsoFails: through('an output with a hole'),
    onReply: success(ECHO, (answer) => onJson(answer, 200, ({ layers: _, ...body }) => body)),
  }),
  breaks('router.run.output-unchanged', 'field-renamed', {
    operations: run,
    alsoFails: through('an output with other names'),
    onReply: success(ECHO, (answer) =>
      onJson(answer, 200, ({ prompt, ...body }) => ({ ...body, text: prompt })),
    ),
  }),
  breaks('router.run.output-unchanged', 'reprinted', {
    operations: run,
    onReply: success(ECHO, (answer) => onJson(answer, 200, (body) => ({ ...body }))),
  }),
  breaks('router.run.body-forwarded', 'unknown-dropped', {
    operations: run,
    onReply: success(ECHO, (answer) =>
      onJson(answer, 200, (body) =>
        Object.fromEntries(Object.entries(body).filter(([name]) => KNOWN.includes(name))),
      ),
    ),
  }),
  breaks('router.run.body-forwarded', 'null-removed', {
    operations: run,
    onReply: success(ECHO, (answer) =>
      onJson(answer, 200, (body) =>
        Object.fromEntries(
          Object.entries(body).filter(([name, value]) => value !== null || KNOWN.includes(name)),
        ),
      ),
    ),
  }),
  breaks('router.run.body-forwarded', 'camel-case', {
    operations: run,
    onReply: success(
      ECHO,
      when(
        (_, seen) => Object.keys(sentBody(seen)).some((name) => name.includes('_')),
        (answer) =>
          onJson(answer, 200, (body) =>
            Object.fromEntries(Object.entries(body).map(([name, value]) => [camelCase(name), value])),
          ),
      ),
    ),
  }),
  breaks('router.run.open-input', 'closed', {
    operations: run,
    onReply: success(
      ECHO,
      when(
        (_, seen) => Object.keys(sentBody(seen)).some((name) => name.startsWith('tallystick')),
        (answer, seen) => refused(answer, seen, 400, 'badInput'),
      ),
    ),
  }),
  breaks('router.run.schema-valid-not-invalid-input', 'minimal-refused', {
    operations: run,
    onReply: success(
      'mock/ok',
      when(
        (_, seen) => Object.keys(sentBody(seen)).length < 2,
        (answer, seen) => refused(answer, seen, 400, 'badInput'),
      ),
    ),
  }),
];

const badInputs: readonly Deviation[] = [
  breaks('router.run.body-required', 'runs', {
    operations: run,
    onReply: when(
      (answer, seen) => answer.status === 400 && seen.request.raw.body.length === 0,
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.run.malformed-json', '500', {
    operations: run,
    onReply: when(isMalformed, (answer, seen) => refused(answer, seen, 500, 'internal')),
  }),
  breaks('router.run.malformed-json', 'runs', {
    operations: run,
    onReply: when(isMalformed, (answer) => withJson(answer, 200, {})),
  }),
  breaks('router.run.non-object-body', 'runs', {
    operations: run,
    onReply: when(
      (answer, seen) => {
        const body = seen.request.body();
        return (
          answer.status === 400 &&
          body.kind === 'json' &&
          (typeof body.value !== 'object' || Array.isArray(body.value))
        );
      },
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.run.schema-is-enforced', 'unchecked', {
    operations: run,
    replaces: { router: schemaUnchecked },
  }),
  breaks('router.run.404-model-not-found', 'bad-input', {
    operations: run,
    onReply: when(
      (answer, seen) => isUnknown(answer, seen) && pathId(seen) === 'mock/no-such-model' && !isKeyed(seen),
      (answer, seen) => refused(answer, seen, 400, 'badInput'),
    ),
  }),
  breaks('router.run.404-unknown-provider', '403', {
    operations: run,
    onReply: when(
      (answer, seen) => isUnknown(answer, seen) && !pathId(seen).startsWith('mock/'),
      (answer, seen) => refused(answer, seen, 403, 'noAccess'),
    ),
  }),
  breaks('router.run.404-suggestions-max3', 'five', {
    operations: run,
    replaces: { router: mostSuggested(5) },
  }),
  breaks('router.run.404-suggestions-visible', 'hidden', {
    operations: run,
    replaces: { router: unreleasedSuggested },
  }),
];

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

const modelRefusals: readonly Deviation[] = [
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

const failures: readonly Deviation[] = [
  breaks('router.run.403-forbidden', '404', {
    onReply: when(
      (answer, seen) => hasRole(answer, seen, 'noAccess'),
      (answer, seen) => refused(answer, seen, 404, 'unknownModel'),
    ),
  }),
  breaks('router.run.429-bucket', 'internal', {
    operations: run,
    onReply: when(
      (answer) => answer.status === 429,
      (answer, seen) => inBucket(answer, seen, bucketsOf(seen)?.roles.internal ?? ''),
    ),
  }),
  breaks('router.run.429-detail-names-bound', 'empty', {
    operations: run,
    onReply: (answer, seen) =>
      onJson(answer, 429, (body) => ({ ...body, [bucketsOf(seen)?.detailMember ?? '']: '' })),
  }),
  breaks('router.run.429-detail-names-bound', 'same', {
    operations: run,
    onReply: (answer, seen) =>
      onJson(answer, 429, (body) => ({
        ...body,
        [bucketsOf(seen)?.detailMember ?? '']: `Too many requests (${seen.request.method}).`,
      })),
  }),
  breaks('router.run.429-spend-headers', 'no-remaining', {
    operations: run,
    onReply: (answer, seen) => withoutHeaders(answer, headersOf(seen)?.spend?.remaining ?? ''),
  }),
  breaks('router.run.429-spend-headers', 'dollars', {
    operations: run,
    onReply: (answer, seen) => {
      const name = headersOf(seen)?.spend?.current ?? '';
      return headerOf(answer, name) === undefined ? answer : withHeaders(answer, [[name, '$1.20']]);
    },
  }),
  breaks('router.run.429-retry-after-own-call', 'never', {
    operations: run,
    alsoFails: along('the key cannot be tried as long as the bound holds', 'router.idem.release-429'),
    replaces: { store: neverFreed },
  }),
  breaks('router.run.503-shape', 'html', {
    operations: run,
    onReply: when(
      (answer) => answer.status === 503,
      (answer) => withText(answer, 503, 'text/html', '<h1>Service Unavailable</h1>'),
    ),
  }),
  breaks('router.run.504-bucket', 'internal', {
    operations: run,
    alsoFails: along(
      'a timeout without its name is no timeout of the provider',
      'router.run.504-provider-timeout',
    ),
    onReply: when(
      (answer, seen) => hasRole(answer, seen, 'providerTimeout'),
      (answer, seen) => refused(answer, seen, 504, 'internal'),
    ),
  }),
  breaks('router.run.504-deadline', 'provider-timeout', {
    operations: run,
    onReply: when(
      (answer, seen) => hasRole(answer, seen, 'deadline'),
      (answer, seen) => refused(answer, seen, 504, 'providerTimeout'),
    ),
  }),
  breaks('router.run.504-deadline', '503', {
    operations: run,
    alsoFails: [
      ...along('the bucket has its status stated', 'router.errors.bucket-status'),
      ...along('a 503 is not timed', 'router.run.504-deadline-not-early'),
    ],
    onReply: when(
      (answer, seen) => hasRole(answer, seen, 'deadline'),
      (answer) => ({ ...answer, status: 503 }),
    ),
  }),
  breaks('router.run.504-deadline-not-early', 'half', {
    operations: run,
    replaces: { deadlineMs: deadlineAfter(0.5) },
  }),
  breaks('router.run.504-provider-timeout', 'deadline', {
    operations: run,
    onReply: when(
      (answer, seen) => hasRole(answer, seen, 'providerTimeout'),
      (answer, seen) => refused(answer, seen, 504, 'deadline'),
    ),
  }),
  breaks('router.run.504-header-equals-body', 'differ', {
    operations: run,
    onReply: when(
      (answer, seen) => hasRole(answer, seen, 'deadline'),
      (answer, seen) => inBucket(answer, seen, bucketsOf(seen)?.roles.providerTimeout ?? '', 'body'),
    ),
  }),
  breaks('router.run.content-policy', 'provider-error', {
    operations: run,
    onReply: when(
      (answer, seen) => hasRole(answer, seen, 'policyRefusal'),
      (answer, seen) => refused(answer, seen, 502, 'providerFailure'),
    ),
  }),
  breaks('router.run.content-policy', 'second-succeeds', {
    operations: run,
    replaces: { router: policyRefusedOnce },
  }),
  breaks('router.run.provider-error', 'html-200', {
    operations: run,
    alsoFails: along('a success frees no key', 'router.idem.release-5xx'),
    onReply: when(
      (answer, seen) => hasRole(answer, seen, 'providerFailure'),
      (answer) => withText(answer, 200, 'text/html', '<h1>Bad Gateway</h1>'),
    ),
  }),
  breaks('router.run.insufficient-credits', 'forbidden', {
    operations: run,
    onReply: when(
      (answer, seen) => hasRole(answer, seen, 'noCredits'),
      (answer, seen) => refused(answer, seen, 403, 'noAccess'),
    ),
  }),
  breaks('router.contract.route-prefix', 'v2', {
    operations: run,
    alsoFails: along('a route that is not there asks for no credential', 'router.auth.required'),
    onReply: when(
      (answer, seen) => answer.status === 401 && !bearsCredential(seen),
      (answer, seen) => refused(answer, seen, 404, 'unknownModel'),
    ),
  }),
];

export const routerRunDeviations: readonly Deviation[] = [
  ...results,
  ...badInputs,
  ...modelRefusals,
  ...failures,
];

// --- internal ---

function through(what: string): Deviation['alsoFails'] {
  return along(
    `what arrived cannot be seen through ${what}`,
    'router.run.body-forwarded',
    'router.run.open-input',
  );
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function isMalformed(answer: Answer, { request }: DeviationView): boolean {
  return answer.status === 400 && request.raw.body.length > 0 && request.body().kind === 'malformed';
}

function isUnknown(answer: Answer, seen: DeviationView): boolean {
  return answer.status === 404 && isWellFormed(seen);
}

function isKeyed({ request }: DeviationView): boolean {
  return request.header('idempotency-key') !== undefined;
}

function withoutBucket(answer: Answer, seen: DeviationView): Answer {
  return withoutHeaders(answer, bucketsOf(seen)?.header ?? '');
}
