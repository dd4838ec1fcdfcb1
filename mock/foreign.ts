import type { Contract } from '../contract/model.ts';
import { jsonAnswer, withHeaders, type Answer } from './answer.ts';
import type { Api } from './api.ts';
import type { Behaviour } from './call.ts';
import type { Clock } from './clock.ts';
import { declaredCredential } from './declared-sample.ts';
import type { ScenarioSteering } from './forced-scenarios.ts';
import { wish, type Wishes } from './wish.ts';
import { OWN } from './work-scenarios.ts';

/**
 * A document that is not ours. Nothing is known of it but what it declares: a request that it refuses gets a problem
 * report, every other one an example.
 */
export function foreignApi(
  contract: Contract,
  parts: { readonly clock: Clock; readonly steering: ScenarioSteering },
): Api {
  let state: Wishes = { wishes: new Map() };
  return {
    contract,
    scenarios: OWN,
    behaviours: [
      wish(
        () => state,
        (_call, { work }) => work !== undefined,
        parts,
      ),
      unmatched,
      refusedByDocument,
      worked(parts.clock),
    ],
    stamps: () => [],
    failure: (_call, detail) => problem(500, 'The mock failed', detail),
    isUntouchable: () => true,
    credential: declaredCredential(contract),
    fixtures: () => ({}),
    reset: () => {
      state = { wishes: new Map() };
    },
  };
}

// --- internal ---

/** What a scenario does to the work of the operation. */
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
    return Promise.resolve(
      problem(404, 'No such path', `The document has no path for ${call.request.path}.`),
    );
  }
  const allow = match.allow.join(', ');
  const answer = problem(405, 'No such method', `The document has ${allow} here.`);
  return Promise.resolve(withHeaders(answer, [['Allow', allow]]));
};

const refusedByDocument: Behaviour = (call, next) => {
  const [first] = call.findings;
  const body = call.request.body();
  if (body.kind === 'oversize')
    return Promise.resolve(problem(413, 'Body too large', `The limit is ${String(body.limit)} bytes.`));
  if (first === undefined) return next();
  const status = first.at === 'security' ? 401 : first.keyword === '415' ? 415 : 400;
  call.note('request checks', `${first.at}: ${first.message}`);
  return Promise.resolve(problem(status, 'The document refuses this request', first.message, call.findings));
};

/** RFC 9457. Undeclared as a rule: the licence is that the document says nothing about such requests. */
function problem(status: number, title: string, detail: string, findings?: readonly object[]): Answer {
  const body = { title, status, detail, ...(findings === undefined ? {} : { findings }) };
  const answer = jsonAnswer(status, body, { licence: 'not the document: its mock' });
  return withHeaders(answer, [['Content-Type', 'application/problem+json']]);
}
