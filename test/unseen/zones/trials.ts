import type { Seen, Send, Trial } from '../trial.ts';
import type { Thing } from '../wire.ts';

type Headers = Readonly<Record<string, string>>;

const south = { 'X-Api-Key': 'dns_south_5151' };
const record = { type: 'A', records: ['192.0.2.7'] };
const submitted = { set: 'www', ...record, delay_seconds: 600 };

const ids = ({ json }: Seen): unknown[] => (json.items as Thing[]).map(({ id }) => id);
const etag = ({ headers }: Seen): string => headers.get('etag') ?? '';

let names = 0;
/** A name that no zone has. */
const newName = (): string => {
  names += 1;
  return `trial-${String(names)}.example`;
};

const created = (send: Send, more: object = {}, headers: Headers = {}): Promise<Seen> =>
  send('POST /zones', { name: newName(), ...more }, headers);
const pathOf = ({ json }: Seen): string => `/zones/${String(json.id)}`;

/** The path of a new zone after some actions. */
const acted = async (send: Send, ...actions: readonly string[]): Promise<string> => {
  const path = pathOf(await created(send));
  for (const action of actions) await send(`POST ${path}/${action}`);
  return path;
};

const deleted = async (send: Send, path: string): Promise<Seen> =>
  send(`DELETE ${path}`, undefined, { 'If-Match': etag(await send(`GET ${path}`)) });

const statuses = (answers: readonly Seen[]): string => answers.map(({ status }) => status).join();

