import type { Seen, Send, Trial } from '../trial.ts';
import type { Thing } from '../wire.ts';

const south = { 'X-Shop-Key': 'sk_south_0815' };
const any = { 'If-Match': '*' };
const device = {
  title: 'Trial',
  branch: 'station',
  kind: 'laptop',
  model: 'Lumen 4',
  customer: { name: 'Mira Sand' },
};
const proposal = { finding: 'The battery is swollen.', amount_minor: 8900 };
const part = (serial: string, more: object = {}): object => ({
  ...{ serial, name: 'Battery', kind: 'battery', price_minor: 4900 },
  ...more,
});

const opened = async (send: Send, more: object = {}, headers = {}): Promise<Seen> =>
  send('POST /tickets', { ...device, ...more }, headers);
/** The path of a new ticket, after calls such as diagnose and propose. */
const pathOf = async (send: Send, calls: readonly string[] = [], more: object = {}): Promise<string> => {
  const path = `/tickets/${String((await opened(send, more)).json.id)}`;
  for (const call of calls) await acted(send, path, call);
  return path;
};
const bodies: Readonly<Record<string, object>> = {
  propose: proposal,
  collect: { collected_by: 'Mira Sand' },
  scrap: { scrap_reason: 'Corroded.' },
};
const acted = async (send: Send, path: string, call: string): Promise<Seen> =>
  send(`POST ${path}/${call}`, bodies[call]);
const fill = async (send: Send, count: number): Promise<void> => {
  for (let made = 0; made < count; made += 1) await opened(send);
};
/** Lets three seconds of the server pass, by a ticket of the other chain. */
const passed = async (send: Send): Promise<void> => {
  await opened(send, { title: 'Slow' }, south);
};
const noted = async (send: Send, path: string): Promise<string> => {
  const { json } = await send(`POST ${path}/notes`, { text: 'Loose hinge' });
  return `${path}/notes/${String(json.id)}`;
};
const announced = async (send: Send, note: string, bytes: number): Promise<Seen> =>
  send(`POST ${note}/attachment`, { file_name: 'hinge.png', media_type: 'image/png', bytes });

interface Event {
  readonly name: string;
  readonly data: Thing;
}

/** The events of a ticket while something is done that ends it. */
const watched = async (send: Send, path: string, done: () => Promise<void>): Promise<readonly Event[]> => {
  const later = async (): Promise<void> => {
    await passed(send);
    await done();
  };
  const [{ text }] = await Promise.all([send(`GET ${path}/events`), later()]);
  return text
    .split('\n\n')
    .filter((one) => one !== '')
    .map((one) => {
      const [name = '', data = ''] = one.split('\n');
      return { name: name.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) as Thing };
    });
};
const tagOf = async (send: Send, path: string): Promise<string> =>
  String((await send(`GET ${path}`)).headers.get('etag'));

