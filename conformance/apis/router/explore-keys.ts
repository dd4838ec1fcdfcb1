import { check } from '../../scenarios/check.ts';
import { canonical } from '../../../contract/canonical-json.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check } from '../../scenarios/scenario.ts';
import type { CatalogueReader } from './explore-callers.ts';
import { isReplayed, judgeReplay, sketchRun } from './probes/idempotency.ts';
import { judgeFreshRun } from './probes/runs.ts';

export const keyRules = [
  'router.idem.first-not-replayed',
  'router.idem.no-key-no-replay',
  'router.idem.replay',
  'router.idem.replay-errors-too',
  'router.idem.replay-404',
  'router.idem.mismatch-409',
  'router.idem.mismatch-no-overwrite',
  'router.idem.release-5xx',
  'router.idem.release-408-425',
  'router.idem.race-one-winner',
];

/** A key that was sent, and its state. */
export interface KeyRecord {
  readonly key: string;
  readonly as: CatalogueReader;
  readonly id: string;
  readonly body: unknown;
  /** `recorded`: to be replayed; `freed`: to be run again; `open`: the contract does not say. */
  state: 'recorded' | 'freed' | 'open';
  /** The answer that is on record. */
  first: Exchange | undefined;
  /** Whether another body was sent with this key since then. */
  isContested: boolean;
}

/**
 * Document 1, Idempotency key handling, table: the effect on the key of an answer that reached the caller.
 */
export function stateAfter(answer: Exchange): KeyRecord['state'] {
  const { status } = answer;
  if (answer.answer === undefined || isReplayed(answer)) return 'open';
  if (status === 504 && answer.header('Retry-After') !== undefined) return 'open';
  if (status >= 500 || status === 408 || status === 425) return 'freed';
  // It is open which other refusals are recorded.
  return status === 200 || status === 422 || status === 404 ? 'recorded' : 'open';
}

/** The same key and body, once more. */
export function* judgeAgain(record: KeyRecord, answer: Exchange): Generator<Check> {
  const { first, state } = record;
  if (first === undefined || state === 'open') return;
  if (state === 'freed') {
    const rule = first.status >= 500 ? 'router.idem.release-5xx' : 'router.idem.release-408-425';
    yield judgeFreshRun(rule, first, answer);
    return;
  }
  yield judgeReplay(
    record.isContested ? 'router.idem.mismatch-no-overwrite' : replayRule(first),
    first,
    answer,
  );
}

/** Another body with the same key. It is open whether two bodies differ if they are equal as JSON. */
export function* judgeMismatch(record: KeyRecord, body: unknown, answer: Exchange): Generator<Check> {
  const { first, state } = record;
  if (first === undefined || state !== 'recorded' || canonical(body) === canonical(record.body)) return;
  // An unknown model may be reported before anything is compared.
  if (first.status !== 200 && first.status !== 422) return;
  const holds = answer.status === 409;
  // The answer for the second body has replaced the record of the first.
  const rule =
    record.isContested && isReplayed(answer)
      ? 'router.idem.mismatch-no-overwrite'
      : 'router.idem.mismatch-409';
  yield check(rule, [first, answer], holds, 'status 409', sketchRun(answer));
}

/** Several simultaneous calls with one new key. */
export function* judgeRace(answers: readonly Exchange[]): Generator<Check> {
  const winners = answers.filter((answer) => answer.status === 200 && !isReplayed(answer));
  if (winners.length > 1)
    yield check(
      'router.idem.race-one-winner',
      winners,
      false,
      `one run for ${answers.length} requests with one key`,
      `${winners.length} ran`,
    );
}

// --- internal ---

function replayRule({ status }: Exchange): string {
  if (status === 200) return 'router.idem.replay';
  return status === 404 ? 'router.idem.replay-404' : 'router.idem.replay-errors-too';
}
