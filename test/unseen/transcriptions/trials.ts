import type { Seen, Send, Trial } from '../trial.ts';
import type { Thing } from '../wire.ts';

const source = { url: 'https://audio.example/interview.ogg', seconds: 95 };
const long = { source: { ...source, seconds: 36_000 } };
const lighthouse = { Authorization: 'Bearer editor-of-the-lighthouse' };
const reader = { Authorization: 'Bearer reader-of-the-harbour' };
const any = { 'If-Match': '*' };

/** The path of the transcriptions of a new project. */
const opened = async (send: Send, slug = 'trial'): Promise<string> => {
  const { json } = await send('POST /projects', { slug, name: 'Trial' });
  return `/projects/${String(json.id)}/transcriptions`;
};
const submitted = async (send: Send, list: string, more: object = {}, headers = {}): Promise<Seen> =>
  send(`POST ${list}`, { name: 'Interview', source, ...more }, headers);

interface Submitted {
  readonly list: string;
  readonly path: string;
}

/** A transcription in a new project. */
const started = async (send: Send, more: object = {}): Promise<Submitted> => {
  const list = await opened(send);
  const { json } = await submitted(send, list, more);
  return { list, path: `${list}/${String(json.id)}` };
};
const cancelled = async (send: Send): Promise<Submitted> => {
  const made = await started(send);
  await send(`POST ${made.path}/cancel`);
  return made;
};
/** As many long ones as there are names. */
const filled = async (send: Send, list: string, names: string): Promise<void> => {
  for (const name of names) await submitted(send, list, { name, ...long });
};

interface Event {
  readonly name: string;
  readonly data: Thing;
}

/** The events of a transcription until its end: reading them takes the time that the transcription takes. */
const watched = async (send: Send, path: string): Promise<readonly Event[]> => {
  const { text } = await send(`GET ${path}/events`);
  return text
    .split('\n\n')
    .filter((one) => one !== '')
    .map((one) => {
      const [name = '', data = ''] = one.split('\n');
      return { name: name.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) as Thing };
    });
};

/** Lets so many seconds of the server pass, 11 at least, by a transcription of the other account. */
const passed = async (send: Send, seconds: number): Promise<void> => {
  const asOther: Send = (call, body) => send(call, body, lighthouse);
  const list = '/projects/prj_13/transcriptions';
  const length = { source: { ...source, seconds: (seconds - 5) * 60 } };
  const { json } = await submitted(asOther, list, { name: `Wait of ${String(seconds)} s`, ...length });
  await watched(asOther, `${list}/${String(json.id)}`);
};

const tagOf = async (send: Send, path: string): Promise<string> =>
  String((await send(`GET ${path}`)).headers.get('etag'));
const namesOf = ({ json }: Seen): string => (json.items as Thing[]).map(({ name }) => name).join('');
const after = ({ json }: Seen): string => `cursor=${encodeURIComponent(String(json.next_cursor))}`;

