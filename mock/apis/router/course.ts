import { canonical } from '../../../contract/canonical-json.ts';
import { createHash } from 'node:crypto';
import { deadlineAt } from '../../../contract/policies/deadline.ts';
import type { BucketRole } from '../../../contract/policies/error-buckets.ts';
import type { CourseRefusal } from '../../../engine/decision.ts';
import type { Bounds } from '../../../engine/store.ts';
import { headerOf, withHeaders, type Answer } from '../../call/answer.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import type { CourseParts } from '../../call/course.ts';
import type { FrontRequest } from '../../call/front.ts';
import { scenarioNamed, scenarioOf } from '../../scenarios/scenarios.ts';
import { refuse, roleOf, type Router } from './context.ts';

/** The specifics of the router for the engine's handling of keys, capacity and deadline. */
export function routerCourse(router: Router, checks: readonly Behaviour[]): CourseParts {
  const { facts, assume, clock, deviations } = router;
  const { minimumLength: minimum, maximumLength: maximum } = assume('A-09');
  const { bucket, retryAfter } = assume('A-08');
  const { recordRefusals } = assume('A-12');
  const deadlineMs = deadlineAt(facts.deadline, 0, router.deadlineMs);
  return {
    ...{ contract: facts.contract, clock, deviations, checks },
    store: () => router.state.store,
    choices: { keyLength: { minimum, maximum }, retryAfter, spend: assume('A-21') },
    deadlineMs: () => deadlineMs,
    replayCapBytes: assume('A-07').replayCapBytes,
    hash: ({ request }) => hashOf(request, assume('A-18').compare),
    asked: (call) => ({
      cents: router.state.catalogue.get(call.facts.modelId ?? '')?.cents ?? 0,
      bounds: boundsOf(router, call),
    }),
    isForgotten: ({ facts: { dispatched, collecting } }, answer) =>
      answer.cut === true ||
      (!recordRefusals &&
        dispatched !== true &&
        collecting !== true &&
        answer.status >= 400 &&
        !isUnknownModel(router, answer)),
    charged: (call, answer) => withCredits(router, call, answer),
    refused: (call, refusal, { rule, openPoint }) => {
      const { message: detail, status, headers = {} } = refusal;
      const licence = rule ?? openPoint;
      return refuse(router, call, {
        ...{ detail, role: roleFor(router, refusal, bucket), headers: Object.entries(headers) },
        ...(status === undefined ? {} : { status }),
        ...(licence === undefined ? {} : { because: licence }),
      });
    },
  };
}

// --- internal ---

/** @param conflict the bucket of a 409, which the contract leaves open */
function roleFor(router: Router, { decision }: CourseRefusal, conflict: string): BucketRole {
  const { facts } = router;
  switch (decision?.policy) {
    case 'capacity':
      return roleOf(router, facts.capacity.bucket);
    case 'deadline':
      return roleOf(router, facts.deadline.bucket);
    default:
      return decision?.case === 'no-key' ? 'badInput' : roleOf(router, conflict);
  }
}

function boundsOf(router: Router, call: Call): Bounds {
  const { callsInFlight, committedSpendCents } = router.assume('A-07');
  const usual = { calls: callsInFlight, cents: committedSpendCents ?? undefined };
  const own = scenarioNamed(scenarioOf(call.facts))?.caller;
  if (own?.kind !== 'bounded') return usual;
  return { calls: own.callsInFlight ?? usual.calls, cents: own.cents ?? usual.cents };
}

/** On billed answers of flagged models only (document 1, "What the service does"; open point A-32). */
function withCredits({ facts, state }: Router, call: Call, answer: Answer): Answer {
  const { credits } = facts.headers;
  const model = state.catalogue.get(call.facts.modelId ?? '');
  return model?.creditsHeader !== true || credits === undefined
    ? answer
    : withHeaders(answer, [[credits, '1.25']]);
}

/** The contract says that this refusal is recorded, unlike others before the model (open point A-12). */
function isUnknownModel({ facts }: Router, answer: Answer): boolean {
  return headerOf(answer, facts.buckets.header) === facts.buckets.roles.unknownModel;
}

/** The value that requests with one key are compared by: method, target and body (open point ). */
function hashOf(request: FrontRequest, compare: 'bytes' | 'json'): string {
  const hash = createHash('sha256').update(`${request.method} ${request.path}${request.search}\n`);
  const body = compare === 'json' ? request.body() : undefined;
  return hash
    .update(body?.kind === 'json' ? (canonical(body.value) ?? '') : request.raw.body)
    .digest('base64');
}
