import { policyRefusedOnce } from './parts.ts';
import { deadlineAfter, neverFreed, refusedSpendHeld, sharedByAll } from '../../../deviations/key-parts.ts';
import { headerOf, withHeaders, withoutHeaders } from '../../../call/answer.ts';
import { along, breaks, bySearch } from '../../../deviations/breaks.ts';
import {
  asJson,
  asStatus,
  asText,
  headersOf,
  inBucket,
  refusal,
  withDetail,
  type AnswerChange,
} from '../../../deviations/changes.ts';
import {
  bearsCredential,
  not,
  path,
  role,
  sends,
  sendsParameter,
  status,
  when,
} from '../../../deviations/conditions.ts';
import type { Deviation, DeviationView } from '../../../deviations/deviation.ts';
import { isOrdinary } from './which-model.ts';

const answersOtherwise = (...rules: readonly string[]): Deviation['alsoFails'] =>
  along(
    'the model answers otherwise, so that its keys cannot be judged',
    ...rules.map((rule) => `router.idem.${rule}`),
  );

export const routerFailureDeviations: readonly Deviation[] = [
  ...breaks()({
    'router.run.403-forbidden~404': when(role('noAccess'), refusal(404, 'unknownModel')),
    'router.run.403-forbidden~unknown-to-some-models': when(
      [role('noAccess'), path(/^\/v1\/models\/[^/]+\/[^/]+$/), isOrdinary],
      refusal(401, 'noCredential'),
    ),
    'router.run.403-forbidden~open-documents': [
      when(
        [role('noAccess'), path(/\/openapi\.json$/)],
        asJson(200, { openapi: '3.0.2', info: { title: 'any', version: '1' }, paths: {} }),
      ),
      along(
        'the document of a forbidden model describes nothing',
        'router.schema.200',
        'router.schema.describes-body',
        'router.schema.model-id-ext',
        'router.schema.authored-bool',
      ),
    ],
    'router.run.403-forbidden~open-later-pages': when(
      [role('noAccess'), sendsParameter('cursor')],
      asJson(200, { data: [], has_more: false, limit: 1 }),
    ),
    'router.run.403-forbidden~open-with-a-key': when(
      [role('noAccess'), sends('idempotency-key')],
      asJson(200, {}),
    ),
    'router.run.insufficient-credits~for-reads': when([status(200), isPoor], refusal(402, 'noCredits')),
    'router.run.429-only-beyond~reads': when(
      [status(200), path(/^\/v1\/models$/), isNarrow],
      refusal(429, 'capacity'),
    ),
  }),
  ...breaks('runModel')({
    'router.run.429-bucket~internal': when(
      status(429),
      inBucket(({ roles }) => roles.internal),
    ),
    'router.run.429-detail-names-bound~empty': withDetail(429, ''),
    'router.run.429-detail-names-bound~same': withDetail(429, 'Too many requests (POST).'),
    'router.run.429-spend-headers~no-remaining': (answer, seen) =>
      withoutHeaders(answer, headersOf(seen)?.spend?.remaining ?? ''),
    'router.run.429-spend-headers~dollars': spendAs('current', '$1.20'),
    'router.run.429-spend-headers~limit-in-dollars': spendAs('limit', '1.00'),
    'router.run.429-per-caller~shared': [
      { store: sharedByAll },
      bySearch('a caller within its bound is refused', 'router.run.429-only-beyond'),
      bySearch('the calls of another caller use up the bound', 'router.run.504-provider-timeout'),
    ],
    'router.run.429-only-beyond~refused-spend-held': [
      { store: refusedSpendHeld },
      along('the spend is not there when the calls have ended', 'router.run.429-retry-after-own-call'),
    ],
    'router.run.429-only-beyond~failures-hold': when(
      [role('providerFailure'), isNarrow],
      refusal(429, 'capacity'),
    ),
    'router.run.429-retry-after-own-call~never': [
      { store: neverFreed },
      along('the key cannot be tried while the bound applies', 'router.idem.release-429'),
      along('a caller within its bound is refused', 'router.run.429-only-beyond'),
    ],
    'router.errors.bucket-status~unknown-model-400': when(
      [status(404), isNarrow],
      refusal(400, 'unknownModel'),
    ),
    'router.run.503-shape~html': when(status(503), asText('text/html', '<h1>Service Unavailable</h1>')),
    'router.run.504-bucket~internal': [
      when(role('providerTimeout'), refusal(504, 'internal')),
      along('a timeout without its name is not one of the provider', 'router.run.504-provider-timeout'),
    ],
    'router.run.504-deadline~provider-timeout': when(role('deadline'), refusal(504, 'providerTimeout')),
    'router.run.504-deadline~other-with-key': when(
      [role('deadline'), sends('idempotency-key')],
      refusal(504, 'providerTimeout'),
    ),
    'router.run.504-deadline~503': [
      when(role('deadline'), asStatus(503)),
      along('the bucket has its status stated', 'router.errors.bucket-status'),
      along('a 503 is not timed', 'router.run.504-deadline-not-early'),
      answersOtherwise('release-5xx'),
    ],
    'router.run.504-deadline-not-early~half': { deadlineMs: deadlineAfter(0.5) },
    'router.run.504-provider-timeout~deadline': when(role('providerTimeout'), refusal(504, 'deadline')),
    'router.run.504-header-equals-body~differ': when(
      role('deadline'),
      inBucket(({ roles }) => roles.providerTimeout, 'body'),
    ),
    'router.run.content-policy~provider-error': [
      when(role('policyRefusal'), refusal(502, 'providerFailure')),
      along('a 502 frees its key, and this one has a record', 'router.idem.release-5xx'),
    ],
    'router.run.content-policy~second-succeeds': { router: policyRefusedOnce },
    'router.run.provider-error~html-200': when(
      role('providerFailure'),
      asText('text/html', '<h1>Bad Gateway</h1>', 200),
    ),
    'router.run.insufficient-credits~forbidden': when(role('noCredits'), refusal(403, 'noAccess')),
    'router.contract.route-prefix~v2': [
      when([status(401), not(bearsCredential)], refusal(404, 'unknownModel')),
      along('a route that is not there asks for no credential', 'router.auth.required'),
      along('a model that is not there is not found without a credential', 'router.auth.before-lookup'),
    ],
  }),
];

// --- internal ---

/** Requests of the caller that may have one call in flight. */
function isNarrow(_: unknown, { request }: DeviationView): boolean {
  return JSON.stringify(request.raw.rawHeaders).includes('one-slot');
}

/** Requests of the caller without credits. */
function isPoor(_: unknown, { request }: DeviationView): boolean {
  return JSON.stringify(request.raw.rawHeaders).includes('no-credits');
}

/** Changes one of the spend headers, if it is present. */
function spendAs(which: 'current' | 'limit', value: string): AnswerChange {
  return (answer, seen) => {
    const name = headersOf(seen)?.spend?.[which] ?? '';
    return headerOf(answer, name) === undefined ? answer : withHeaders(answer, [[name, value]]);
  };
}