/** For each fault, whether the server keeps the statement that it breaks. */
export const transcriptionTrials: Readonly<Record<string, Trial>> = {
  'cursor-skips-after-delete': async (send) => {
    const list = await opened(send);
    for (const name of 'abcd') await submitted(send, list, { name });
    const first = await send(`GET ${list}?sort=name&limit=2`);
    await send(`DELETE ${list}/${String(first.json.items[0].id)}`);
    return namesOf(await send(`GET ${list}?sort=name&limit=2&${after(first)}`)) === 'cd';
  },
  'equal-languages-lost': async (send) => {
    const list = await opened(send);
    for (const name of 'abc') await submitted(send, list, { name });
    const first = await send(`GET ${list}?sort=language&limit=2`);
    return namesOf(await send(`GET ${list}?sort=language&limit=2&${after(first)}`)) === 'c';
  },
  'third-page-unfiltered': async (send) => {
    const list = '/projects/prj_1/transcriptions?language=en&limit=2';
    const second = await send(`GET ${list}&${after(await send(`GET ${list}`))}`);
    const { json } = await send(`GET ${list}&${after(second)}`);
    return (json.items as Thing[]).every(({ language }) => language === 'en');
  },
  'full-last-page-has-more': async (send) => {
    const list = await opened(send);
    for (const name of 'ab') await submitted(send, list, { name });
    return (await send(`GET ${list}?limit=2`)).json.has_more === false;
  },
  'replay-without-location': async (send) => {
    const list = await opened(send);
    const headers = { 'Idempotency-Key': 'one' };
    const first = await submitted(send, list, {}, headers);
    const second = await submitted(send, list, {}, headers);
    return second.headers.get('location') === first.headers.get('location');
  },
  'mismatch-ignores-source': async (send) => {
    const list = await opened(send);
    const headers = { 'Idempotency-Key': 'one' };
    await submitted(send, list, {}, headers);
    return (await submitted(send, list, long, headers)).status === 422;
  },
  'retry-ignores-key': async (send) => {
    const { path } = await cancelled(send);
    const retry = async (): Promise<Seen> =>
      send(`POST ${path}/retry`, { name: 'Again' }, { 'Idempotency-Key': 'one' });
    const first = await retry();
    const second = await retry();
    return second.status === 202 && second.json.id === first.json.id;
  },
  'retry-keeps-tag': async (send) => {
    const { path } = await cancelled(send);
    const before = await tagOf(send, path);
    await send(`POST ${path}/retry`, { name: 'Again' });
    return (await tagOf(send, path)) !== before;
  },
  'same-patch-new-tag': async (send) => {
    const { path } = await cancelled(send);
    const first = await send(`PATCH ${path}`, { label: 'Press' }, any);
    const second = await send(`PATCH ${path}`, { label: 'Press' }, any);
    return second.headers.get('etag') === first.headers.get('etag');
  },
  'ended-deleted-by-old-version': async (send) => {
    const { path } = await started(send);
    const old = await tagOf(send, path);
    await send(`POST ${path}/cancel`);
    return (await send(`DELETE ${path}`, undefined, { 'If-Match': old })).status === 412;
  },
  'refused-patch-merges-speakers': async (send) => {
    const { path } = await cancelled(send);
    const refused = await send(`PATCH ${path}`, { speakers: { S1: 'Host' } }, { 'If-Match': '"old"' });
    return refused.status === 412 && !('speakers' in (await send(`GET ${path}`)).json);
  },
  'nested-null-stays': async (send) => {
    const { path } = await started(send, { speakers: { S1: 'Host', S2: 'Guest' } });
    const { json } = await send(`PATCH ${path}`, { speakers: { S1: null } }, any);
    return !('S1' in json.speakers) && json.speakers.S2 === 'Guest';
  },
  'empty-notes-ignored': async (send) => {
    const { path } = await started(send, { notes: 'Too loud.' });
    return (await send(`PATCH ${path}`, { notes: '' }, any)).json.notes === '';
  },
  'speakers-null-fails': async (send) => {
    const { path } = await started(send, { speakers: { S1: 'Host' } });
    const { status, json } = await send(`PATCH ${path}`, { speakers: null }, any);
    return status === 200 && !('speakers' in json);
  },
  'name-race': async (send) => {
    const list = await opened(send);
    const both = await Promise.all([submitted(send, list), submitted(send, list)]);
    return both.filter(({ status }) => status === 202).length === 1;
  },
  'cancelled-completes': async (send) => {
    const { path } = await started(send, { source: { ...source, seconds: 1200 } });
    await passed(send, 11);
    const { status } = await send(`POST ${path}/cancel`);
    await passed(send, 30);
    return status === 200 && (await send(`GET ${path}`)).json.state === 'cancelled';
  },
  'failed-keeps-ready-by': async (send) => {
    const { path } = await started(send, {
      source: { url: 'https://audio.example/letter.txt', seconds: 20 },
    });
    const last = (await watched(send, path)).at(-1)?.data;
    return last?.['state'] === 'failed' && !('ready_by' in last);
  },
  'list-lacks-end-of-cancelled': async (send) => {
    const { list, path } = await cancelled(send);
    const read = (await send(`GET ${path}`)).json;
    return (await send(`GET ${list}`)).json.items[0].ended_at === read.ended_at;
  },
  'second-cancel-moves-end': async (send) => {
    const { path } = await cancelled(send);
    return (await send(`POST ${path}/cancel`)).status === 409;
  },
  'stream-misses-cancel': async (send) => {
    const { path } = await started(send, long);
    const end = async (): Promise<void> => {
      await passed(send, 11);
      await send(`POST ${path}/cancel`);
    };
    const [events] = await Promise.all([watched(send, path), end()]);
    return events.at(-1)?.data['state'] === 'cancelled';
  },
  'stream-of-ended-silent': async (send) => {
    const events = await watched(send, (await cancelled(send)).path);
    return events.map(({ data }) => data['state']).join() === 'cancelled';
  },
  'second-watcher-misses': async (send) => {
    const { path } = await started(send);
    const both = await Promise.all([watched(send, path), watched(send, path)]);
    return both.every((events) => events.at(-1)?.data['state'] === 'completed');
  },
  'reader-retries': async (send) =>
    (await send(`POST ${(await cancelled(send)).path}/retry`, { name: 'Again' }, reader)).status === 403,
  'segments-through-other-project': async (send) =>
    (await send('GET /projects/prj_2/transcriptions/trs_1/segments')).status === 404,
  'deleted-in-filtered-list': async (send) => {
    const { list, path } = await cancelled(send);
    await send(`DELETE ${path}`);
    return (await send(`GET ${list}?language=de`)).json.items.length === 0;
  },
  'deleted-project-still-counts': async (send) => {
    const list = await opened(send);
    await filled(send, list, 'abcdefgh');
    const other = await opened(send, 'other');
    const refused = await submitted(send, other);
    await send(`DELETE ${list.replace('/transcriptions', '')}`);
    return refused.status === 409 && (await submitted(send, other)).status === 202;
  },
  'retry-beyond-bound': async (send) => {
    const { list, path } = await cancelled(send);
    await filled(send, list, 'abcdefgh');
    return (await send(`POST ${path}/retry`, { name: 'Again' })).status === 409;
  },
  'recorded-at-zone-lost': async (send) => {
    const at = '2026-05-01T12:00:00+02:00';
    const { path } = await started(send, { recorded_at: at });
    return (await send(`GET ${path}`)).json.recorded_at === at;
  },
  'empty-vocabulary-refused': async (send) =>
    (await submitted(send, await opened(send), { vocabulary: [] })).status === 202,
  'last-segment-too-long': async (send) => {
    const { json } = await send('GET /projects/prj_1/transcriptions/trs_1/segments');
    return json.items.at(-1).end === 95;
  },
};
