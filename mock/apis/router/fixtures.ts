import { durationMs } from '../../../contract/policies/duration.ts';
import { mockKeyPrefix, MOCK_JWT } from '../../call/caller.ts';
import type { Fixtures } from '../../fixtures.ts';
import { SLOW_MS } from './scenarios.ts';
import type { Router } from './context.ts';
import { CursorSeal } from './cursor-seal.ts';

/** The fixtures of the router for the suite. */
export function routerFixtures({ facts, assume, deadlineMs }: Router): Fixtures {
  const { credentials, deadline, buckets } = facts;
  const statusUnavailable = assume('A-06').status[buckets.roles.unavailable];
  const key = (name: string): string => `${mockKeyPrefix(credentials)}${name}`;
  const ok = key('ok');
  const model = (name: string, input: object = {}): object => ({ id: `mock/${name}`, input });
  const picture = { prompt: 'a lighthouse at dusk', seed: 7 };
  const echo = { prompt: 'a lighthouse at dusk', layers: [{ opacity: 0.5 }], note: null };
  return {
    deadlineMs: deadlineMs ?? durationMs(deadline.default),
    cred: {
      valid: { header: credentials.keyHeader, value: ok },
      apiKey: ok,
      jwt: MOCK_JWT,
      forbidden: key('forbidden'),
      secondAccount: key('ok+second'),
    },
    capabilities: { keyAsBearer: true },
    // A cursor that was valid in an earlier mock.
    cursor: { expired: new CursorSeal().close('acme/echo-1') },
    account: { noCredits: key('no-credits') },
    concurrency: { bound: 1, cred: key('one-slot'), id: 'mock/slow', input: {} },
    spend: { bound: { cents: 100, cred: key('spend-100'), id: 'mock/slow', input: {}, calls: 2 } },
    model: {
      ok: model('ok', picture),
      echo: {
        id: 'acme/echo-1',
        input: echo,
        expectedOutput: echo,
        rawInput: '{"n":1.0,"big":12345678901234567890,"z":null,"a":"\\u00e9"}',
        rawOutput: '{"n":1.0,"big":12345678901234567890,"z":null,"a":"\\u00e9"}',
      },
      slow: { ...model('slow'), minMs: SLOW_MS },
      reject422: {
        ...model('invalid-image', { image: 'no picture', layers: [{ opacity: 0.5 }, { opacity: 7 }] }),
        single: { image: 'no picture' },
        expectedFailures: 2,
      },
      policy: model('policy-refused-unbilled'),
      deadline: model('deadline-exceeded'),
      providerTimeout: model('provider-timeout'),
      '5xx': model('provider-error'),
      ...(statusUnavailable === 503 ? { '503': model('unavailable') } : {}),
      '425': model('too-early'),
      hugeOutput: model('unreplayable'),
      noSchema: model('no-schema'),
      creditsHeader: model('credits-header'),
      unreleased: 'mock/hidden',
      unknown: 'mock/no-such-model',
      unknownProvider: 'no-such-provider/no-such-model',
    },
  };
}
