import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Report, Transport, WireResponse } from '../../conformance/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';

/** The document of a laboratory that tests samples one after the other. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Laboratory, version: '1' }
paths:
  /assays:
    get: { operationId: listAssays, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Assay' } } } } } } }
    post:
      operationId: orderAssay
      requestBody: &order { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Order' }, example: { sample: blood, tubes: 2 } } } }
      responses: { '201': &assay { description: The assay., content: { application/json: { schema: { $ref: '#/components/schemas/Assay' } } } }, '400': { description: No. } }
  /assays/batch:
    post:
      operationId: orderAssays
      requestBody: { required: true, content: { application/json: { schema: { type: array, minItems: 1, items: { $ref: '#/components/schemas/Order' } } } } }
      responses: { '200': { description: Each., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Assay' } } } } }, '400': { description: No. } }
  /assays/{assayId}:
    get: { operationId: getAssay, parameters: &id [{ name: assayId, in: path, required: true, schema: { type: ID_TYPE } }], responses: { '200': *assay, '404': { description: None. } } }
  /assays/{assayId}/withdraw:
    post: { operationId: withdrawAssay, parameters: *id, responses: { '200': *assay, '404': { description: None. }, '409': { description: No. } } }
  /assays/{assayId}/feed:
    get: { operationId: watchAssay, parameters: *id, responses: { '200': { description: Live., content: { text/event-stream: { schema: { type: string } } } }, '204': { description: Over. }, '404': { description: None. }, '409': { description: Busy. }, '429': { description: Too many. } } }
  /notes:
    post:
      operationId: leaveNote
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Note' }, example: { text: urgent } } } }
      responses: { '201': { description: Kept., content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
components:
  schemas:
    Order: { type: object, required: [sample], properties: { sample: { type: string }, tubes: { type: integer, minimum: 1, maximum: 9 } } }
    Note: { type: object, properties: { id: { type: integer, readOnly: true }, text: { type: string }, reply: { type: string, readOnly: true } } }
    Assay:
      type: object
      required: [assayId]
      properties:
        assayId: { type: ID_TYPE }
        phase: { enum: [queued, running, reported, withdrawn] }
        sample: { type: string }
        tubes: { type: integer }
        ordered: { type: string, format: date-time }
        begun: { type: [string, 'null'], format: date-time }
        reported_on: { type: [string, 'null'], format: REPORTED }
        keep_until: { type: string, format: KEEP }
        pages: { type: array, items: { type: string } }
        signed: { type: [string, 'null'] }
        log: { type: string }
        links: { type: object }
`;

const SHEET = `
api: lab
contract: '1'
document: 1
policies:
  - { kind: resource, collection: assays, id: { member: assayId }, operations: { create: orderAssay, read: getAssay, list: listAssays, createMany: orderAssays } }
  - { kind: resource, collection: notes, id: { member: id }, operations: { create: leaveNote } }
  - kind: lifecycle
    schema: Assay
    property: phase
    states: [queued, running, reported, withdrawn]
    initial: queued
    terminal: [reported, withdrawn]
    transitions:
      - { from: queued, to: running, on: turn }
      - { from: running, to: reported, on: result }
      - { from: queued, to: withdrawn, on: withdraw }
      - { from: running, to: withdrawn, on: withdraw }
    members: { begun: { in: [running], notIn: [queued] }, signed: { in: [reported], notIn: [queued, running] } }
    times: { order: [ordered, begun, reported_on], expiry: keep_until }
    frozen: [pages, signed, reported_on]
    refusal: { status: 409 }
  - kind: event-stream
    operations: [watchAssay]
    authority: getAssay
    events: { status: phase, progress: heat }
    STREAM
  - { kind: presence, schema: Assay, property: log, operations: [getAssay], onlyWhenTerminal: true }
  - { kind: presence, schema: Note, property: reply, operations: [leaveNote], onlyWhenTerminal: true }
  - { kind: links, schema: Assay, property: links, members: { getAssay: self, watchAssay: feed } }
rules: []
unspecified: []
`;

/** What a laboratory does where its document and its sheet are silent. */
export interface Lab {
  /** How long the one machine works on a usual sample, and on a slow one, in milliseconds. */
  readonly usualMs?: number;
  readonly slowMs?: number;
  readonly queueMs?: number;
  /** Whether an assay is only begun when all before it are ended. */
  readonly isOneByOne?: boolean;
  readonly time?: (ms: number, name: string) => unknown;
  readonly reported?: 'date' | 'date-time';
  readonly keep?: 'date' | 'date-time';
  readonly keepMs?: number;
  readonly id?: (number: number) => string | number;
  readonly link?: (path: string, id: string | number) => string;
  readonly shown?: (assay: Record<string, unknown>, by: string) => Record<string, unknown>;
  /** After how long an ended assay cannot be seen any more. */
  readonly goneMs?: number;
  readonly withdrawsAfterMs?: number;
  readonly refusal?: (state: string) => number;
  readonly noteShown?: (note: Record<string, unknown>) => Record<string, unknown>;
  readonly listAgeMs?: number;
  readonly stream?: {
    readonly everyMs?: number;
    readonly isSilentAtFirst?: boolean;
    readonly progressMs?: number;
    readonly progressFirst?: boolean;
    readonly afterEnd?: 'usual' | 'nothing' | 204 | 404;
    readonly endsNextTurn?: boolean;
    readonly most?: number;
    readonly mostStatus?: number;
    readonly before?: string;
    readonly statusOnly?: boolean;
    readonly repeats?: boolean;
  };
}

