import type { Illness } from './illness.ts';
import { quickPermissions } from './judge.ts';
import { cutting, floodBody, floodEvents, nesting, oneIn, raw, reset, zipping } from './symptoms.ts';

const all = { allow: quickPermissions };

/** Connections that break, and bodies that are too much. */
export const framing: readonly Illness[] = [
  {
    name: 'cuts every 404 short',
    apis: ['router'],
    symptom: () => cutting(({ status }) => status === 404),
    exit: 1,
    finding: {
      kind: 'broken',
      says: /^Every 404 response of the router API arrives incomplete: \d+ cut short/,
    },
  },
  {
    name: 'cuts one in ten bodies short',
    apis: ['router'],
    symptom: () => {
      const isHit = oneIn(10);
      return cutting(({ body }) => body.length > 0 && isHit());
    },
    exit: 3,
    finding: { kind: 'disturbed', says: /^\d+ of \d+ requests got no complete response: \d+ cut short/ },
  },
  {
    name: 'cuts every body short',
    apis: ['router'],
    symptom: () => cutting(({ body }) => body.length > 0),
    exit: 3,
    status: 'unreachable',
    finding: { kind: 'unreachable', says: /does not respond: status 200, then the connection was closed/ },
  },
  {
    name: 'sends two different lengths',
    apis: ['router'],
    symptom: () =>
      raw(({ body }) => [`Content-Length: ${body.length}`, `Content-Length: ${body.length + 1}`]),
    exit: 3,
    status: 'unreachable',
    finding: { kind: 'unreachable', says: /status 200, then the Content-Length headers differ: \d+ and \d+/ },
  },
  {
    name: 'sends its length twice',
    apis: ['router'],
    symptom: () => raw(({ body }) => [`Content-Length: ${body.length}`, `Content-Length: ${body.length}`]),
    exit: 0,
    finding: { kind: 'doubt', says: /^\d+ responses have several Content-Length headers/ },
  },
  {
    name: 'compresses every body unasked',
    apis: ['router'],
    symptom: () => zipping,
    exit: 0,
    finding: { kind: 'doubt', says: /^\d+ of \d+ responses were compressed \(gzip\)/ },
  },
  {
    name: 'resets one connection',
    apis: ['router'],
    symptom: () => (call) => (call.count === 30 ? reset(call) : call.pass()),
    exit: 0,
    finding: { kind: 'doubt', says: /^1 of \d+ requests got no complete response/ },
  },
  {
    name: 'resets one connection in four',
    apis: ['router'],
    symptom: () => {
      const isHit = oneIn(4);
      return (call) => (isHit() ? reset(call) : call.pass());
    },
    exit: 3,
    finding: { kind: 'disturbed', says: /^\d+ of \d+ requests got no complete response/ },
  },
  {
    name: 'resets the connection on one input',
    apis: ['router'],
    symptom: () => (call) => (call.target.endsWith('limit=101') ? reset(call) : call.pass()),
    exit: 1,
    finding: { kind: 'broken', says: /^GET \/v1\/models\?limit=101 never gets a complete response/ },
  },
  {
    name: 'streams events of 60 kB without end',
    apis: ['jobs'],
    symptom: () => (call) => (call.target.endsWith('/events') ? floodEvents(call) : call.pass()),
    // Each stream of these takes the size limit of the suite.
    run: { allow: ['jobs'], rules: ['jobs.sse.unknown-job', 'jobs.sse.connect-terminal'] },
    exit: 1,
    finding: { kind: 'broken', says: /responses are larger than the limit of the suite/ },
    breaks: ['jobs.sse.unknown-job'],
    breaksInTime: ['jobs.sse.connect-terminal'],
  },
  {
    name: 'sends bodies without end',
    apis: ['router'],
    symptom: () => (call) => (call.target.includes('openapi.json') ? floodBody(call) : call.pass()),
    exit: 1,
    finding: { kind: 'broken', says: /responses are larger than the limit of the suite/ },
    breaks: ['router.schema.200', 'router.schema.404', 'router.headers.request-id', 'router.auth.required'],
    breaksInTime: ['router.run.403-forbidden'],
  },
  {
    name: 'nests its JSON 3000 levels deep',
    apis: ['router', 'registry', 'jobs'],
    symptom: () => nesting(3000),
    run: all,
    exit: 1,
    finding: { kind: 'broken', says: /nests deeper than 500 levels/ },
  },
  {
    name: 'nests its JSON 400 levels deep',
    apis: ['router', 'registry', 'jobs'],
    symptom: () => nesting(400),
    run: all,
    exit: 1,
    finding: undefined,
    breaks: ['router.run.output-unchanged', 'router.run.body-forwarded'],
  },
];
