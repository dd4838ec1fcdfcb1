import type { PolicyOf } from '../../../contract/index.ts';
import { isObject, isSuccess } from '../../exchanges/exchange.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { Session } from '../../scenarios/scenario.ts';
import { inputFor, newBody, requiredValues, withVersion } from '../document/input.ts';
import { MadeResources } from '../document/made.ts';
import { readerOfVersion } from '../document/refusals.ts';
import { AfterControl } from '../document/server-errors.ts';
import type { OperationFacts, Probes } from './facts.ts';
import { callWith } from './keyed.ts';

/** Members that are reserved. */
export function reservedProbes(facts: OperationFacts<PolicyOf<'reserved-fields'>>): Probes {
  const { api, operation, policy } = facts;
  const made = new MadeResources(api, operation);
  const members = policy.members.slice(0, MOST_MEMBERS);
  const reader = readerOfVersion(api, operation);
  return {
    scenarios: facts.scenario(['refused'], {
      id: `reserved-fields.${operation.id}`,
      title: `${operation.method.toUpperCase()} ${operation.path} with reserved members`,
      permissions: ['writes', 'negatives'],
      severalCases: facts.ids('refused'),
      requests: {
        ...made.requests(),
        call: api.plan(operation, { times: 2 * members.length, isInvalid: true }),
        valid: api.plan(operation),
        ...(reader === undefined ? {} : { version: api.plan(reader, { times: 2 * members.length }) }),
      },
      async *run(session: Session) {
        const known = await made.values(session);
        const body = newBody(api, operation, session);
        if (body === undefined || !isObject(body.value))
          throw new NotExercised(`bodies.${operation.id}`, 'needs a body');
        const controlled = new AfterControl();
        for (const member of members) {
          const values = requiredValues(api, operation, session, known);
          const text = JSON.stringify({ ...body.value, [member]: null });
          // What arrives in parts may be passed on before all of it was read.
          for (const isChunked of [false, true]) {
            const sent = { ...callWith(operation, values, text, body.mediaType), isChunked };
            // Otherwise a refusal would be about the version.
            const tag =
              reader && (await session.send('version', inputFor(api, reader, session, known))).header('etag');
            const headers = tag === undefined ? sent.headers : withVersion(sent.headers ?? [], tag);
            const seen = await session.send('call', {
              ...sent,
              ...(headers === undefined ? {} : { headers }),
            });
            // A server may know no chunks: 501 (RFC 9112, section 6.1).
            const isRefused = isChunked ? !isSuccess(seen) : seen.status >= 400 && seen.status < 500;
            const expected = `a refusal (4xx) of ${member}${isChunked ? ', sent in chunks' : ''}`;
            yield* controlled.judge(seen, facts.judge('refused', seen, isRefused, expected));
          }
        }
        yield* controlled.settle(() => session.send('valid', inputFor(api, operation, session, known)));
      },
    }),
  };
}

// --- internal ---

const MOST_MEMBERS = 5;