/** The report, and how many requests were sent. */
export interface Judged {
  readonly report: Report;
  readonly calls: number;
}

/** Judges a laboratory by what is about things, lives, streams and links, with all permissions and occasions. */
export async function judgeLab(lab: Lab, facts: readonly string[]): Promise<Judged> {
  const clock = virtualClock({ startAt: Date.parse('2026-03-05T22:59:57.250Z') });
  interface One {
    n: number;
    at: number;
    sample: string;
    tubes?: number;
    withdrawnAt?: number;
    begunAt: number;
    endAt: number;
  }
  const all: One[] = [];
  let calls = 0;
  let open = 0;
  let listed: { at: number; body: unknown } | undefined;
  const idOf = lab.id ?? ((n: number) => n);
  const time = lab.time ?? ((ms: number) => new Date(ms).toISOString());
  const { stream = {} } = lab;
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const json = (status: number, value?: unknown, headers: [string, string][] = []): WireResponse => ({
    status,
    headers: [
      ...(value === undefined ? [] : [['Content-Type', 'application/json'] as [string, string]]),
      ...headers,
    ],
    body: (async function* () {
      if (value !== undefined) yield encode(JSON.stringify(value));
    })(),
  });
  const endOf = (one: One): number => Math.min(one.endAt, one.withdrawnAt ?? Infinity);
  const phase = (one: One, now: number): string =>
    now >= (one.withdrawnAt ?? Infinity)
      ? 'withdrawn'
      : now >= one.endAt
        ? 'reported'
        : now >= one.begunAt
          ? 'running'
          : 'queued';
  const show = (one: One, by: string, now = clock.now()): Record<string, unknown> => {
    const state = phase(one, now);
    const id = idOf(one.n);
    const isBegun = now >= one.begunAt && (one.withdrawnAt ?? Infinity) > one.begunAt;
    const link =
      lab.link ??
      ((path: string, own: string | number) => `/assays/${encodeURIComponent(String(own))}${path}`);
    const value = {
      assayId: id,
      phase: state,
      sample: one.sample,
      ...(one.tubes === undefined ? {} : { tubes: one.tubes }),
      ordered: time(one.at, 'ordered'),
      begun: isBegun ? time(one.begunAt, 'begun') : null,
      reported_on:
        state === 'reported'
          ? lab.reported === 'date'
            ? new Date(one.endAt).toISOString().slice(0, 10)
            : time(one.endAt, 'reported_on')
          : null,
      keep_until:
        lab.keep === 'date'
          ? new Date(one.at + (lab.keepMs ?? 3_600_000)).toISOString().slice(0, 10)
          : time(one.at + (lab.keepMs ?? 3_600_000), 'keep_until'),
      pages: state === 'reported' ? ['1', '2'] : [],
      signed: state === 'reported' ? 'Dr. Who' : null,
      links: { self: link('', id), feed: link('/feed', id) },
      ...(by === 'get' && (state === 'reported' || state === 'withdrawn') ? { log: 'all of it' } : {}),
      station: 'north',
    };
    return lab.shown?.(value, by) ?? value;
  };
  const order = ({ sample, tubes }: { sample: string; tubes?: number }): One => {
    const now = clock.now();
    const free = lab.isOneByOne === true ? Math.max(now, ...all.map(endOf)) : now;
    const begunAt = free + (lab.queueMs ?? 600);
    const one: One = {
      n: all.length + 1,
      at: now,
      sample,
      ...(tubes === undefined ? {} : { tubes }),
      begunAt,
      endAt: begunAt + (sample === 'bone' ? (lab.slowMs ?? 12_000) : (lab.usualMs ?? 1500)),
    };
    all.push(one);
    return one;
  };
  let notes = 0;
  const transport: Transport = async ({ method, target, body, headers, signal }) => {
    calls += 1;
    const [, root, id = '', action] = (target.split('?')[0] ?? '').split('/');
    const now = clock.now();
    const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
    if (type !== undefined && !/^application\/json\b/i.test(type)) return json(415);
    const text = Buffer.from(body ?? []).toString();
    let sent: unknown;
    try {
      sent = text === '' ? undefined : JSON.parse(text);
    } catch {
      return json(400);
    }
    const isOrder = (value: unknown): value is { sample: string; tubes?: number } => {
      const { sample, tubes } = (value ?? {}) as Record<string, unknown>;
      return (
        typeof value === 'object' &&
        !Array.isArray(value) &&
        typeof sample === 'string' &&
        (tubes === undefined || (Number.isInteger(tubes) && Number(tubes) >= 1 && Number(tubes) <= 9))
      );
    };
    if (root === 'notes') {
      if (
        typeof sent !== 'object' ||
        sent === null ||
        Array.isArray(sent) ||
        !['string', 'undefined'].includes(typeof (sent as { text: unknown }).text)
      )
        return json(400);
      const note = { id: ++notes, ...(sent as object) };
      return json(201, lab.noteShown?.(note) ?? note);
    }
    if (root !== 'assays') return json(404);
    if (id === '') {
      if (method === 'GET') {
        if (listed === undefined || now - listed.at >= (lab.listAgeMs ?? 0))
          listed = {
            at: now,
            body: all
              .filter((one) => now < endOf(one) + (lab.goneMs ?? Infinity))
              .map((one) => show(one, 'list')),
          };
        return json(200, listed.body);
      }
      return isOrder(sent) ? json(201, show(order(sent), 'post')) : json(400);
    }
    if (id === 'batch' && method === 'POST')
      return Array.isArray(sent) && sent.length > 0 && sent.every(isOrder)
        ? json(
            200,
            sent.map((one) => show(order(one), 'batch')),
          )
        : json(400);
    const one = all.find(({ n }) => String(idOf(n)) === decodeURIComponent(id));
    if (
      one === undefined ||
      now >= endOf(one) + (lab.goneMs ?? Infinity) ||
      now > one.at + (lab.keepMs ?? 3_600_000)
    )
      return json(404);
    if (action === undefined) return json(200, show(one, 'get'));
    if (action === 'withdraw') {
      const state = phase(one, now);
      if (one.withdrawnAt !== undefined || !['queued', 'running'].includes(state))
        return json(lab.refusal?.(state) ?? 409);
      one.withdrawnAt = now + (lab.withdrawsAfterMs ?? 0);
      return json(200, show(one, 'withdraw'));
    }
    if (action !== 'feed') return json(404);
    if (open >= (stream.most ?? Infinity)) return json(stream.mostStatus ?? 429);
    const isOver = (at: number): boolean => at >= endOf(one);
    if (isOver(now) && typeof stream.afterEnd === 'number') return json(stream.afterEnd);
    open += 1;
    return {
      status: 200,
      headers: [['Content-Type', 'text/event-stream; charset=utf-8']],
      body: sending(one, signal),
    };
    async function* sending(one: One, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
      const frame = (at: number): string => {
        const value = show(one, 'event', at);
        return `event: phase\r\ndata: ${JSON.stringify(stream.statusOnly === true ? { phase: value['phase'] } : value)}\r\n\r\n`;
      };
      try {
        let from = clock.now();
        let told = phase(one, from);
        if (stream.before !== undefined) yield encode(stream.before);
        if (isOver(from) && stream.afterEnd === 'nothing') return;
        if (stream.isSilentAtFirst !== true) yield encode(frame(from));
        while (!isOver(from)) {
          await clock.sleep(stream.everyMs ?? 100, signal);
          const now = clock.now();
          const moments = [one.begunAt, endOf(one)].filter((at) => at > from && at <= now);
          if (moments.length === 0 && phase(one, now) !== told) moments.push(now);
          told = phase(one, now);
          const states = moments.map((at) => frame(at));
          const heats: string[] = [];
          if (stream.progressMs !== undefined)
            for (let at = one.begunAt + stream.progressMs; at < endOf(one); at += stream.progressMs)
              if (at > from && at <= now)
                heats.push(`event: heat\ndata: {"part":${String(at - one.begunAt)}}\n\n`);
          for (const text of stream.progressFirst === true ? [...heats, ...states] : [...states, ...heats]) {
            await clock.sleep(2, signal);
            yield encode(text);
            if (stream.repeats === true) yield encode(text);
          }
          from = now;
        }
        if (stream.endsNextTurn === true) await clock.sleep(stream.everyMs ?? 100, signal);
      } finally {
        open -= 1;
      }
    }
  };
  const read = readFixtures(
    JSON.stringify({
      occasions: {
        orderAssay: {
          slow: { body: { sample: 'bone' }, minMs: 8000 },
          ending: { body: { sample: 'hair' }, ends: 'reported' },
        },
      },
    }),
    {},
  );
  if (!read.ok) throw new Error(JSON.stringify(read.diagnostics));
  const numeric = typeof idOf(1) === 'number';
  const document = DOCUMENT.replaceAll('ID_TYPE', numeric ? 'integer' : 'string')
    .replace('REPORTED', lab.reported ?? 'date-time')
    .replace('KEEP', lab.keep ?? 'date-time');
  const report = await runConformance({
    contracts: [await own('lab', document, SHEET.replace('STREAM', facts.join('\n    ')))],
    baseUrl: 'http://localhost',
    allow: permissions,
    rules: ['resource.*', 'lifecycle.*', 'event-stream.*', 'presence.*', 'links.*'],
    ...{ transport, clock, fixtures: read.fixtures },
  });
  return { report, calls };
}
