import type { Illness } from './illness.ts';
import { quickPermissions } from './judge.ts';
import { silent } from './symptoms.ts';
import { pause } from '../../until.ts';

const all = { allow: quickPermissions };
const deadline = { deadlineMs: 1000 };

/** Servers that end, or keep silent, and runs that end. */
export const endings: readonly Illness[] = [
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
    finding: {
      kind: 'broken',
      says: /^POST \/v1\/models\/\{provider\}\/\{model\} never answers, while other operations do/,
    },
    breaks: ['router.run.504-deadline'],
  },
  {
    name: 'never answers a run that outlasts the deadline',
    apis: ['router'],
    symptom: () => silent((call) => call.method === 'POST' && call.target.includes('deadline')),
    mock: deadline,
    run: { allow: ['billed', 'slow'], rules: ['router.run.504-deadline'] },
    exit: 1,
    // With and without a key, each run of this rule alone is silent.
    finding: {
      kind: 'broken',
      says: /^POST \/v1\/models\/\{provider\}\/\{model\} never answers, .*: 2 without .* within 3 s/,
    },
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
    finding: {
      kind: 'broken',
      says: /^GET \/v1\/models\/\{provider\}\/\{model\}\/openapi\.json never answers/,
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
    name: 'is well, and the run has too little time',
    apis: ['router'],
    symptom: () => async (call) => {
      await pause(50);
      await call.pass();
    },
    run: { budgetMs: 500 },
    exit: 3,
    finding: {
      kind: 'disturbed',
      says: /^The time budget of 0.5 s is used up: \d+ of \d+ scenarios did not end/,
    },
  },
  {
    name: 'is well, and the budget ends in a wait of hours',
    apis: ['router', 'jobs'],
    symptom: () => (call) => call.pass(),
    run: {
      allow: ['billed', 'jobs', 'long'],
      rules: ['router.idem.record-24h', 'jobs.idem.expires-24h'],
      budgetMs: 9000,
    },
    exit: 3,
    finding: {
      kind: 'disturbed',
      says: /^The time budget of 9 s is used up: [12] of \d+ scenarios did not end/,
    },
  },
];
