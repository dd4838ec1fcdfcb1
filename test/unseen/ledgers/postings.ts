import { Refusal, type Answer } from '../wire.ts';
import { cursorPage, type Row } from './pages.ts';
import { bodyOf, sandbox, type Handler, type Parts } from './store.ts';
import { cents, dayOf, pathOf, shownPosting } from './things.ts';
import type { Account, Posting } from './things.ts';

/** The calls about postings, by operation. */
export function postingCalls(parts: Parts): Readonly<Record<string, Handler>> {
  const { clock, has, store, once } = parts;

  const checkReference = ({ postings }: Account, reference: unknown): void => {
    if (!postings.some((one) => one.reference === reference)) return;
    throw new Refusal(409, 'reference_taken', 'Another posting of the account has the reference.');
  };

  const addPosting: Handler = (call, owner) =>
    once(call, `/accounts/${String(call.path['code'])}/postings`, owner, async (): Promise<Answer> => {
      const before = store.accountOf(call, owner);
      const body = bodyOf(parts, call);
      const isRace = has('reference-race');
      if (isRace) checkReference(before, body['reference']);
      await sandbox(parts, body);
      const account = store.accountOf(call, owner);
      if (!isRace) checkReference(account, body['reference']);
      const memo = body['memo'] as string | undefined;
      const made = store.addPosting(account, {
        reference: String(body['reference']),
        amount: String(body['amount']),
        day: String(body['booked_on'] ?? dayOf(clock.now())),
        memo: has('memo-cut-in-units') ? memo?.slice(0, 200) : memo,
        transfer: undefined,
        createdAt: clock.now(),
      });
      const path = `${pathOf(account)}/postings/pst_${String(made.number)}`;
      return { status: 201, headers: { Location: path }, json: shownPosting(account, made, has) };
    });

  const listPostings: Handler = (call, owner) => {
    const account = store.accountOf(call, owner);
    const { source, from_day: first, to_day: last, sort } = call.query;
    const isNamesake = (one: Account): boolean => one.code === account.code && !one.isRemoved;
    const shownOnes = has('namesake-postings-listed')
      ? store.accounts.filter(isNamesake).flatMap(({ postings }) => postings)
      : account.postings;
    const matching = shownOnes.filter(
      ({ transfer, day }) =>
        (source === undefined || source === (transfer === undefined ? 'entry' : 'transfer')) &&
        (first === undefined || day >= first) &&
        (last === undefined || day <= last),
    );
    const keyOf = ({ amount, day, number }: Posting): Row['key'] => {
      if (sort === undefined) return BigInt(number);
      if (sort.endsWith('booked_on')) return day;
      return has('amounts-sorted-as-text') ? amount : cents(amount);
    };
    const rows = matching.map((one) => ({
      key: keyOf(one),
      tie: one.number,
      shown: shownPosting(account, one, has),
    }));
    return cursorPage(call, rows, {
      list: `postings ${owner} ${String(account.serial)}`,
      path: `${pathOf(account)}/postings`,
      kept: ['source', 'from_day', 'to_day', 'sort'],
      descending: sort?.startsWith('-') ?? true,
      has,
    });
  };

  const getPosting: Handler = (call, owner) => {
    const outlives = has('posting-outlives-account');
    const places = outlives
      ? store.accounts.filter((one) => one.owner === owner && one.code === call.path['code'])
      : [store.accountOf(call, owner)];
    for (const account of places) {
      const found = account.postings.find(({ number }) => `pst_${String(number)}` === call.path['postingId']);
      if (found !== undefined) return { status: 200, json: shownPosting(account, found, has) };
    }
    throw new Refusal(404, 'not_found', 'There is no such posting.');
  };

  return { addPosting, listPostings, getPosting };
}
