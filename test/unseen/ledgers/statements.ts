import { canonical, digest, Refusal } from '../wire.ts';
import { cursorPage } from './pages.ts';
import { bodyOf, type Handler, type Parts } from './store.ts';
import { amountOf, cents, isCurrentCopy, pathOf, shownStatement, sumOf, time } from './things.ts';
import type { Account, Statement } from './things.ts';

const freshness = 'private, max-age=60';

/** The calls about statements, by operation. */
export function statementCalls(parts: Parts): Readonly<Record<string, Handler>> {
  const { clock, has, store } = parts;
  const idOf = ({ number }: Statement): string => `stm_${String(number)}`;

  const makeStatement: Handler = (call, owner) => {
    const account = store.accountOf(call, owner);
    const body = bodyOf(parts, call);
    const first = String(body['from_day']);
    const last = String(body['to_day']);
    if (last < first) throw new Refusal(422, 'bad_period', 'The period ends before it begins.');
    const before = sumOf(account.postings.filter(({ day }) => day < first));
    const within = account.postings.filter(({ day }) => day >= first && day <= last);
    const incoming = sumOf(within.filter(({ amount }) => cents(amount) > 0n));
    const outgoing = sumOf(within.filter(({ amount }) => cents(amount) < 0n));
    const made: Statement = {
      number: store.nextStatement(),
      values: {
        from_day: first,
        to_day: last,
        ...(body['title'] === undefined ? {} : { title: body['title'] }),
        opening: amountOf(before),
        incoming: amountOf(incoming),
        outgoing: amountOf(outgoing),
        closing: amountOf(before + incoming + outgoing),
        posting_count: within.length,
        made_at: time(clock.now()),
      },
    };
    account.statements.push(made);
    const json = shownStatement(account, made);
    const tag = `"${digest(canonical(json))}"`;
    const headers = {
      ETag: tag,
      'Cache-Control': freshness,
      Location: `${pathOf(account)}/statements/${idOf(made)}`,
    };
    return { status: 201, headers, json };
  };

  const listStatements: Handler = (call, owner) => {
    const account = store.accountOf(call, owner);
    const rows = account.statements.map((one) => ({
      key: BigInt(one.number),
      tie: one.number,
      shown: shownStatement(account, one),
    }));
    const path = `${pathOf(account)}/statements`;
    const list = `statements ${owner} ${String(account.serial)}`;
    const page = cursorPage(call, rows, { list, path, kept: [], descending: true, has });
    if (has('parent-link-first-page-only') && call.query['cursor'] !== undefined) return page;
    return { ...page, json: { ...(page.json as object), links: { account: pathOf(account) } } };
  };

  const getStatement: Handler = (call, owner) => {
    const account = store.accountOf(call, owner);
    const found = account.statements.find((one) => idOf(one) === call.path['statementId']);
    if (found === undefined) throw new Refusal(404, 'not_found', 'There is no such statement.');
    const json = shownStatement(account, found);
    const tag = `"${digest(canonical(json))}"`;
    if (!isCurrentCopy(call, tag)) {
      return { status: 200, headers: { ETag: tag, 'Cache-Control': freshness }, json };
    }
    const isList = call.header('If-None-Match')?.includes(',') === true;
    const isDropped = isList && has('listed-tag-drops-cache-control');
    return { status: 304, headers: { ETag: tag, ...(isDropped ? {} : { 'Cache-Control': freshness }) } };
  };

  const removeStatement: Handler = (call, owner) => {
    const account = store.accountOf(call, owner);
    const isOwn = (one: Account): boolean => one.owner === owner && !one.isRemoved;
    const places = has('statement-through-other-account') ? store.accounts.filter(isOwn) : [account];
    for (const { statements } of places) {
      const at = statements.findIndex((one) => idOf(one) === call.path['statementId']);
      if (at !== -1) statements.splice(at, 1);
    }
    return { status: 204 };
  };

  return { makeStatement, listStatements, getStatement, removeStatement };
}
