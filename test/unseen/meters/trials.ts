import type { Seen, Send, Trial } from '../trial.ts';

const device = { name: 'Trial', kind: 'meter', site: 'trial', limit_w: 100_000 };
const reading = { at: '2026-03-01T12:00:00Z', watts: 10, minutes: 15 };
const another = { 'X-Key': 'key-of-another' };

const register = async (send: Send, more: object = {}): Promise<Seen> =>
  send('POST /devices', { ...device, ...more });
const tag = (seen: Seen): string => seen.headers.get('etag') ?? '';
const raise = async (send: Send): Promise<{ readonly device: string; readonly alarm: string }> => {
  const { id } = (await register(send)).json;
  const { json } = await send('POST /alarms', { device_id: id, severity: 'info' });
  return { device: id, alarm: json.id };
};

/** For each fault that the suite does not notice, calls that show it. */
export const meterTrials: Readonly<Record<string, Trial>> = {
  'filters-either': async (send) => {
    await register(send, { kind: 'charger' });
    const { json } = await send('GET /devices?kind=meter&site=trial');
    return json.items.length === 0;
  },
  'largest-page-short': async (send) => {
    for (let count = 3; count < 50; count += 1) await register(send);
    const { json } = await send('GET /devices?limit=50');
    return json.items.length === 50;
  },
  'reading-keeps-tag': async (send) => {
    const made = await register(send);
    await send(`POST /devices/${made.json.id}/readings`, reading);
    const again = await send(`GET /devices/${made.json.id}`, undefined, { 'If-None-Match': tag(made) });
    return again.status === 200;
  },
  'refused-patch-stored': async (send) => {
    const made = await register(send);
    await send(`PATCH /devices/${made.json.id}`, { name: 'Changed', limit_w: -1 }, { 'If-Match': tag(made) });
    return (await send(`GET /devices/${made.json.id}`)).json.name === 'Trial';
  },
  'versions-race': async (send) => {
    const made = await register(send);
    const patch = (name: string): Promise<Seen> =>
      send(`PATCH /devices/${made.json.id}`, { name }, { 'If-Match': tag(made) });
    const both = await Promise.all([patch('one'), patch('two')]);
    return both.filter(({ status }) => status === 200).length === 1;
  },
  'removal-keeps-alarms': async (send) => {
    const { device: id, alarm } = await raise(send);
    const { headers } = await send(`GET /devices/${id}`);
    await send(`DELETE /devices/${id}`, undefined, { 'If-Match': headers.get('etag') ?? '' });
    return (await send(`GET /alarms/${alarm}`)).status === 404;
  },
  'device-filter-leaks': async (send) => {
    const { device: id } = await raise(send);
    return (await send(`GET /alarms?device_id=${id}`, undefined, another)).json.items.length === 0;
  },
  'window-end-inclusive': async (send) => {
    const { id } = (await register(send)).json;
    await send(`POST /devices/${id}/readings`, reading);
    return (await send(`GET /devices/${id}/readings?to=${reading.at}`)).json.items.length === 0;
  },
  'zone-ignored': async (send) => {
    const { id } = (await register(send)).json;
    const { json } = await send(`POST /devices/${id}/readings`, {
      ...reading,
      at: '2026-03-01T12:00:00+02:00',
    });
    return Date.parse(json.at) === Date.parse('2026-03-01T10:00:00Z');
  },
  'energy-cut-off': async (send) => {
    const { id } = (await register(send)).json;
    const { json } = await send(`POST /devices/${id}/readings`, { ...reading, watts: 10, minutes: 10 });
    return json.energy_wh === 1.7;
  },
  'second-acknowledgement-moves-time': async (send) => {
    const { alarm } = await raise(send);
    const { json } = await send(`POST /alarms/${alarm}/acknowledge`);
    await send(`POST /alarms/${alarm}/acknowledge`);
    return (await send(`GET /alarms/${alarm}`)).json.acknowledged_at === json.acknowledged_at;
  },
  'stream-loses-end': async (send) => {
    const { alarm } = await raise(send);
    await send(`POST /alarms/${alarm}/acknowledge`);
    const stream = send(`GET /alarms/${alarm}/events`);
    // A whole call takes longer than the first event of the stream.
    await send(`GET /alarms/${alarm}`);
    await send(`POST /alarms/${alarm}/resolve`, { resolution: 'mended' });
    return (await stream).text.includes('"resolved"');
  },
  'large-watts-as-text': async (send) => {
    const { id } = (await register(send)).json;
    const { json } = await send(`POST /devices/${id}/readings`, { ...reading, watts: 100_000 });
    return typeof json.watts === 'number';
  },
};
