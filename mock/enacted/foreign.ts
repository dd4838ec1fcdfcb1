import type { Contract } from '../../contract/model.ts';
import { jsonAnswer, withHeaders, type Answer } from '../call/answer.ts';
import type { AnswerDefaults } from '../samples/answer-choice.ts';
import type { MockedApi } from '../api.ts';
import type { Behaviour, Call } from '../call/call.ts';
import { challengesOf } from '../call/challenges.ts';
import { methodsServed } from '../call/unmatched.ts';
import { violationsOf } from '../call/violations.ts';
import type { Clock } from '../state/clock.ts';
import { declaredCredential } from '../samples/declared-sample.ts';
import type { EngineFinding } from '../call/engine.ts';
import type { ScenarioSteering } from '../scenarios/forced-scenarios.ts';
import { requestedScenarios, type ScenarioRequests } from '../scenarios/requested-scenarios.ts';
import { OWN } from '../scenarios/work-scenarios.ts';

/**
 * The mock of a user's document without a sheet. An invalid request gets the declared answer for invalid
 * requests, or a problem report. Every other request gets an example.
 */
export function foreignApi(
  contract: Contract,
  parts: { readonly clock: Clock; readonly steering: ScenarioSteering },
  { defaults = {}, strict = false }: { readonly defaults?: AnswerDefaults; readonly strict?: boolean } = {},
): MockedApi {
  let state: ScenarioRequests = { requestCounts: new Map() };
  return {
    contract,
    scenarios: OWN,
    behaviours: [
      requestedScenarios(
        () => state,
        (_call, { work }) => work !== undefined,
        parts,
      ),
      unmatched,
      tooLarge,
      worked(parts.clock),
    ],
    answers: { defaults, strict, refusal },
    stamps: () => [],
    failure: (_call, detail, wrong = []) =>
      wrong.length === 0
        ? problem(500, 'The mock failed', detail)
        : problem(500, 'The document does not allow this answer', detail, {
            type: problemType('VIOLATIONS'),
            validation: violationsOf(wrong, 'response'),
          }),
    isUntouchable: () => true,
    credential: declaredCredential(contract),
    fixtures: () => ({}),
    reset: () => {
      state = { requestCounts: new Map() };
    },
  };
}

// --- internal ---

/** The effect of a scenario on the work of the operation. */
function worked(clock: Clock): Behaviour {
  return async (call, next) => {
    const { work, scenario = '' } = call.facts;
    if (work?.kind === 'slow') await clock.sleep(work.ms, call.signal);
    const answer = await next();
    if (work?.kind !== 'status' || answer.status === work.status) return answer;
    return problem(work.status, 'Asked for', `The scenario ${scenario} asks for this status.`);
  };
}

const unmatched: Behaviour = (call, next) => {
  const { match } = call;
  if (match.kind === 'operation') return next();
  if (match.kind === 'none') {
    return problem(404, 'Path not found', `The document has no path for ${call.request.path}.`);
  }
  const allow = methodsServed(match.allow).join(', ');
  const answer = problem(405, 'Method not allowed', `This path supports: ${allow}.`);
  return withHeaders(answer, [['Allow', allow]]);
};

const tooLarge: Behaviour = (call, next) => {
  const body = call.request.body();
  return body.kind === 'oversize'
    ? problem(413, 'Body too large', `The limit is ${String(body.limit)} bytes.`)
    : next();
};

/** For a request that the document refuses without declaring an answer. */
function refusal({ operation, findings }: Call, first: EngineFinding): Answer {
  const status =
    first.at === 'security' ? 401 : first.keyword === '415' ? 415 : first.keyword === 'syntax' ? 400 : 422;
  // Messages about parameters contain the name; those about a body need the place.
  const place = /^body\b/.test(first.at) && /^[a-z]/.test(first.message) ? `${first.at} ` : '';
  const answer = problem(status, 'The document refuses this request', `${place}${first.message}`, {
    validation: violationsOf(findings.length === 0 ? [first] : findings),
  });
  return status === 401 && operation !== undefined ? withHeaders(answer, challengesOf(operation)) : answer;
}

/**
 * RFC 9457, with the types that Prism gives its own problems. Usually undeclared, which is permitted because
 * the document does not mention such requests.
 */
function problem(status: number, title: string, detail: string, more: object = {}): Answer {
  const name = TYPES[status];
  const type = name === undefined ? {} : { type: problemType(name) };
  const body = { ...type, title, status, detail, ...more };
  const answer = jsonAnswer(status, body, { licence: 'not the document: its mock' });
  return withHeaders(answer, [['Content-Type', 'application/problem+json']]);
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'UNAUTHORIZED',
  404: 'NO_PATH_MATCHED_ERROR',
  405: 'NO_METHOD_MATCHED_ERROR',
  415: 'INVALID_CONTENT_TYPE',
  422: 'UNPROCESSABLE_ENTITY',
};

function problemType(name: string): string {
  return `https://stoplight.io/prism/errors#${name}`;
}
