import { withHeaders, withoutHeaders, type Answer } from '../../../call/answer.ts';
import { replayHeaderOf } from './keys.ts';
import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import {
  along,
  bearsCredential,
  breaks,
  bucketsOf,
  credentialsOf,
  hasRole,
  headersOf,
  inBucket,
  refused,
  when,
  withJson,
} from '../../../deviations/wire.ts';

const list = ['listModels'];

const withoutBucket = (answer: Answer, seen: DeviationView): Answer =>
  withoutHeaders(answer, bucketsOf(seen)?.header ?? '');

const withoutRequestId = (answer: Answer, seen: DeviationView): Answer =>
  withoutHeaders(answer, headersOf(seen)?.requestId ?? '');

const status =
  (wanted: number): ((answer: Answer) => boolean) =>
  (answer) =>
    answer.status === wanted;

const withCredits = (answer: Answer, seen: DeviationView): Answer =>
  withHeaders(answer, [[headersOf(seen)?.credits ?? '', '3']]);

const credentials: readonly Deviation[] = [
  breaks('router.auth.required', 'open-detail', {
    operations: ['getModel'],
    onReply: when(
      (answer, seen) => answer.status === 401 && !bearsCredential(seen),
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.auth.garbage', '403', {
    operations: list,
    onReply: when(
      (answer, seen) => answer.status === 401 && bearsCredential(seen),
      (answer, seen) => refused(answer, seen, 403, 'noAccess'),
    ),
  }),
  breaks('router.auth.jwt', '401', {
    operations: list,
    onReply: when(
      (answer, seen) =>
        answer.status === 200 && seen.request.header('authorization')?.startsWith('Bearer eyJ') === true,
      (answer, seen) => refused(answer, seen, 401, 'noCredential'),
    ),
  }),
  breaks('router.auth.api-key', '401', {
    operations: list,
    alsoFails: along('the same key still works as bearer', 'router.auth.key-as-bearer'),
    onReply: when(
      (answer, seen) =>
        answer.status === 200 &&
        seen.request.header(credentialsOf(seen)?.keyHeader?.toLowerCase() ?? '') !== undefined,
      (answer, seen) => refused(answer, seen, 401, 'noCredential'),
    ),
  }),
  breaks('router.auth.key-as-bearer', 'as-jwt', {
    operations: list,
    onReply: when(
      (answer, seen) => {
        const prefix = credentialsOf(seen)?.keyPrefix;
        return (
          answer.status === 200 &&
          prefix !== undefined &&
          seen.request.header('authorization')?.startsWith(`Bearer ${prefix}`) === true
        );
      },
      (answer, seen) => refused(answer, seen, 401, 'noCredential'),
    ),
  }),
  breaks('router.auth.required', 'replayed', {
    operations: ['runModel'],
    onReply: when(
      (answer, seen) =>
        answer.status === 401 &&
        !bearsCredential(seen) &&
        seen.request.header('idempotency-key') !== undefined,
      (answer, seen) => {
        const { name, value } = replayHeaderOf(seen) ?? { name: '', value: '' };
        return withHeaders(withJson(answer, 200, {}), [[name, value]]);
      },
    ),
  }),
  breaks('router.auth.garbage', 'any-scheme', {
    alsoFails: along('the success is no page', 'router.list.body-required'),
    operations: list,
    onReply: when(
      (answer, seen) =>
        answer.status === 401 && seen.request.header('authorization')?.startsWith('Token eyJ') === true,
      (answer) => withJson(answer, 200, {}),
    ),
  }),
  breaks('router.auth.jwt', 'not-on-runs', {
    operations: ['runModel'],
    onReply: when(
      (_, seen) => seen.request.header('authorization')?.startsWith('Bearer eyJ') === true,
      (answer, seen) => refused(answer, seen, 401, 'noCredential'),
    ),
  }),
  breaks('router.auth.key-as-bearer', 'on-the-list-only', {
    operations: ['getModel'],
    onReply: when(
      (_, seen) =>
        seen.request
          .header('authorization')
          ?.startsWith(`Bearer ${credentialsOf(seen)?.keyPrefix ?? ' '}`) === true,
      (answer, seen) => refused(answer, seen, 401, 'noCredential'),
    ),
  }),
  breaks('router.auth.before-lookup', '404', {
    operations: ['getModel'],
    onReply: when(
      (answer, seen) => answer.status === 401 && seen.request.path.includes('/no-such-'),
      (answer, seen) => refused(answer, seen, 404, 'unknownModel'),
    ),
  }),
];

const headers: readonly Deviation[] = [
  breaks('router.headers.request-id', 'missing-on-401', { onReply: when(status(401), withoutRequestId) }),
  breaks('router.headers.request-id', 'missing-on-304', {
    alsoFails: along('it is one of the three headers of a 304', 'router.schema.304-headers'),
    onReply: when(status(304), withoutRequestId),
  }),
  breaks('router.headers.error-type', 'missing-on-404', { onReply: when(status(404), withoutBucket) }),
  breaks('router.headers.error-type', 'missing-on-422', {
    alsoFails: along('the 422 has a rule of its own for it', 'router.run.422-bucket-header'),
    onReply: when(status(422), withoutBucket),
  }),
  breaks('router.headers.error-type', 'missing-on-409', {
    alsoFails: along('the 409 has a rule of its own for it', 'router.idem.409-error-type'),
    onReply: when(status(409), withoutBucket),
  }),
  breaks('router.credits-header.not-on-unbilled', 'on-404', {
    alsoFails: along('the replay of a 404 has credits as well', 'router.credits-header.not-on-replay'),
    onReply: when(status(404), withCredits),
  }),
  breaks('router.credits-header.not-on-unbilled', 'on-bad-input', {
    onReply: when((answer, seen) => answer.status === 400 && hasRole(answer, seen, 'badInput'), withCredits),
  }),
  breaks('router.credits-header.not-on-unbilled', 'on-conflicts', {
    onReply: when(status(409), withCredits),
  }),
  breaks('router.credits-header.not-on-unbilled', 'on-reads', {
    operations: ['listModels', 'getModel', 'getModelInputSchema'],
    onReply: when((answer) => answer.status < 400, withCredits),
  }),
];

const unavailable = (answer: Answer, seen: DeviationView): boolean =>
  hasRole(answer, seen, 'unavailable') && answer.status === 503;

const bodies: readonly Deviation[] = [
  breaks('router.body.no-cost-figures', 'credits-used', {
    onReply: (answer) => onJson(answer, [400, 404], (body) => ({ ...body, credits_used: 3 })),
  }),
  breaks('router.body.no-cost-figures', 'text', {
    onReply: (answer) => onJson(answer, [400, 404], (body) => ({ ...body, cost: { of_call: '3.20 USD' } })),
  }),
  breaks('router.errors.closed-fifteen', 'sixteenth', {
    onReply: when(unavailable, (answer, seen) => inBucket(answer, seen, 'quota_exceeded')),
  }),
  breaks('router.errors.forecast-never', 'announced', {
    onReply: when(unavailable, (answer, seen) => inBucket(answer, seen, bucketsOf(seen)?.forecast[1] ?? '')),
  }),
  breaks('router.errors.header-equals-body', 'differ', {
    onReply: when(status(404), (answer, seen) =>
      inBucket(answer, seen, bucketsOf(seen)?.roles.badInput ?? '', 'body'),
    ),
  }),
  breaks('router.errors.body-shape', 'detail-object', {
    operations: list,
    onReply: (answer, seen) =>
      onJson(answer, 400, (body) => ({ ...body, [bucketsOf(seen)?.detailMember ?? '']: {} })),
  }),
  breaks('router.errors.body-shape', 'bare-500', {
    operations: list,
    alsoFails: along('a bare answer has no header either', 'router.headers.error-type'),
    onReply: when(
      (_, { request }) => request.search === '?limit=ten',
      (answer, seen) => ({
        ...withoutHeaders(answer, bucketsOf(seen)?.header ?? '', 'Content-Type'),
        status: 500,
        body: { kind: 'none' },
      }),
    ),
  }),
  breaks('router.errors.bucket-status', 'capacity-on-409', {
    onReply: when(status(409), (answer, seen) =>
      inBucket(answer, seen, bucketsOf(seen)?.roles.capacity ?? ''),
    ),
  }),
];

export const routerErrorDeviations: readonly Deviation[] = [...credentials, ...headers, ...bodies];
