import type { Clock } from '../../../conformance/index.ts';
import { isValid, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import type { Once } from './keys.ts';
import { amountOf, cents, dayOf, picked, sumOf } from './things.ts';
import type { Account, Has, Posting, Transfer } from './things.ts';

export type Handler = (call: Call, owner: string) => Promise<Answer> | Answer;

/** What the calls about all things have in common. */
export interface Parts {
  readonly document: string;
  readonly clock: Clock;
  readonly has: Has;
  readonly store: Store;
  readonly once: Once;
}

/** The books of all firms. */
export interface Store {
  readonly accounts: readonly Account[];
  readonly transfers: readonly Transfer[];
  /** The account of a firm with a code, unless it was removed. */
  readonly find: (owner: string, code: unknown) => Account | undefined;
  /** The account that a call is about. */
  readonly accountOf: (call: Call, owner: string) => Account;
  readonly addAccount: (owner: string, code: string, values: Thing, at: number) => Account;
  readonly addPosting: (account: Account, sent: Omit<Posting, 'number'>) => Posting;
  readonly addTransfer: (owner: string, body: Thing, at: number) => Transfer;
  readonly nextStatement: () => number;
  /** Does what has happened by itself until now. */
  readonly settle: (now: number) => void;
  /** Lets time pass, and then does the same. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

export const ACCOUNT_MEMBERS = ['name', 'kind', 'group', 'note', 'tags'];
export const TRANSFER_MEMBERS = ['from', 'to', 'amount', 'memo'];

/** How long the bank takes for a transfer. */
const settlement = 2000;

export function emptyStore(clock: Clock, has: Has): Store {
  const accounts: Account[] = [];
  const transfers: Transfer[] = [];
  let postings = 0;
  let statements = 0;

  const find: Store['find'] = (owner, code) =>
    accounts.find((one) => one.owner === owner && one.code === code && !one.isRemoved);

  const accountOf: Store['accountOf'] = (call, owner) => {
    const account = find(owner, call.path['code']);
    if (account === undefined) throw new Refusal(404, 'not_found', 'There is no such account.');
    return account;
  };

  const addAccount: Store['addAccount'] = (owner, code, values, at) => {
    const made: Account = {
      code,
      owner,
      serial: accounts.length + 1,
      createdAt: at,
      values,
      updatedAt: at,
      version: 1,
      indexedGroup: values['group'],
      isRemoved: false,
      postings: [],
      statements: [],
    };
    accounts.push(made);
    return made;
  };

  const addPosting: Store['addPosting'] = (account, sent) => {
    postings += 1;
    const made = { number: postings, ...sent };
    account.postings.push(made);
    return made;
  };

  const addTransfer: Store['addTransfer'] = (owner, body, at) => {
    const made: Transfer = {
      number: transfers.length + 1,
      owner,
      createdAt: at,
      values: picked(body, TRANSFER_MEMBERS),
      version: 1,
      state: 'draft',
    };
    transfers.push(made);
    return made;
  };

  const book = (transfer: Transfer, at: number): void => {
    const from = find(transfer.owner, transfer.values['from']);
    const to = find(transfer.owner, transfer.values['to']);
    const amount = cents(String(transfer.values['amount']));
    const isVoided = transfer.state === 'voided';
    transfer.version += 1;
    if (!isVoided) transfer.endedAt = at;
    if (from === undefined || to === undefined || sumOf(from.postings) < amount) {
      if (!isVoided) transfer.state = 'rejected';
      return;
    }
    const common = {
      reference: `transfer/trf_${String(transfer.number)}`,
      day: dayOf(at),
      memo: transfer.values['memo'] as string | undefined,
      transfer,
      createdAt: at,
    };
    const out = addPosting(from, { ...common, amount: amountOf(-amount) });
    const into = addPosting(to, { ...common, amount: amountOf(amount) });
    if (isVoided) return;
    transfer.state = 'settled';
    transfer.postings = { out: out.number, in: into.number };
  };

  /** Voided transfers that a server with the fault books in spite of that. */
  const booked = new Set<Transfer>();
  const isDue = (one: Transfer, now: number): boolean => {
    const isLeft = has('voided-still-books') && one.state === 'voided' && !booked.has(one);
    return (one.state === 'submitted' || isLeft) && dueOf(one) <= now;
  };
  const settle: Store['settle'] = (now) => {
    const due = transfers.filter((one) => isDue(one, now));
    for (const one of due.toSorted((a, b) => dueOf(a) - dueOf(b) || a.number - b.number)) {
      booked.add(one);
      book(one, dueOf(one));
    }
  };

  return {
    accounts,
    transfers,
    find,
    accountOf,
    addAccount,
    addPosting,
    addTransfer,
    nextStatement: () => (statements += 1),
    settle,
    wait: async (milliseconds) => {
      await clock.sleep(milliseconds);
      settle(clock.now());
    },
  };
}

/** The body of a call, if it is as the document describes it. */
export function bodyOf({ document }: Pick<Parts, 'document'>, { operation, body }: Call): Thing {
  if (isValid(document, operation, body)) return body as Thing;
  throw new Refusal(422, 'invalid_body', 'The body is not as the document describes it.');
}

/** What the sandbox does with a memo that asks for it. */
export async function sandbox({ store }: Parts, { memo }: Thing): Promise<void> {
  await store.wait(memo === 'Takes 5 seconds.' ? 5000 : 5);
  if (memo === 'Fails.') throw new Refusal(500, 'internal', 'The server failed.');
}

// --- internal ---

const dueOf = ({ submittedAt }: Transfer): number => (submittedAt ?? Infinity) + settlement;
