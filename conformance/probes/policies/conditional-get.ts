import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
import { NotExercised } from '../../scenario.ts';
import type { Session } from '../../scenario.ts';
import { sketchAnswer } from '../../sketch.ts';
import { inputFor } from '../document/input.ts';
import type { OperationFacts, Probes } from './facts.ts';

/** A conditional read without a body in the answer (RFC 9110, sections 8.8.3 and 13.1.2). */
export function conditionalProbes(facts: OperationFacts<PolicyOf<'conditional-get'>>): Probes {
  const { api, operation, policy, reads } = facts;
  const found = reads.of(operation);
  return {
    scenarios: facts.scenario(['current', 'weak', 'list', 'any', 'changed', 'kept-headers'], {
      id: `conditional-get.${operation.id}`,
      title: `GET ${operation.path} with If-None-Match`,
      uses: [found],
      requests: { read: api.plan(operation), again: api.plan(operation, { times: 5 }) },
      async *run(session) {
        const { answer, values, missing, why } = await session.obtain(found);
        if (answer === undefined) throw new NotExercised(missing, why);
        const input = inputFor(api, operation, session, values);
        // The state may have changed since the first answer.
        const first = await session.send('read', input);
        const tag = first.header('etag');
        const opaque = /^(?:W\/)?("[^"]*")$/.exec(tag ?? '')?.[1];
        if (tag === undefined || opaque === undefined) {
          yield* facts.judge(
            'current',
            first,
            false,
            'an answer with an ETag',
            tag === undefined ? 'no ETag' : `ETag: ${tag}`,
          );
          throw new NotExercised('an opportunity', 'the answer has no ETag');
        }
        const ask = (session: Session<'again'>, tags: string): Promise<Exchange> =>
          session.send('again', { ...input, headers: [...(input.headers ?? []), ['If-None-Match', tags]] });
        const spared: readonly (readonly [string, string])[] = [
          ['current', tag],
          ['weak', tag.startsWith('W/') ? opaque : `W/${opaque}`],
          ['list', `"tallystick-other", ${tag}`],
          ['any', '*'],
        ];
        for (const [name, tags] of spared) {
          const seen = await ask(session, tags);
          yield* facts.status(
            name,
            seen,
            policy.status,
            `without a body to If-None-Match: ${tags}`,
            seen.bytes.length === 0,
          );
          if (name !== 'current') continue;
          const lost = policy.keptHeaders.filter(
            (header) => first.header(header) !== undefined && seen.header(header) !== first.header(header),
          );
          if (seen.status === policy.status)
            yield* facts.judge(
              'kept-headers',
              [first, seen],
              lost.length === 0,
              `the headers ${policy.keptHeaders.join(', ')} of the whole answer`,
              `other or no ${lost.join(', ')}`,
            );
        }
        const seen = await ask(session, '"tallystick-other"');
        yield* facts.judge(
          'changed',
          seen,
          isSuccess(seen) && seen.bytes.length > 0,
          'the whole answer',
          sketchAnswer(seen),
        );
      },
    }),
  };
}
