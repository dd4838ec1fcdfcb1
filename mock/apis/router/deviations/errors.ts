import { along, breaks } from '../../../deviations/breaks.ts';
import {
  asJson,
  asNothing,
  both,
  inBucket,
  onBody,
  refusal,
  withDetail,
  withoutBucket,
  withCredits,
  withoutHeader,
  withoutRequestId,
} from '../../../deviations/changes.ts';
import {
  bearsCredential,
  bearsMadeUpToken,
  bodyIs,
  isError,
  keyAsBearer,
  keyInHeader,
  not,
  path,
  role,
  sends,
  status,
  when,
} from '../../../deviations/conditions.ts';
import type { Deviation } from '../../../deviations/deviation.ts';
import { marked } from './keys.ts';
import { onList } from './list-pages.ts';

const noCredential = refusal(401, 'noCredential');

const credentials: readonly Deviation[] = [
  ...breaks('getModel')({
    'router.auth.required~open-detail': when([status(401), not(bearsCredential)], asJson(200, {})),
    'router.auth.key-as-bearer~on-the-list-only': [
      when(keyAsBearer, noCredential),
      along('a caller without access is unknown on the list', 'router.run.403-forbidden'),
    ],
    'router.auth.before-lookup~404': when([status(401), path(/\/no-such-/)], refusal(404, 'unknownModel')),
  }),
  ...onList({
    'router.auth.garbage~403': when([status(401), bearsCredential], refusal(403, 'noAccess')),
    'router.auth.jwt~401': when([status(200), sends('authorization', 'Bearer eyJ')], noCredential),
    'router.auth.api-key~401': [
      when([status(200), keyInHeader], noCredential),
      along('the same key still works as bearer', 'router.auth.key-as-bearer'),
      along(
        'an account of the fixtures sends its key in the header',
        'router.run.429-bucket',
        'router.run.429-detail-names-bound',
        'router.run.429-per-caller',
        'router.run.429-only-beyond',
        'router.run.429-retry-after-own-call',
        'router.run.insufficient-credits',
        'router.idem.release-429',
      ),
    ],
    'router.auth.key-as-bearer~as-jwt': when([status(200), keyAsBearer], noCredential),
    'router.auth.garbage~any-scheme': [
      when([status(401), sends('authorization', 'Token eyJ')], asJson(200, {})),
      along('the success is not a page', 'router.list.body-required'),
    ],
    'router.auth.garbage~no-blank': [
      when([status(401), sends('authorization', 'BearereyJ')], asJson(200, {})),
      along('the success is not a page', 'router.list.body-required'),
    ],
    // The mock accepts every JWT; this one refuses those about an unknown user.
    'router.auth.garbage~any-signature': when([status(200), bearsMadeUpToken], noCredential),
    // The mock accepts every key of its form; this one refuses some, and takes them with a character more.
    'router.auth.garbage~longer-key': when(
      [status(200), keyInHeader, (_, { request }) => /[qw]$/.test(request.header('x-api-key') ?? '')],
      noCredential,
    ),
    'router.auth.garbage~token-as-key': when(
      [status(401), sends('x-api-key', 'eyJ')],
      asJson(200, { data: [], has_more: false, limit: 20 }),
    ),
  }),
  ...breaks('runModel')({
    'router.auth.required~replayed': when(
      [status(401), not(bearsCredential), sends('idempotency-key')],
      both(asJson(200, {}), marked),
    ),
    'router.auth.before-lookup~on-runs': when(
      [status(401), path(/\/no-such-/), not(bearsCredential)],
      refusal(404, 'unknownModel'),
    ),
    'router.auth.api-key~not-on-unknown-models': when([status(404), keyInHeader], noCredential),
    'router.auth.key-as-bearer~not-on-runs': when(keyAsBearer, noCredential),
    'router.auth.jwt~not-with-a-key': when(
      [sends('authorization', 'Bearer eyJ'), sends('idempotency-key')],
      noCredential,
    ),
    'router.auth.required~body-first': [
      when([status(401), not(bearsCredential), bodyIs('malformed')], refusal(400, 'badInput')),
      along('also for a model that is not there', 'router.auth.before-lookup'),
    ],
    'router.auth.jwt~not-on-runs': when(sends('authorization', 'Bearer eyJ'), noCredential),
  }),
];

const headers: readonly Deviation[] = [
  ...breaks()({
    'router.headers.request-id~missing-on-401': when(status(401), withoutRequestId),
    'router.headers.request-id~missing-on-304': [
      when(status(304), withoutRequestId),
      along('it is one of the three headers of a 304', 'router.schema.304-headers'),
    ],
    'router.headers.error-type~missing-on-404': when(status(404), withoutBucket),
    'router.headers.error-type~missing-on-422': [
      when(status(422), withoutBucket),
      along('a separate rule covers the 422', 'router.run.422-bucket-header'),
    ],
    'router.headers.error-type~missing-on-409': [
      when(status(409), withoutBucket),
      along('a separate rule covers the 409', 'router.idem.409-error-type'),
    ],
    'router.credits-header.not-on-unbilled~on-404': [
      when(status(404), withCredits),
      along('the replay of a 404 has credits as well', 'router.credits-header.not-on-replay'),
    ],
    'router.credits-header.not-on-unbilled~on-bad-input': [
      when([status(400), role('badInput')], withCredits),
      along('the refusal is replayed as it was', 'router.credits-header.not-on-replay'),
    ],
    'router.credits-header.not-on-unbilled~on-conflicts': when(status(409), withCredits),
  }),
  ...breaks(
    'listModels',
    'getModel',
    'getModelInputSchema',
  )({
    'router.credits-header.not-on-unbilled~on-reads': when(not(isError), withCredits),
  }),
];

const unavailable = [status(503), role('unavailable')];

const bodies: readonly Deviation[] = [
  ...breaks()({
    'router.body.no-cost-figures~credits-used': onBody([400, 404], (body) => ({ ...body, credits_used: 3 })),
    'router.body.no-cost-figures~text': onBody([400, 404], (body) => ({
      ...body,
      cost: { of_call: '3.20 USD' },
    })),
    'router.errors.closed-fifteen~sixteenth': when(
      unavailable,
      inBucket(() => 'quota_exceeded'),
    ),
    'router.errors.forecast-never~announced': when(
      unavailable,
      inBucket(({ forecast }) => forecast[1]),
    ),
    'router.errors.header-equals-body~differ': when(
      status(404),
      inBucket(({ roles }) => roles.badInput, 'body'),
    ),
    'router.errors.bucket-status~capacity-on-409': when(
      status(409),
      inBucket(({ roles }) => roles.capacity),
    ),
  }),
  ...onList({
    'router.errors.body-shape~detail-object': withDetail(400, {}),
    'router.errors.body-shape~bare-500': [
      when(
        (_, { request }) => request.search === '?limit=ten',
        both(both(withoutBucket, withoutHeader('Content-Type')), asNothing(500)),
      ),
      along('a bare answer has no header either', 'router.headers.error-type'),
    ],
  }),
];

export const routerErrorDeviations: readonly Deviation[] = [...credentials, ...headers, ...bodies];