/** For each fault, whether the server keeps the statement that it breaks. */
export const zoneTrials: Readonly<Record<string, Trial>> = {
  'last-full-page-links': async (send) => {
    const path = await acted(send);
    for (const name of ['a', 'b']) await send(`PUT ${path}/sets/${name}`, record);
    const { json, headers } = await send(`GET ${path}/sets?per_page=2`);
    return json.items.length === 2 && json.total === 2 && !headers.has('link');
  },
  'ties-turn-by-page': async (send) => {
    for (let count = 0; count < 4; count += 1) await created(send, { default_ttl: 120 });
    const pages: unknown[] = [];
    for (const page of [1, 2, 3]) {
      pages.push(...ids(await send(`GET /zones?sort=default_ttl&per_page=2&page=${String(page)}`)));
    }
    return new Set(pages).size === 6;
  },
  'unlocked-listed-as-locked': async (send) => {
    const path = await acted(send, 'publish', 'lock', 'unlock');
    const { json } = await send('GET /zones?state=locked');
    const found = ids(await send('GET /zones?state=published'));
    return json.total === 0 && found.includes(path.replace('/zones/', ''));
  },

  'tag-by-second': async (send) => {
    const path = await acted(send);
    const first = await send(`PUT ${path}/sets/www`, record);
    const second = await send(`PUT ${path}/sets/www`, { ...record, ttl: 120 });
    return second.status === 200 && etag(first) !== etag(second);
  },
  'lost-set-if-match': async (send) => {
    const path = await acted(send);
    const first = await send(`PUT ${path}/sets/www`, record);
    await send(`DELETE ${path}/sets/www`);
    return (await send(`PUT ${path}/sets/www`, record, { 'If-Match': etag(first) })).status === 412;
  },
  'none-match-after-drop': async (send) => {
    const path = await acted(send);
    await send(`PUT ${path}/sets/www`, record);
    await send(`DELETE ${path}/sets/www`);
    return (await send(`PUT ${path}/sets/www`, record, { 'If-None-Match': '*' })).status === 201;
  },
  'change-race': async (send) => {
    const zone = await created(send);
    const match = { 'If-Match': etag(zone) };
    const answers = await Promise.all(
      [120, 240, 360].map((ttl) => send(`PATCH ${pathOf(zone)}`, { default_ttl: ttl }, match)),
    );
    return answers.filter(({ status }) => status === 200).length === 1;
  },
  'tag-ignores-sets': async (send) => {
    const zone = await created(send);
    await send(`PUT ${pathOf(zone)}/sets/www`, record);
    const again = await send(`GET ${pathOf(zone)}`, undefined, { 'If-None-Match': etag(zone) });
    return again.status === 200;
  },

  'replay-forgets-location': async (send) => {
    const body = { name: newName() };
    const first = await created(send, body, { 'Idempotency-Key': 'one' });
    const second = await created(send, body, { 'Idempotency-Key': 'one' });
    return second.headers.get('location') === first.headers.get('location');
  },
  'name-taken-spends-key': async (send) => {
    const key = { 'Idempotency-Key': 'one' };
    const refused = await created(send, { name: 'Harbour.Example' }, key);
    return refused.status === 409 && (await created(send, {}, key)).status === 201;
  },
  'running-key-other-body': async (send) => {
    const key = { 'Idempotency-Key': 'one' };
    return statuses(await Promise.all([created(send, {}, key), created(send, {}, key)])) === '201,409';
  },
  'replay-repeats-request-id': async (send) => {
    const body = { name: newName() };
    const first = await created(send, body, { 'Idempotency-Key': 'one' });
    const second = await created(send, body, { 'Idempotency-Key': 'one' });
    return first.headers.get('x-request-id') !== second.headers.get('x-request-id');
  },
  'change-key-any-case': async (send) => {
    const path = await acted(send);
    const answers = [];
    for (const key of ['change-a', 'change-A'])
      answers.push(await send(`POST ${path}/changes`, submitted, { 'Change-Key': key }));
    return statuses(answers) === '202,202';
  },

  'rename-other-case': async (send) => {
    const zone = await created(send);
    const match = { 'If-Match': etag(zone) };
    return (await send(`PATCH ${pathOf(zone)}`, { name: 'MILL.example' }, match)).status === 409;
  },
  'import-name-twice': async (send) => {
    const sets = [
      { name: 'www', ...record },
      { name: 'www', ...record, ttl: 60 },
    ];
    const { json } = await send(`POST ${await acted(send)}/sets/import`, { sets });
    return (json.results as Thing[]).map(({ status }) => status).join() === '201,409';
  },
  'restored-name-twice': async (send) => {
    const zone = await created(send);
    await deleted(send, pathOf(zone));
    await created(send, { name: zone.json.name });
    return (await send(`POST ${pathOf(zone)}/restore`)).status === 409;
  },
  'reserved-null': async (send) => {
    const answers = [await created(send, { dnssec: true }), await created(send, { dnssec: null })];
    return statuses(answers) === '422,422';
  },
  'long-record-cut': async (send) => {
    const path = `${await acted(send)}/sets/text`;
    const text = 'x'.repeat(254);
    await send(`PUT ${path}`, { type: 'TXT', records: [`${text}y`] });
    return (await send(`GET ${path}`)).json.records[0] === `${text}y`;
  },
  'set-revived': async (send) => {
    const path = `${await acted(send)}/sets/www`;
    await send(`PUT ${path}`, { ...record, comment: 'Of old' });
    await send(`DELETE ${path}`);
    await send(`PUT ${path}`, record);
    return !('comment' in (await send(`GET ${path}`)).json);
  },

  'refused-publish-renews': async (send) => {
    const path = await acted(send, 'publish');
    const before = await send(`GET ${path}`);
    await created(send);
    const refused = await send(`POST ${path}/publish`);
    const after = await send(`GET ${path}`);
    return refused.status === 409 && before.json.published_at === after.json.published_at;
  },
  'retire-while-locked': async (send) => {
    const path = await acted(send, 'publish', 'lock');
    return (await send(`POST ${path}/retire`)).status === 409;
  },
  'restored-as-draft': async (send) => {
    const path = await acted(send, 'publish');
    await deleted(send, path);
    return (await send(`POST ${path}/restore`)).json.state === 'published';
  },
  'retired-serial-grows': async (send) => {
    const path = await acted(send, 'retire');
    const before = await send(`GET ${path}`);
    const refused = await send(`PUT ${path}/sets/www`, record);
    const after = await send(`GET ${path}`);
    return refused.status === 409 && before.json.serial === after.json.serial;
  },
  'below-gone-not-found': async (send) => {
    const path = await acted(send);
    await deleted(send, path);
    const { status, json } = await send(`GET ${path}/sets`);
    return status === 410 && json.code === 'zone_deleted';
  },
  'listed-outcome-null': async (send) => {
    const path = await acted(send);
    await send(`POST ${path}/changes`, submitted);
    const { json } = await send(`GET ${path}/changes`);
    return json.items.length === 1 && !('outcome' in json.items[0]);
  },

  'restored-zone-uncounted': async (send) => {
    const path = await acted(send);
    await deleted(send, path);
    await send(`POST ${path}/restore`);
    const answers = [];
    for (let count = 0; count < 10; count += 1) answers.push(await created(send));
    return statuses(answers) === [...Array<number>(9).fill(201), 409].join();
  },
  'cancelled-change-counts': async (send) => {
    const path = await acted(send);
    const answers = [];
    for (let count = 0; count < 4; count += 1) answers.push(await send(`POST ${path}/changes`, submitted));
    await send(`POST ${path}/changes/${String(answers[0]?.json.id)}/cancel`);
    answers.push(await send(`POST ${path}/changes`, submitted));
    return statuses(answers) === '202,202,202,202,202';
  },

  'former-owner-reads-sets': async (send) => {
    const path = await acted(send);
    await send(`PUT ${path}/sets/www`, record);
    const given = await send(`POST ${path}/transfer`, { to: 'south' });
    const other = await send(`GET ${path}/sets/www`, undefined, south);
    return statuses([given, other, await send(`GET ${path}/sets/www`)]) === '204,200,404';
  },
  'deleted-zone-told': async (send) => {
    const path = await acted(send);
    await deleted(send, path);
    return (await send(`GET ${path}`, undefined, south)).status === 404;
  },
  'key-as-bearer-reads-only': async (send) => {
    const both = { Authorization: 'Bearer dns_north_5150' };
    const answers = [await send('GET /zones', undefined, both), await created(send, {}, both)];
    return statuses(answers) === '200,201';
  },
};
