import { canonical, hasTag, Refusal, type Answer, type Call, type Thing } from '../wire.ts';
import { cursorPage, type Row } from './pages.ts';
import { ACCOUNT_MEMBERS, bodyOf, type Handler, type Parts } from './store.ts';
import { checkVersion, isCurrentCopy, merged, pathOf, picked, shownAccount, tagOfAccount } from './things.ts';
import type { Account } from './things.ts';

const codes = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** The calls about accounts, by operation. */
export function accountCalls(parts: Parts): Readonly<Record<string, Handler>> {
  const { clock, has, store } = parts;
  const tagOf = (account: Account): string => tagOfAccount(account, has);
  const answer = (account: Account, status = 200): Answer => ({
    status,
    headers: { ETag: tagOf(account), ...(status === 201 ? { Location: pathOf(account) } : {}) },
    json: shownAccount(account, has),
  });
  /** Gives an account new values; equal ones are no change. */
  const change = (account: Account, values: Thing): Answer => {
    if (canonical(values) !== canonical(account.values)) {
      account.values = values;
      account.version += 1;
      account.updatedAt = clock.now();
    }
    return answer(account);
  };

  /** Refuses a change that its caller wants only without the present version. */
  const checkExclusion = (call: Call, tag: string): void => {
    const list = call.header('If-None-Match');
    if (list === undefined || (has('exists-by-star-only') && list.trim() !== '*')) return;
    if (hasTag(list, tag, true)) throw new Refusal(412, 'exists', 'The account exists in this version.');
  };

  const listAccounts: Handler = (call, owner) => {
    const { kind, group, cursor, sort = 'code' } = call.query;
    const isLost = has('second-filter-lost') && cursor !== undefined && kind !== undefined;
    const groupOf = (one: Account): unknown =>
      has('patched-group-unfiltered') ? one.indexedGroup : one.values['group'];
    const matching = store.accounts.filter(
      (one) =>
        one.owner === owner &&
        !one.isRemoved &&
        (kind === undefined || one.values['kind'] === kind) &&
        (group === undefined || isLost || groupOf(one) === group),
    );
    const keyOf = (one: Account): Row['key'] => {
      if (sort.endsWith('created_at')) return BigInt(one.createdAt);
      return sort.endsWith('name') ? String(one.values['name']) : one.code;
    };
    const rows = matching.map((one) => ({
      key: keyOf(one),
      tie: one.serial,
      shown: shownAccount(one, has),
    }));
    const kept = ['kind', 'group', 'sort'];
    const descending = sort.startsWith('-');
    return cursorPage(call, rows, { list: `accounts ${owner}`, path: '/accounts', kept, descending, has });
  };

  const getAccount: Handler = (call, owner) => {
    const account = store.accountOf(call, owner);
    const tag = tagOf(account);
    return isCurrentCopy(call, tag) ? { status: 304, headers: { ETag: tag } } : answer(account);
  };

  const putAccount: Handler = async (call, owner) => {
    const code = call.path['code'] ?? '';
    if (!codes.test(code)) throw new Refusal(400, 'invalid', 'This cannot be the code of an account.');
    const body = bodyOf(parts, call);
    if ((body['code'] ?? code) !== code) {
      throw new Refusal(422, 'code_differs', 'The body has another code than the path.');
    }
    const before = store.find(owner, code);
    await store.wait(5);
    const account = has('create-race') ? before : store.find(owner, code);
    const values: Thing = { tags: [], ...picked(body, ACCOUNT_MEMBERS) };
    if (account === undefined) {
      if (call.header('If-Match') !== undefined) {
        throw new Refusal(412, 'stale', 'There is no such account.');
      }
      // Only a server with the fault finds one here.
      const made = store.find(owner, code);
      if (made !== undefined) change(made, values);
      return answer(made ?? store.addAccount(owner, code, values, clock.now()), 201);
    }
    checkExclusion(call, tagOf(account));
    checkVersion(call, tagOf(account));
    account.indexedGroup = values['group'];
    return change(account, values);
  };

  const changeAccount: Handler = (call, owner) => {
    const account = store.accountOf(call, owner);
    const patch = bodyOf(parts, call);
    checkVersion(call, tagOf(account));
    return change(account, merged(account.values, patch, ACCOUNT_MEMBERS));
  };

  const removeAccount: Handler = (call, owner) => {
    const account = store.accountOf(call, owner);
    checkVersion(call, tagOf(account));
    const isNamed = store.transfers.some(
      ({ owner: firm, values }) => firm === owner && [values['from'], values['to']].includes(account.code),
    );
    if (isNamed) throw new Refusal(409, 'account_in_use', 'A transfer names the account.');
    account.isRemoved = true;
    return { status: 204 };
  };

  return { listAccounts, getAccount, putAccount, changeAccount, removeAccount };
}
