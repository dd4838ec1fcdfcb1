import type { Finding, Report } from '../../../conformance/index.ts';
import type { MockOptions } from '../../../mock/index.ts';
import type { Symptom } from './front.ts';
import { quickPermissions } from './judge.ts';
import type { JudgeOptions } from './judge.ts';
import {
  TOKEN,
  cutting,
  floodBody,
  floodEvents,
  gatewayPage,
  limited,
  nesting,
  oneIn,
  raw,
  reset,
  silent,
  unauthorised,
  unavailable,
} from './symptoms.ts';

/** A server that is not well, and what a run has to say about it. */
export interface Illness {
  readonly name: string;
  /** Made for each run, so that it can count. */
  readonly symptom: () => Symptom;
  readonly mock?: MockOptions;
  readonly apis: readonly ('router' | 'registry' | 'jobs')[];
  readonly run?: JudgeOptions;
  readonly exit: 0 | 1 | 2 | 3;
  readonly status?: Report['status'];
  /** The first finding. */
  readonly finding: { readonly kind: Finding['kind']; readonly says: RegExp } | undefined;
  /** Rules that the server does break; no other may fail. */
  readonly breaks?: readonly string[];
  /** Whether it takes more than some seconds. */
  readonly slow?: true;
}

const all = { allow: quickPermissions };
const deadline = { deadlineMs: 1000 };

