import type { Seen, Send, Trial } from '../trial.ts';
import type { Thing } from '../wire.ts';

const forge = { Authorization: 'Bearer token-of-the-forge' };
const closed = { Authorization: 'Bearer token-of-a-closed-firm' };
const anyTag = { 'If-Match': '*' };
const fresh = { name: 'Trial', kind: 'expense' };

/** The path of a new account. */
const opened = async (send: Send, code: string, more: object = {}): Promise<string> => {
  await send(`PUT /accounts/${code}`, { ...fresh, ...more });
  return `/accounts/${code}`;
};
const posted = (
  send: Send,
  path: string,
  reference: string,
  more: object = {},
  headers = {},
): Promise<Seen> => send(`POST ${path}/postings`, { reference, amount: '10.00', ...more }, headers);
const drafted = (send: Send, more: object = {}, headers = {}): Promise<Seen> =>
  send('POST /transfers', { from: 'bank', to: 'rent', amount: '10.00', ...more }, headers);
/** The path of a new draft. */
const draft = async (send: Send, more: object = {}): Promise<string> =>
  `/transfers/${String((await drafted(send, more)).json.id)}`;
/** Five seconds of the server, more than the bank takes. */
const passed = (send: Send): Promise<Seen> =>
  posted(send, '/accounts/power', `time ${String(Math.random())}`, { memo: 'Takes 5 seconds.' });
/** The path of a transfer that has come to its end by itself. */
const ended = async (send: Send, more: object = {}): Promise<string> => {
  const path = await draft(send, more);
  await send(`POST ${path}/submit`);
  await passed(send);
  return path;
};
const stated = async (send: Send, path: string): Promise<string> => {
  const made = await send(`POST ${path}/statements`, { from_day: '2026-01-01', to_day: '2026-12-31' });
  return `${path}/statements/${String(made.json.id)}`;
};
const tagOf = (seen: Seen): string => seen.headers.get('etag') ?? '';
const itemsOf = ({ json }: Seen): Thing[] => json.items as Thing[];
const codesOf = (seen: Seen): unknown[] => itemsOf(seen).map(({ code }) => code);
const countOf = async (send: Send, path: string): Promise<unknown> =>
  (await send(`GET ${path}`)).json.posting_count as unknown;

