import type { Finding, Report } from '../../../conformance/index.ts';
import type { MockOptions } from '../../../mock/index.ts';
import type { Symptom } from './front.ts';
import { quickPermissions } from './judge.ts';
import type { JudgeOptions } from './judge.ts';

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
      says: /stopped answering after x\d{4} (?:GET|POST) \/.* answered with \d{3}: x\d{4} (?:GET|POST) \/.* got no response: .*(?:closed|ECONN)/,
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
];