export const illnesses: readonly Illness[] = [
  {
    name: 'is well',
    apis: ['router', 'registry'],
    symptom: () => (call) => call.pass(),
    run: all,
    exit: 0,
    finding: undefined,
  },
  {
    name: 'dies at the 40th request',
    apis: ['router', 'registry'],
    symptom: () => (call) => (call.count < 40 ? call.pass() : call.die()),
    exit: 3,
    status: 'unreachable',
    finding: {
      kind: 'stopped',
      says: /stopped answering after x\d{4} (?:GET|POST) \/.* answered with \d{3}: x\d{4} (?:GET|POST) \/.* got no response of the API: .*(?:closed|ECONN)/,
    },
  },
  {
    name: 'dies when a keyed call is dropped',
    apis: ['router'],
    symptom: () => (call) => {
      if (call.request.headers['idempotency-key'] !== undefined)
        call.response.once('close', () => {
          if (!call.response.writableFinished) call.die();
        });
      return call.pass();
    },
    mock: deadline,
    run: { allow: ['billed', 'slow'] },
    exit: 3,
    status: 'unreachable',
    finding: { kind: 'stopped', says: /stopped answering after x\d{4} POST \S+, which the suite dropped/ },
  },
  {
    name: 'never answers a run',
    apis: ['router'],
    symptom: () => silent((call) => call.method === 'POST' && call.target.startsWith('/v1/models/')),
    mock: deadline,
    run: { ...all, timeoutMs: 1000 },
    exit: 1,
    finding: { kind: 'broken', says: /^POST \/v1\/models\/\{id\} never answers, while other operations do/ },
    breaks: ['router.run.504-deadline'],
  },
  {
    name: 'never answers a run that outlasts the deadline',
    apis: ['router'],
    symptom: () => silent((call) => call.method === 'POST' && call.target.includes('deadline')),
    mock: deadline,
    run: { allow: ['billed', 'slow'], rules: ['router.run.504-deadline'] },
    exit: 1,
    finding: { kind: 'doubt', says: /^1 of 3 requests got no whole response: .* within 3 s/ },
    breaks: ['router.run.504-deadline'],
  },
  {
    name: 'never answers a submit',
    apis: ['jobs'],
    symptom: () => silent((call) => call.method === 'POST' && call.target.endsWith('/jobs')),
    mock: deadline,
    run: { ...all, timeoutMs: 1000 },
    exit: 1,
    finding: { kind: 'broken', says: /^POST \/api\/v2\/jobs never answers/ },
  },
  {
    name: 'never answers a publication',
    apis: ['registry'],
    symptom: () => silent((call) => call.method === 'POST' && call.target.endsWith('/versions')),
    mock: deadline,
    run: { ...all, timeoutMs: 1000 },
    exit: 1,
    finding: { kind: 'broken', says: /^POST \/publishers\/\S+ never answers/ },
  },
  {
    name: 'never answers a schema document',
    apis: ['router'],
    symptom: () => silent((call) => call.target.includes('openapi.json')),
    run: { timeoutMs: 300 },
    exit: 1,
    finding: { kind: 'broken', says: /^GET \/v1\/models\/\{id\}\/openapi\.json never answers/ },
  },
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
    finding: { kind: 'disturbed', says: /^\d+ of \d+ requests got no whole response: \d+ cut short/ },
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
    name: 'resets one connection',
    apis: ['router'],
    symptom: () => (call) => (call.count === 30 ? reset(call) : call.pass()),
    exit: 0,
    finding: { kind: 'doubt', says: /^1 of \d+ requests got no whole response/ },
  },
  {
    name: 'resets one connection in four',
    apis: ['router'],
    symptom: () => {
      const isHit = oneIn(4);
      return (call) => (isHit() ? reset(call) : call.pass());
    },
    exit: 3,
    finding: { kind: 'disturbed', says: /^\d+ of \d+ requests got no whole response/ },
  },
  {
    name: 'resets the connection on one input',
    apis: ['router'],
    symptom: () => (call) => (call.target.endsWith('limit=101') ? reset(call) : call.pass()),
    exit: 1,
    finding: { kind: 'broken', says: /^GET \/v1\/models\?limit=101 gets no whole response, however often/ },
  },
  {
    name: 'is behind a gateway that fails for one request in twenty',
    apis: ['router'],
    symptom: () => {
      const isHit = oneIn(20);
      return (call) => (isHit() ? gatewayPage(call) : call.pass());
    },
    exit: 0,
    finding: {
      kind: 'doubt',
      says: /^\d+ of \d+ requests were answered by something before the API: \d+ not by the API \(x\d+: 50[23] text\/html\)/,
    },
  },
  {
    name: 'is behind a gateway that never reaches it',
    apis: ['router', 'registry', 'jobs'],
    symptom: () => gatewayPage,
    run: all,
    exit: 3,
    status: 'not-served',
    finding: {
      kind: 'not-served',
      says: /^Something before the API at \S+ answers: GET \/v1\/models returned 50[23] text\/html/,
    },
  },
  {
    name: 'dies behind a gateway',
    apis: ['router'],
    symptom: () => (call) => (call.count < 40 ? call.pass() : gatewayPage(call)),
    exit: 3,
    status: 'unreachable',
    finding: {
      kind: 'stopped',
      says: /stopped answering after .* no response of the API: 50[23] text\/html/,
    },
  },
  {
    name: 'makes its gateway fail on one input',
    apis: ['router'],
    symptom: () => (call) => (call.target.endsWith('limit=101') ? gatewayPage(call) : call.pass()),
    exit: 1,
    finding: { kind: 'broken', says: /^GET \/v1\/models\?limit=101 gets no whole response, however often/ },
  },
  {
    name: 'is behind a limiter that refuses every third request',
    apis: ['router'],
    symptom: () => {
      const isHit = oneIn(3);
      return (call) => (isHit() ? limited(call) : call.pass());
    },
    run: { allow: ['negatives', 'billed'], rules: ['router.run.*', 'router.idem.*'] },
    exit: 3,
    finding: { kind: 'disturbed', says: /^\d+ of \d+ requests were refused by a rate limit/ },
  },
  {
    name: 'is behind a limiter that refuses everything',
    apis: ['jobs'],
    symptom: () => limited,
    exit: 3,
    status: 'not-served',
    finding: {
      kind: 'not-served',
      says: /^Something before the API at \S+ answers: .* returned 429 text\/plain/,
    },
  },
  {
    name: 'lets its token expire after 60 requests',
    apis: ['router', 'registry', 'jobs'],
    symptom: () => (call) =>
      call.count > 60 && call.request.headers.authorization === `Bearer ${TOKEN}`
        ? unauthorised(call)
        : call.pass(),
    run: { ...all, fixtures: { cred: { valid: { header: 'Authorization', value: `Bearer ${TOKEN}` } } } },
    exit: 3,
    finding: {
      kind: 'disturbed',
      says: /^The credential cred\.valid was accepted for x\d+ and is refused since x\d+: GET \S+ returned 401/,
    },
  },
  {
    name: 'refuses a declared JWT',
    apis: ['router', 'registry'],
    symptom: () => (call) =>
      call.request.headers.authorization?.startsWith('Bearer eyJ') === true
        ? unauthorised(call)
        : call.pass(),
    run: all,
    exit: 2,
    finding: { kind: 'fixture', says: /^fixture cred\.jwt: it was refused: GET \/v1\/models returned 401/ },
    breaks: ['router.auth.jwt'],
  },
  {
    name: 'answers 503 in its own form after the first request',
    apis: ['router'],
    symptom: () => (call) => (call.count === 1 ? call.pass() : unavailable(call)),
    run: { rules: ['router.list.*'] },
    exit: 3,
    finding: {
      kind: 'disturbed',
      says: /^\d+ of \d+ requests were refused because the server is not available/,
    },
  },
  {
    name: 'answers nothing after half of the run',
    apis: ['router'],
    symptom: () => (call) => (call.count < 60 ? call.pass() : undefined),
    run: { timeoutMs: 300 },
    exit: 3,
    status: 'unreachable',
    finding: { kind: 'stopped', says: /stopped answering after .*no complete response within 0.3 s/ },
  },
  {
    name: 'streams events of 60 kB without end',
    apis: ['jobs'],
    symptom: () => (call) => (call.target.endsWith('/events') ? floodEvents(call) : call.pass()),
    run: { allow: ['jobs'], rules: ['jobs.sse.*', 'jobs.read.*'] },
    exit: 1,
    finding: { kind: 'broken', says: /responses are larger than what the suite reads/ },
    breaks: ['jobs.sse.unknown-job'],
  },
  {
    name: 'sends bodies without end',
    apis: ['router'],
    symptom: () => (call) => (call.target.includes('openapi.json') ? floodBody(call) : call.pass()),
    exit: 1,
    finding: { kind: 'broken', says: /responses are larger than what the suite reads/ },
    breaks: ['router.schema.404', 'router.headers.request-id'],
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
    breaks: ['router.run.output-unchanged'],
  },
];
