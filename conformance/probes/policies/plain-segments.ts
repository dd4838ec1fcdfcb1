import type { PolicyOf } from '../../../contract/index.ts';
import { NotExercised } from '../../scenarios/scenario.ts';
import type { RequestPlan, Scenario, Session } from '../../scenarios/scenario.ts';
import { inOtherCase } from '../document/near-texts.ts';
import { serialisedParameters } from '../document/serialised-parameters.ts';
import { valueKey } from '../document/value-key.ts';
import { asSent, isRead, pathParameters, wasAccepted } from '../own-api.ts';
import type { OperationFacts, Probes } from './facts.ts';

/** Values of a path that are read as they are sent: in any other spelling they name nothing. */
export function plainSegmentProbes(facts: OperationFacts<PolicyOf<'plain-segments'>>): Probes {
  return { scenarios: literal(facts) };
}

// --- internal ---

/** For each value. */
const MOST_SPELLINGS = 5;

function literal(facts: OperationFacts<PolicyOf<'plain-segments'>>): readonly Scenario[] {
  const { api, operation, policy, reads } = facts;
  const plain = pathParameters(operation).filter(({ name }) => policy.parameters.includes(name));
  // Only a read does no harm on a server that finds something by such a value.
  if (!isRead(operation) || plain.length === 0) return [];
  const found = reads.of(operation);
  const spelt = api.plan(operation, { isInvalid: true, times: MOST_SPELLINGS * plain.length });
  const joined = joinedTarget(
    spelt,
    plain.map(({ name }) => name),
  );
  return facts.scenario(['literal'], {
    id: `plain-segments.${operation.id}`,
    title: `${operation.method.toUpperCase()} ${operation.path} with values in another spelling`,
    severalCases: facts.ids('literal'),
    uses: [found],
    requests: { spelt, ...(joined === undefined ? {} : { joined: { ...spelt, target: joined, times: 1 } }) },
    async *run(session: Session) {
      const { answer, values, missing, why } = await session.obtain(found);
      if (answer === undefined) throw new NotExercised(missing, why);
      const { fill, headers } = serialisedParameters(operation, values);
      for (const parameter of plain) {
        const { name } = parameter;
        const value = String(values[valueKey(operation, parameter)] ?? '');
        const isOther = (text: string): boolean => api.misfits(parameter, text).length > 0;
        for (const text of otherSpellings(value, isOther)) {
          const seen = await session.send('spelt', { headers, fill: { ...fill, [name]: text } });
          yield* facts.judge(
            'literal',
            seen,
            !wasAccepted(operation, seen),
            `no success for ${text} in the path`,
          );
        }
      }
      if (joined === undefined) return;
      const seen = await session.send('joined', { headers, fill });
      yield* facts.judge(
        'literal',
        seen,
        !wasAccepted(operation, seen),
        'no success for an escaped slash in the path',
      );
    },
  });
}

/** The path with an escaped slash between two values. */
function joinedTarget({ target }: RequestPlan, [first, second]: readonly string[]): string | undefined {
  const between = `{${first ?? ''}}/{${second ?? ''}}`;
  return target.includes(between) ? target.replace(between, between.replace('/', '%2F')) : undefined;
}

/**
 * An escaped letter, a parameter behind the value, an escaped slash with another value behind it, a separator twice, and letters of the
 * other case where the document allows none.
 */
function otherSpellings(value: string, isOther: (text: string) => boolean): readonly string[] {
  const sent = asSent(encodeURIComponent(value));
  const escaped = sent.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const doubled = sent.replace(/[-_.]/, (separator) => separator.repeat(2));
  const other = inOtherCase(value);
  return [
    ...(escaped === sent ? [] : [escaped]),
    `${sent};v=1`,
    `${sent}%2F${sent}`,
    ...(doubled === sent ? [] : [doubled]),
    ...(other !== value && isOther(other) ? [encodeURIComponent(other)] : []),
  ];
}
