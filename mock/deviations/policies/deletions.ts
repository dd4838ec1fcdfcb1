import type { PolicyOf } from '../../../contract/index.ts';
import type { Row } from '../../enacted/tables.ts';
import { asStatus, type AnswerChange } from '../changes.ts';
import { isSuccess, status, when } from '../conditions.ts';
import { alongCases, alongPolicy, anotherStatus, type Ways } from './broken.ts';
import { altered } from './changed-rows.ts';
import { at, neighbours, nothing } from './on-things.ts';

/**
 * Ways to keep deleted things, and to lose those that come back.
 *
 * @param plain members with any text
 * @param moved the lifecycle whose calls lead from the first state to one in which a thing stays, if there is one
 */
export function deletionWays(
  { gone: refusal, idempotentDelete, missing, operations }: PolicyOf<'resource'>,
  plain: readonly string[],
  moved: PolicyOf<'lifecycle'> | undefined,
): Ways {
  const { list, read, delete: remove, restore } = operations;
  const gone: Row[] = [];
  const asNever = missing?.status ?? 404;
  const isTold = refusal !== undefined && refusal.status !== asNever && read !== undefined;
  return {
    'deleted~kept': [
      at([remove], () => ({ delete: nothing })),
      alongCases('what is not deleted cannot come back', 'restored'),
    ],
    'deleted~as-if-it-never-existed': [
      {
        operations: isTold ? [read] : [],
        onReply: when(status(refusal?.status ?? asNever), asStatus(asNever)),
      },
      anotherStatus,
    ],
    'deleted~not-again': {
      operations: idempotentDelete === true && remove !== undefined ? [remove] : [],
      onReply: secondRefused(),
    },
    'deleted~still-listed': [
      at([list, remove], (things) => ({
        delete: (row, isKept) => {
          gone.push(...things.rows(row.within).filter(({ id }) => id === row.id));
          things.delete(row, isKept);
        },
        rows: (within) => [...things.rows(within), ...gone],
      })),
      alongCases('what came back is listed as it was', 'restored'),
    ],
    'deleted~the-next-one-too': [
      at([remove], (things) => ({
        delete: (row, isKept) => {
          things.delete(row, isKept);
          const last = things.rows(row.within).at(-1);
          if (last !== undefined) things.delete(last);
        },
      })),
      ...neighbours,
    ],
    'restored~still-gone': at([restore], () => ({ put: nothing })),
    'restored~in-the-first-state': [
      at(moved === undefined ? [] : [restore], (things) => ({
        put: (row) => {
          const state = moved === undefined ? {} : { [moved.property]: moved.initial };
          things.put({ ...row, item: { ...row.item, ...state } });
        },
      })),
      alongPolicy('lifecycle', 'no transition leads back to the first state', 'transitions'),
    ],
    'restored~another-value': [
      at(plain.length === 0 ? [] : [restore], (things) => ({
        put: (row) => {
          things.put(altered(row, plain));
        },
      })),
      alongPolicy('lifecycle', 'a thing may come back after its end', 'frozen'),
    ],
  };
}

// --- internal ---

/** The second success for a path becomes 404. */
function secondRefused(): AnswerChange {
  const done = new Set<string>();
  return (answer, { request: { path } }) => {
    if (!isSuccess(answer)) return answer;
    const isSecond = done.has(path);
    done.add(path);
    return isSecond ? { ...answer, status: 404 } : answer;
  };
}
