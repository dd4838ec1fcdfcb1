import type { Illness } from './illness.ts';
import { quickPermissions } from './judge.ts';
import { TOKEN, gatewayPage, limited, oneIn, unauthorised, unavailable } from './symptoms.ts';

const all = { allow: quickPermissions };

/** Answers of something else than the API, and credentials that are not taken. */
export const bystanders: readonly Illness[] = [
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
    finding: { kind: 'broken', says: /^GET \/v1\/models\?limit=101 never gets a complete response/ },
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
    name: 'has no registry at its address',
    apis: ['router', 'registry'],
    symptom: () => (call) =>
      call.target.startsWith('/v1/')
        ? call.pass()
        : void call.response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>'),
    run: all,
    exit: 3,
    finding: {
      kind: 'not-served',
      says: /^POST \/\S+ is not served here: each of \d+ requests returned 404/,
    },
  },
  {
    name: 'answers a bare 500 to one input',
    apis: ['router'],
    symptom: () => (call) =>
      call.target.endsWith('limit=101') ? void call.response.writeHead(500).end() : call.pass(),
    exit: 1,
    finding: undefined,
    breaks: [
      'router.errors.body-shape',
      'router.headers.error-type',
      'router.headers.request-id',
      'router.list.limit-clamped',
    ],
  },
];
