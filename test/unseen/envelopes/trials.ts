import type { Seen, Send, Trial } from '../trial.ts';
import type { Thing } from '../wire.ts';

const orchard = { Authorization: 'Bearer token-of-the-orchard' };
const any = { 'If-Match': '*' };

const idsOf = ({ json }: Seen): unknown[] => (json.data as Thing[]).map(({ id }) => id);
const tagOf = ({ headers }: Seen): string => headers.get('etag') ?? '';

const drafted = (send: Send, more: object = {}, headers = {}): Promise<Seen> =>
  send('POST /envelopes', { title: 'Lease', ...more }, headers);
/** The path of a new draft. */
const draft = async (send: Send, more: object = {}): Promise<string> =>
  `/envelopes/${String((await drafted(send, more)).json.id)}`;
/** The path of a new signer. */
const signer = async (send: Send, envelope: string, more: object = {}): Promise<string> => {
  const body = { name: 'Ana', email: 'ana@mail.example', ...more };
  const { json } = await send(`POST ${envelope}/signers`, body);
  return `${envelope}/signers/${String(json.id)}`;
};
const template = async (send: Send, more: object = {}): Promise<string> => {
  const { json } = await send('POST /templates', { name: 'Tenancy', slug: 'tenancy', ...more });
  return `/templates/${String(json.id)}`;
};

/** Lets so many seconds of the server pass, 30 at most, while an envelope of another account is read. */
const passed = async (send: Send, seconds: number): Promise<void> => {
  const { json } = await drafted(send, { valid_for_seconds: 3600 }, orchard);
  await send(`GET /envelopes/${String(json.id)}?wait=${String(seconds)}`, undefined, orchard);
};

/** The pages of a list. */
const pages = async (send: Send, query: string): Promise<readonly Seen[]> => {
  const all: Seen[] = [];
  let more = '';
  do {
    const page = await send(`GET /envelopes?${query}${more}`);
    all.push(page);
    more = page.json.paging.more === true ? `&cursor=${String(page.json.paging.next)}` : '';
  } while (more !== '' && all.length < 40);
  return all;
};

/** An envelope that was sent, with the signer who was invited. */
const invited = async (send: Send, more: object = {}): Promise<readonly [string, string]> => {
  const envelope = await draft(send);
  const first = await signer(send, envelope, more);
  await send(`POST ${envelope}/send`, undefined, any);
  await passed(send, 6);
  return [envelope, first];
};

