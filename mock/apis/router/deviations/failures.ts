import { policyRefusedOnce } from './parts.ts';
import { deadlineAfter, neverFreed, sharedByAll } from '../../../deviations/key-parts.ts';
import { headerOf, withHeaders, withoutHeaders } from '../../../call/answer.ts';
import { onJson, type Deviation } from '../../../deviations/deviation.ts';
import {
  along,
  bearsCredential,
  breaks,
  bucketsOf,
  hasRole,
  headersOf,
  inBucket,
  refused,
  when,
  withText,
} from '../../../deviations/wire.ts';

const run = ['runModel'];

export const routerFailureDeviations: readonly Deviation[] = [
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
  breaks('router.run.429-spend-headers', 'limit-in-dollars', {
    operations: run,
    onReply: (answer, seen) => {
      const name = headersOf(seen)?.spend?.limit ?? '';
      return headerOf(answer, name) === undefined ? answer : withHeaders(answer, [[name, '1.00']]);
    },
  }),
  breaks('router.run.429-per-caller', 'shared', {
    alsoFails: along('a caller within its bound is refused', 'router.run.429-only-beyond'),
    operations: run,
    replaces: { store: sharedByAll },
  }),
  breaks('router.run.429-only-beyond', 'failures-hold', {
    operations: run,
    onReply: when(
      (answer, seen) =>
        hasRole(answer, seen, 'providerFailure') &&
        JSON.stringify(seen.request.raw.rawHeaders).includes('one-slot'),
      (answer, seen) => refused(answer, seen, 429, 'capacity'),
    ),
  }),
  breaks('router.run.429-retry-after-own-call', 'never', {
    operations: run,
    alsoFails: [
      ...along('the key cannot be tried as long as the bound holds', 'router.idem.release-429'),
      ...along('a caller within its bound is refused', 'router.run.429-only-beyond'),
    ],
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
      ...along('the model answers otherwise, so that its keys cannot be judged', 'router.idem.release-5xx'),
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
    alsoFails: along('a recorded refusal looks like a failure of the server', 'router.idem.release-5xx'),
    operations: run,
    onReply: when(
      (answer, seen) => hasRole(answer, seen, 'policyRefusal'),
      (answer, seen) => refused(answer, seen, 502, 'providerFailure'),
    ),
  }),
  breaks('router.run.content-policy', 'second-succeeds', {
    alsoFails: along(
      'the model answers otherwise, so that its keys cannot be judged',
      'router.idem.replay-errors-too',
      'router.idem.release-5xx',
      'router.idem.release-429',
      'router.idem.release-408-425',
    ),
    operations: run,
    replaces: { router: policyRefusedOnce },
  }),
  breaks('router.run.provider-error', 'html-200', {
    operations: run,
    alsoFails: [
      ...along('a success frees no key', 'router.idem.release-5xx'),
      ...along(
        'the model answers otherwise, so that its keys cannot be judged',
        'router.idem.replay-errors-too',
        'router.idem.release-429',
        'router.idem.release-408-425',
      ),
    ],
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