/** For each fault, whether the server keeps the statement that it breaks. */
export const ledgerTrials: Readonly<Record<string, Trial>> = {
  'equal-keys-skipped': async (send) => {
    const path = await opened(send, 'trial');
    for (const name of ['a', 'b', 'c']) await posted(send, path, name, { booked_on: '2026-05-01' });
    const first = await send(`GET ${path}/postings?sort=booked_on&limit=2`);
    const cursor = String(first.json.next_cursor);
    const second = await send(`GET ${path}/postings?sort=booked_on&limit=2&cursor=${cursor}`);
    return itemsOf(second).length === 1;
  },
  'amounts-sorted-as-text': async (send) => {
    const found = itemsOf(await send('GET /accounts/bank/postings?sort=amount'));
    const amounts = found.map(({ amount }) => Number(amount));
    return amounts.join() === amounts.toSorted((a, b) => a - b).join();
  },
  'second-filter-lost': async (send) => {
    const query = 'kind=expense&group=premises&limit=1';
    const { json } = await send(`GET /accounts?${query}`);
    const next = await send(`GET /accounts?${query}&cursor=${String(json.next_cursor)}`);
    return codesOf(next).join() === 'rent' && next.json.has_more === false;
  },
  'total-header-unfiltered': async (send) => {
    const { headers, json } = await send('GET /transfers?state=settled');
    return headers.get('x-total-count') === String(json.total);
  },
  'patched-group-unfiltered': async (send) => {
    await send('PATCH /accounts/wages', { group: 'payroll' }, anyTag);
    return codesOf(await send('GET /accounts?group=payroll')).join() === 'wages';
  },
  'namesake-postings-listed': async (send) => {
    const found = itemsOf(await send('GET /accounts/bank/postings', undefined, forge));
    return found.filter(({ source }) => source === 'entry').length === 1;
  },
  'other-firm-submits': async (send) => {
    const path = await draft(send);
    const refused = await send(`POST ${path}/submit`, undefined, forge);
    return refused.status === 404 && (await send(`GET ${path}`)).json.state === 'draft';
  },
  'closed-firm-lists-transfers': async (send) =>
    (await send('GET /transfers', undefined, closed)).status === 403,
  'create-race': async (send) => {
    const put = (): Promise<Seen> => send('PUT /accounts/trial', fresh, { 'If-None-Match': '*' });
    const statuses = (await Promise.all([put(), put()])).map(({ status }) => status);
    return statuses.toSorted((a, b) => a - b).join() === '201,412';
  },
  'recreated-account-old-tag': async (send) => {
    const first = await send('PUT /accounts/trial', fresh);
    await send('DELETE /accounts/trial', undefined, anyTag);
    await send('PUT /accounts/trial', { ...fresh, name: 'Another' });
    const late = { 'If-Match': tagOf(first) };
    return (await send('PATCH /accounts/trial', { note: 'Late' }, late)).status === 412;
  },
  'exists-by-star-only': async (send) => {
    const tag = tagOf(await send('PUT /accounts/trial', fresh));
    const headers = { 'If-Match': tag, 'If-None-Match': tag };
    return (await send('PUT /accounts/trial', { ...fresh, name: 'Another' }, headers)).status === 412;
  },
  'settlement-keeps-tag': async (send) => {
    const path = await opened(send, 'trial');
    const before = tagOf(await send(`GET ${path}`));
    await ended(send, { to: 'trial' });
    const after = await send(`GET ${path}`, undefined, { 'If-None-Match': before });
    return after.status === 200 && after.json.balance === '10.00';
  },
  'listed-tag-drops-cache-control': async (send) => {
    const path = await stated(send, '/accounts/bank');
    const tags = `"another", ${tagOf(await send(`GET ${path}`))}`;
    const { status, headers } = await send(`GET ${path}`, undefined, { 'If-None-Match': tags });
    return status === 304 && headers.has('cache-control');
  },
  'posting-outlives-account': async (send) => {
    const path = await opened(send, 'trial');
    const { json } = await posted(send, path, 'a');
    await send(`DELETE ${path}`, undefined, anyTag);
    return (await send(`GET ${path}/postings/${String(json.id)}`)).status === 404;
  },
  'reference-race': async (send) => {
    const path = await opened(send, 'trial');
    const both = await Promise.all([posted(send, path, 'a'), posted(send, path, 'a')]);
    return both.filter(({ status }) => status === 201).length === 1;
  },
  'memo-cut-in-units': async (send) => {
    const memo = '🌾'.repeat(150);
    return (await posted(send, await opened(send, 'trial'), 'a', { memo })).json.memo === memo;
  },
  'balance-by-float': async (send) => {
    const path = await opened(send, 'trial');
    await posted(send, path, 'a', { amount: '999999999999999.98' });
    await posted(send, path, 'b', { amount: '0.01' });
    return (await send(`GET ${path}`)).json.balance === '999999999999999.99';
  },
  'statement-through-other-account': async (send) => {
    const path = await stated(send, '/accounts/bank');
    await send(`DELETE ${path.replace('bank', 'cash')}`);
    return (await send(`GET ${path}`)).status === 200;
  },
  'third-use-runs': async (send) => {
    const ids = new Set<unknown>();
    for (let use = 0; use < 3; use += 1) {
      ids.add((await drafted(send, {}, { 'Idempotency-Key': 'one' })).json.id);
    }
    return ids.size === 1;
  },
  'failure-holds-key': async (send) => {
    const key = { 'Idempotency-Key': 'one' };
    const failed = await drafted(send, { memo: 'Fails.' }, key);
    return failed.status === 500 && (await drafted(send, {}, key)).status === 201;
  },
  'replay-without-location': async (send) => {
    const key = { 'Idempotency-Key': 'one' };
    const first = await drafted(send, {}, key);
    const second = await drafted(send, {}, key);
    return first.headers.has('location') && second.headers.get('location') === first.headers.get('location');
  },
  'second-submit-moves-time': async (send) => {
    const path = await draft(send);
    const first = await send(`POST ${path}/submit`);
    await posted(send, '/accounts/bank', 'a moment');
    const second = await send(`POST ${path}/submit`);
    return second.status === 409 && (await send(`GET ${path}`)).json.submitted_at === first.json.submitted_at;
  },
  'end-in-whole-seconds': async (send) => {
    const { json } = await send(`POST ${await draft(send)}/void`);
    return String(json.ended_at) >= String(json.created_at);
  },
  'rejection-missing-in-list': async (send) => {
    const found = itemsOf(await send('GET /transfers?state=rejected'));
    return found.length > 0 && found.every(({ rejection }) => rejection !== undefined);
  },
  'rejection-null-on-202': async (send) =>
    !('rejection' in (await send(`POST ${await draft(send)}/submit`)).json),
  'replay-counts-as-open': async (send) => {
    const key = { 'Idempotency-Key': 'one' };
    const statuses: number[] = [];
    await drafted(send, {}, key);
    await drafted(send, {}, key);
    for (let one = 0; one < 6; one += 1) statuses.push((await drafted(send)).status);
    return statuses.join() === '201,201,201,201,201,409';
  },
  'voided-still-books': async (send) => {
    const before = await countOf(send, '/accounts/rent');
    const path = await draft(send);
    await send(`POST ${path}/submit`);
    await send(`POST ${path}/void`);
    await passed(send);
    return (await countOf(send, '/accounts/rent')) === before;
  },
  'patched-repeat-passes': async (send) => {
    const path = await draft(send);
    return (await send(`PATCH ${path}`, { memo: 'A', repeat: 'monthly' }, anyTag)).status === 422;
  },
  'parent-link-first-page-only': async (send) => {
    for (let one = 0; one < 2; one += 1) await stated(send, '/accounts/bank');
    const { json } = await send('GET /accounts/bank/statements?limit=1');
    const next = `GET /accounts/bank/statements?cursor=${String(json.next_cursor)}`;
    return (await send(next)).json.links?.account === '/accounts/bank';
  },
  'transfer-posting-links-other': async (send) => {
    const { postings } = (await send(`GET ${await ended(send)}`)).json as { postings: { out: string } };
    const { json } = await send(`GET /accounts/bank/postings/${postings.out}`);
    return json.links.account === '/accounts/bank';
  },
};
