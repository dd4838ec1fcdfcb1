import { expect } from 'vitest';
import { durationMs } from '../../contract/policies/duration.ts';
import type { JournalEntry, Mock } from '../../mock/index.ts';
import { ledgerOf } from '../../mock/journal/ledger.ts';

const CENTS = 10;
const WINDOW_MS = durationMs('PT24H');

/** The models whose billed answers carry the credits header. */
const FLAGGED = 'mock/credits-header';

/**
 * router.idem.charged-once: throws unless the journal of a mock charges each key at most once in its window, and the
 * ledger, the credits header and what an answer says about money agree with the journal.
 */
export function expectBalancedBooks(mock: Pick<Mock, 'journal' | 'dispatches'>): void {
  const entries = mock.journal.entries();
  const { lines, byCaller } = ledgerOf(mock.journal.outlines(), {
    centsOf: () => CENTS,
    windowMs: WINDOW_MS,
  });
  const billed = entries.filter((entry) => entry.billed === true);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

  for (const [index, entry] of billed.entries()) {
    const again = billed.slice(index + 1).find(({ key }) => key !== undefined && key === entry.key);
    if (again !== undefined) expect(endOf(again) - endOf(entry)).toBeGreaterThanOrEqual(WINDOW_MS);
  }
  for (const entry of entries) expectHonestAnswer(entry, billed);

  expect(lines.filter(({ key, charged }) => key !== undefined && charged === 'more than once')).toEqual([]);
  for (const { key, billed: times, cents, charged } of lines) {
    expect(cents).toBe(times * CENTS);
    // Of attempts without a key, one may be surely charged and another one perhaps.
    const isCounted =
      charged === 'unknown' ? key === undefined || times === 0 : (charged === 'never') === (times === 0);
    expect(isCounted).toBe(true);
  }
  expect(sum(lines.map((line) => line.billed))).toBe(billed.length);
  expect(sum(byCaller.map((caller) => caller.billed))).toBe(billed.length);
  expect(sum(lines.map(({ dispatched }) => dispatched))).toBe(sum(Object.values(mock.dispatches())));
  expect(sum(lines.map(({ replayed }) => replayed))).toBe(entries.filter(({ replayed }) => replayed).length);
}

// --- internal ---

const endOf = ({ at, durationMs: took }: JournalEntry): number => at + took;

const headerOf = ({ response }: JournalEntry, wanted: string): string | undefined =>
  response.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** What an answer says, by its status, its bucket and its headers, about what it costs. */
function expectHonestAnswer(entry: JournalEntry, billed: readonly JournalEntry[]): void {
  const { status, replayed, delivery } = entry;
  const bucket = headerOf(entry, 'x-service-error-type');
  if (status !== 0) {
    const stamped = headerOf(entry, 'x-service-credits-used') !== undefined;
    expect(stamped).toBe(entry.billed === true && entry.model === FLAGGED);
  }
  // "Not charged", as the generated errors say of these.
  if (replayed || status === 409 || bucket === 'deadline_exceeded') expect(entry.billed).not.toBe(true);
  if (replayed || delivery !== 'delivered') return;
  // A result, and "charged (a key at most once)": by this attempt or by an earlier one.
  if (status === 200 || bucket === 'provider_timeout') {
    const payer = billed.find(
      (other) =>
        other.number === entry.number ||
        (entry.key !== undefined &&
          other.key === entry.key &&
          endOf(other) <= endOf(entry) &&
          endOf(entry) - endOf(other) < WINDOW_MS),
    );
    expect(payer).toBeDefined();
  }
}
