import type { PolicyOf } from '../../../contract/index.ts';
import type { Json } from '../../../contract/model.ts';
import { memberAt } from '../../../contract/policies/member-at.ts';
import { put } from '../../samples/put.ts';
import type { AnswerChange } from '../changes.ts';
import { isSuccess, when } from '../conditions.ts';
import { alongCases, type Ways } from './broken.ts';
import { altered } from './changed-rows.ts';
import { at, nothing } from './on-things.ts';

/**
 * Ways to lose, mix up or keep the things of a list that one request creates.
 *
 * @param plain members with any text
 */
export function manyWays(policy: PolicyOf<'resource'>, plain: readonly string[]): Ways {
  const { createMany } = policy.operations;
  const { many = {} } = policy;
  if (createMany === undefined) return {};
  const alongRefused = alongCases('what is created beside a refused thing is read, too', 'many-refused');
  return {
    'many~only-the-first': [
      at([createMany], (things) => {
        let count = 0;
        return {
          put: (row) => {
            count += 1;
            if (count === 1) things.put(row);
          },
        };
      }),
      alongRefused,
    ],
    'many~another-value': [
      at(plain.length === 0 ? [] : [createMany], (things) => ({
        put: (row) => {
          things.put(altered(row, plain));
        },
      })),
      alongRefused,
    ],
    'many~in-another-order': [
      { operations: [createMany], onReply: backwards(many.results) },
      alongCases('results belong to other things', 'many-refused'),
    ],
    ...(many.whole === true
      ? { 'many-refused~the-others-kept': at([createMany], () => ({ delete: nothing })) }
      : {}),
    ...(many.status === undefined
      ? {}
      : {
          'many-refused~called-created': {
            operations: [createMany],
            onReply: allCreated(many.results, many.status),
          },
        }),
  };
}

// --- internal ---

/** The results belong to other things than their places say. */
function backwards(path: string | undefined): AnswerChange {
  return onResults(path, (results) => [...results].reverse());
}

/** No result shows that its thing was refused. */
function allCreated(path: string | undefined, status: string): AnswerChange {
  return onResults(path, (results) =>
    results.map((result) => {
      const stated = memberAt(result, status);
      return put(result, status.split('.'), typeof stated === 'string' ? '201' : 201);
    }),
  );
}

function onResults(
  path: string | undefined,
  change: (results: readonly unknown[]) => readonly unknown[],
): AnswerChange {
  return when(isSuccess, (answer) => {
    if (answer.body.kind !== 'json') return answer;
    const { value } = answer.body;
    const results = path === undefined ? value : memberAt(value, path);
    if (!Array.isArray(results)) return answer;
    const changed = change(results as unknown[]);
    const other = path === undefined ? changed : put(value, path.split('.'), changed);
    return { ...answer, body: { kind: 'json', value: other as Json } };
  });
}