/** For each fault, whether the server keeps the statement that it breaks. */
export const envelopeTrials: Readonly<Record<string, Trial>> = {
  'descending-ties-turn': async (send) => {
    const whole = (await pages(send, 'sort=-value_cents&limit=50')).slice(0, 1).flatMap(idsOf);
    const small = (await pages(send, 'sort=-value_cents&limit=5')).flatMap(idsOf);
    return whole.slice(0, 50).join() === small.slice(0, 50).join();
  },
  'kind-lost-on-third-page': async (send) => {
    const all = await pages(send, 'kind=receipt&limit=3');
    return all.every(({ json }) => (json.data as Thing[]).every(({ kind }) => kind === 'receipt'));
  },
  'more-without-filter': async (send) => {
    const all = await pages(send, 'status=voided&limit=4');
    return all.every((page) => idsOf(page).length > 0) && all.at(-1)?.json.paging.more === false;
  },
  'link-without-sort': async (send) => {
    const { headers } = await send('GET /envelopes?sort=title&limit=5');
    const next = /<([^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
    return (await send(`GET ${next}`)).status === 200;
  },
  'cursor-carries-account': async (send) => {
    const { json } = await send('GET /envelopes?limit=5');
    const cursor = String(json.paging.next);
    const other = await send(`GET /envelopes?limit=5&cursor=${cursor}`, undefined, orchard);
    return other.status === 400;
  },
  'orders-as-text': async (send) => {
    const envelope = await draft(send);
    await signer(send, envelope, { order: 10 });
    await signer(send, envelope, { order: 2, email: 'ben@mail.example' });
    const { json } = await send(`GET ${envelope}/signers`);
    return (json.data as Thing[]).map(({ order }) => order).join() === '2,10';
  },
  'status-filter-unsettled': async (send) => {
    await draft(send, { valid_for_seconds: 10 });
    await passed(send, 12);
    const { json } = await send('GET /envelopes?status=draft');
    return (json.data as Thing[]).every(({ status }) => status === 'draft');
  },
  'expired-draft-sends': async (send) => {
    const envelope = await draft(send, { valid_for_seconds: 10 });
    await passed(send, 12);
    return (await send(`POST ${envelope}/send`, undefined, any)).status === 409;
  },
  'refused-void-takes-reason': async (send) => {
    const envelope = await draft(send);
    await send(`POST ${envelope}/send`, undefined, any);
    await send(`POST ${envelope}/void`, { void_reason: 'one' });
    const again = await send(`POST ${envelope}/void`, { void_reason: 'two' });
    return again.status === 409 && (await send(`GET ${envelope}`)).json.void_reason === 'one';
  },
  'released-signs': async (send) => {
    const [envelope, first] = await invited(send);
    const before = await send(`GET ${first}`);
    await send(`POST ${envelope}/void`, { void_reason: 'one' });
    const late = await send(`POST ${first}/sign`);
    return before.json.status === 'invited' && late.status === 409;
  },
  'expired-moves': async (send) => {
    const envelope = await draft(send, { valid_for_seconds: 10 });
    await passed(send, 12);
    const one = await send(`GET ${envelope}`);
    await passed(send, 1);
    const { json } = await send(`GET ${envelope}`);
    return json.status === 'expired' && one.json.ended_at === json.ended_at;
  },
  'equal-order-waits': async (send) => {
    const envelope = await draft(send, { sequential: true });
    await signer(send, envelope);
    const second = await signer(send, envelope, { email: 'ben@mail.example' });
    await send(`POST ${envelope}/send`, undefined, any);
    await passed(send, 6);
    return (await send(`GET ${second}`)).json.status === 'invited';
  },
  'access-code-after-patch': async (send) => {
    const first = await signer(send, await draft(send));
    return !('access_code' in (await send(`PATCH ${first}`, { name: 'Bo' })).json);
  },
  'replay-renews-window': async (send) => {
    const key = { 'Idempotency-Key': 'one' };
    const first = await drafted(send, {}, key);
    for (const seconds of [30, 30, 30]) await passed(send, seconds);
    const second = await drafted(send, {}, key);
    for (const seconds of [30, 30]) await passed(send, seconds);
    const third = await drafted(send, {}, key);
    return first.json.id === second.json.id && third.status === 201 && third.json.id !== first.json.id;
  },
  'mismatch-ignores-nested': async (send) => {
    const key = { 'Idempotency-Key': 'one' };
    await drafted(send, { metadata: { flat: '3b' } }, key);
    return (await drafted(send, { metadata: { flat: '4a' } }, key)).status === 422;
  },
  'refused-key-stays-claimed': async (send) => {
    const key = { 'Idempotency-Key': 'one' };
    const refused = await drafted(send, { template_id: 'tpl_of_nobody' }, key);
    return refused.status === 422 && (await drafted(send, {}, key)).status === 201;
  },
  'in-flight-without-retry-after': async (send) => {
    const key = { 'Idempotency-Key': 'one' };
    const both = await Promise.all([drafted(send, {}, key), drafted(send, {}, key)]);
    const refused = both.find(({ status }) => status === 409);
    return refused?.headers.has('retry-after') === true;
  },
  'released-key-marked': async (send) => {
    const key = { 'Idempotency-Key': 'one' };
    await drafted(send, { template_id: 'tpl_of_nobody' }, key);
    const { status, headers } = await drafted(send, {}, key);
    return status === 201 && !headers.has('idempotent-replay');
  },
  'replay-repeats-request-id': async (send) => {
    const key = { 'Idempotency-Key': 'one' };
    const first = await drafted(send, {}, key);
    const second = await drafted(send, {}, key);
    const isReplay = second.headers.get('idempotent-replay') === 'true';
    return isReplay && first.headers.get('x-request-id') !== second.headers.get('x-request-id');
  },
  'signing-keeps-tag': async (send) => {
    const [envelope, first] = await invited(send);
    await signer(send, envelope, { email: 'ben@mail.example' });
    const before = await send(`GET ${envelope}`);
    await send(`POST ${first}/sign`);
    const after = await send(`GET ${envelope}`);
    return after.json.signed_count === 1 && tagOf(before) !== tagOf(after);
  },
  'send-checks-version-early': async (send) => {
    const made = await drafted(send);
    const envelope = `/envelopes/${String(made.json.id)}`;
    const seen = { 'If-Match': tagOf(made) };
    const both = await Promise.all([
      send(`PATCH ${envelope}`, { title: 'Another lease' }, seen),
      send(`POST ${envelope}/send`, undefined, seen),
    ]);
    return both.filter(({ status }) => status === 200).length === 1;
  },
  'wait-ignores-copy': async (send) => {
    const made = await drafted(send);
    const copy = { 'If-None-Match': tagOf(made) };
    return (await send(`GET /envelopes/${String(made.json.id)}?wait=1`, undefined, copy)).status === 304;
  },
  'recipients-appended': async (send) => {
    const made = await template(send, { recipients: ['ana@mail.example'] });
    const { json } = await send(`PATCH ${made}`, { recipients: ['ben@mail.example'] }, any);
    return (json.recipients as string[]).join() === 'ben@mail.example';
  },
  'taken-email-stores-name': async (send) => {
    const envelope = await draft(send);
    const first = await signer(send, envelope);
    await signer(send, envelope, { email: 'ben@mail.example' });
    const refused = await send(`PATCH ${first}`, { name: 'Bo', email: 'ben@mail.example' });
    return refused.status === 409 && (await send(`GET ${first}`)).json.name === 'Ana';
  },
  'restored-slug-free': async (send) => {
    const made = await template(send);
    await send(`DELETE ${made}`, undefined, any);
    await send(`POST ${made}/restore`);
    return (await send('POST /templates', { name: 'Another', slug: 'tenancy' })).status === 409;
  },
  'signers-outlive-envelope': async (send) => {
    const envelope = await draft(send);
    const first = await signer(send, envelope);
    await send(`DELETE ${envelope}`, undefined, any);
    return (await send(`GET ${first}`)).status === 404;
  },
  'decline-through-other-envelope': async (send) => {
    const [, first] = await invited(send);
    const [, id] = first.split('/signers/');
    const other = await draft(send);
    const path = `${other}/signers/${String(id)}/decline`;
    return (await send(`POST ${path}`, { decline_reason: 'No' })).status === 404;
  },
  'other-account-restores': async (send) => {
    const made = await template(send);
    await send(`DELETE ${made}`, undefined, any);
    return (await send(`POST ${made}/restore`, undefined, orchard)).status === 404;
  },
  'expired-drafts-count': async (send) => {
    const made: Seen[] = [];
    for (let count = 0; count < 16; count += 1) made.push(await drafted(send, { valid_for_seconds: 10 }));
    await passed(send, 12);
    return made.every(({ status }) => status === 201) && (await drafted(send)).status === 201;
  },
  'large-value-wraps': async (send) => {
    const { json } = await drafted(send, { value_cents: 999_999_999_999 });
    return json.value_cents === 999_999_999_999;
  },
};