/** For each fault, whether the server keeps the statement that it breaks. */
export const repairTrials: Readonly<Record<string, Trial>> = {
  'total-counts-deleted': async (send) => {
    const before = (await send('GET /tickets?branch=station')).json.total;
    await send(`DELETE ${await pathOf(send)}`);
    return (await send('GET /tickets?branch=station')).json.total === before;
  },
  'sorted-page-unfiltered': async (send) => {
    const { json } = await send('GET /tickets?sort=title&kind=laptop&per_page=5&page=2');
    return (json.items as Thing[]).every(({ kind }) => kind === 'laptop');
  },
  'large-deposits-sorted-low': async (send) => {
    await opened(send, { deposit_minor: 3_000_000_000 });
    const { json } = await send('GET /tickets?sort=-deposit_minor&per_page=1');
    return json.items[0].deposit_minor === 3_000_000_000;
  },
  'limit-one-above': async (send) =>
    (await send(`GET ${await pathOf(send)}/parts?limit=41`)).json.limit === 40,
  'search-omits-outcome': async (send) => {
    const { json } = await send('POST /tickets/search', { states: ['collected'] });
    return (json.items as Thing[]).every((one) => 'outcome' in one);
  },
  'restored-forgets-deadline': async (send) => {
    const path = await pathOf(send, ['diagnose', 'propose']);
    await send(`DELETE ${path}`);
    await send(`POST ${path}/restore`);
    return 'answer_by' in (await send(`GET ${path}`)).json;
  },
  'restore-beyond-bound': async (send) => {
    const path = await pathOf(send);
    await send(`DELETE ${path}`);
    await fill(send, 16);
    return (await send(`POST ${path}/restore`)).status === 409;
  },
  'bulk-below-deleted': async (send) => {
    const path = await pathOf(send);
    await send(`DELETE ${path}`);
    return (await send(`POST ${path}/parts/batch`, { parts: [part('A')] })).status === 410;
  },
  'put-keeps-quantity': async (send) => {
    const path = await pathOf(send);
    const { json } = await send(`POST ${path}/parts`, part('A', { quantity: 4 }));
    const replaced = await send(`PUT ${path}/parts/${String(json.id)}`, part('A'), any);
    return replaced.json.quantity === 1;
  },
  'null-labels-emptied': async (send) => {
    const path = await pathOf(send, [], { labels: ['warranty'] });
    return !('labels' in (await send(`PATCH ${path}`, { labels: null }, any)).json);
  },
  'title-trimmed': async (send) => (await opened(send, { title: ' Trial ' })).json.title === ' Trial ',
  'other-account-reads-note': async (send) => {
    const note = await noted(send, await pathOf(send));
    return (await send(`GET ${note}`, undefined, south)).status === 404;
  },
  'lapsed-without-ready-at': async (send) => {
    const path = await pathOf(send, ['diagnose']);
    await send(`POST ${path}/propose`, { ...proposal, answer_within_seconds: 1 });
    await passed(send);
    const { json } = await send(`GET ${path}`);
    return json.state === 'ready' && 'ready_at' in json;
  },
  'refused-collect-stores-name': async (send) => {
    const path = await pathOf(send);
    const { status } = await acted(send, path, 'collect');
    return status === 409 && !('collected_by' in (await send(`GET ${path}`)).json);
  },
  'late-model': async (send) => {
    const path = await pathOf(send, ['diagnose', 'scrap']);
    await send(`PATCH ${path}`, { model: 'Lumen 5' }, any);
    return (await send(`GET ${path}`)).json.model === 'Lumen 4';
  },
  'invoice-at-finish': async (send) => {
    const path = await pathOf(send, ['diagnose', 'propose', 'approve']);
    const { status, json } = await acted(send, path, 'finish');
    return status === 200 && !('invoice' in json);
  },
  'key-free-after-delete': async (send) => {
    const first = await opened(send, {}, { 'Idempotency-Key': 'one' });
    await send(`DELETE /tickets/${String(first.json.id)}`);
    return (await opened(send, {}, { 'Idempotency-Key': 'one' })).json.id === first.json.id;
  },
  'mismatch-of-long-bodies': async (send) => {
    const labels = Array.from({ length: 10 }, (_, at) => `A rather long label, number ${String(at)}`);
    const key = { 'Idempotency-Key': 'one' };
    await opened(send, { labels, title: 'One' }, key);
    return (await opened(send, { labels, title: 'Two' }, key)).status === 422;
  },
  'bulk-duplicate-within': async (send) => {
    const path = await pathOf(send);
    return (await send(`POST ${path}/parts/batch`, { parts: [part('A'), part('A')] })).status === 409;
  },
  'put-races-add': async (send) => {
    const path = await pathOf(send);
    const { json } = await send(`POST ${path}/parts`, part('A'));
    const both = await Promise.all([
      send(`POST ${path}/parts`, part('B')),
      send(`PUT ${path}/parts/${String(json.id)}`, part('B'), any),
    ]);
    return both.filter(({ status }) => status === 409).length === 1;
  },
  'bound-by-counter': async (send) => {
    await send(`DELETE ${await pathOf(send, ['diagnose', 'propose', 'decline'])}`);
    await fill(send, 16);
    return (await opened(send)).status === 409;
  },
  'stream-skips-quick-states': async (send) => {
    const path = await pathOf(send);
    const events = await watched(send, path, async () => {
      await acted(send, path, 'diagnose');
      await acted(send, path, 'scrap');
    });
    return events.map(({ data }) => data['state']).join() === 'received,diagnosing,scrapped';
  },
  'notes-of-other-tickets': async (send) => {
    const path = await pathOf(send, ['diagnose']);
    const other = await pathOf(send);
    const events = await watched(send, path, async () => {
      await noted(send, other);
      await acted(send, path, 'scrap');
    });
    return events.every(({ name }) => name === 'state');
  },
  'largest-file-refused': async (send) =>
    (await announced(send, await noted(send, await pathOf(send)), 5_000_000)).status === 201,
  'pending-attachment-null': async (send) => {
    const path = await pathOf(send);
    await announced(send, await noted(send, path), 5);
    return !('attachment' in (await send(`GET ${path}/notes`)).json.items[0]);
  },
  'upload-without-request-id': async (send) => {
    const { json } = await announced(send, await noted(send, await pathOf(send)), 5);
    const { pathname } = new URL(String(json.address));
    const type = { 'Content-Type': 'application/octet-stream' };
    const { status, headers } = await send(`PUT ${pathname}`, 'abc', type);
    return status === 204 && headers.has('x-request-id');
  },
  'note-keeps-ticket-tag': async (send) => {
    const path = await pathOf(send);
    const before = await tagOf(send, path);
    await noted(send, path);
    return (await tagOf(send, path)) !== before;
  },
  'delete-by-weak-tag': async (send) => {
    const path = await pathOf(send);
    const weak = `W/${await tagOf(send, path)}`;
    return (await send(`DELETE ${path}`, undefined, { 'If-Match': weak })).status === 412;
  },
  'place-off-by-one': async (send) => {
    const path = await pathOf(send);
    const wrong = { parts: [part('A'), part('B', { price_minor: -1 })] };
    const { json } = await send(`POST ${path}/parts/batch`, wrong);
    return (json.errors as Thing[]).map(({ at }) => at).join() === '/parts/1/price_minor';
  },
  'bulk-conflict-status': async (send) => {
    const path = await pathOf(send);
    await send(`POST ${path}/parts`, part('B'));
    const { status, json } = await send(`POST ${path}/parts/batch`, { parts: [part('A'), part('B')] });
    return status === 409 && json.status === 409;
  },
};
