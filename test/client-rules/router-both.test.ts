import { expect, onTestFinished, test } from 'vitest';
import {
  chargesOnPolicyRejectionIsPossible,
  createRouter,
  isReplay,
  readChargesOnPolicyRejection,
  settle,
  type ConnectionOptions,
  type RouterClient,
  type RouterErrorResponse,
} from '../../generated/router/index.ts';
import { runModelFailure } from '../../generated/router/failures.ts';
import { errorOf, mockModel, world, type World } from './in-process.ts';

const BUCKET = 'X-Service-Error-Type';

function client(
  here: World,
  key = 'service-mock-ok',
  options: Partial<ConnectionOptions> = {},
): RouterClient {
  return createRouter({ ...here.connection, credentials: { ApiKeyAuth: key }, ...options });
}

interface Proof {
  readonly outcome: string;
  /** What a caller sees of a server. */
  readonly see: (here: World) => Promise<unknown>;
  readonly kept: unknown;
  /** The way in which a server breaks the rule, and what a caller sees then. */
  readonly breaks: string;
  readonly broken: unknown;
}

/** Rules that a server keeps and a client relies on. */
const proofs: Readonly<Record<string, Proof>> = {
  'router.list.cursor-iff-more': {
    outcome: 'a walk goes on as long as there is more, and never past a page that cannot say where',
    async see(here) {
      const ends: unknown[] = [];
      try {
        for await (const { data } of client(here).listModels.pages({ limit: 5 }))
          ends.push([data.has_more, typeof data.next_cursor]);
      } catch (error) {
        return error instanceof TypeError ? 'there is more, and nobody knows where' : error;
      }
      return { pages: ends.length === here.sent.length && ends.length > 1, last: ends.at(-1) };
    },
    kept: { pages: true, last: [false, 'undefined'] },
    breaks: 'missing',
    broken: 'there is more, and nobody knows where',
  },
  'router.detail.policy-charge-string': {
    outcome: 'a string says whether a refusal is charged; nothing else is read as a no',
    async see(here) {
      const { data } = await client(here).getModel({ provider: 'acme', model: 'easel-2.1' });
      const value: unknown = data.billing.charges_on_policy_rejection;
      return [value, readChargesOnPolicyRejection(data), chargesOnPolicyRejectionIsPossible(data)];
    },
    kept: ['no', 'no', false],
    breaks: 'boolean',
    broken: [false, 'unknown', true],
  },
  'router.run.422-bucket-header': {
    outcome: 'the class of a refused input comes from the header, since its body names no bucket',
    async see(here) {
      const error = await errorOf(client(here).runModel(mockModel('invalid-image')));
      const isDescribed = runModelFailure(error, 422) !== undefined;
      return [error.status, error.name, error.headers.get(BUCKET), isDescribed];
    },
    kept: [422, 'InvalidInputError', 'invalid_input', true],
    breaks: 'missing',
    broken: [422, 'InternalError', null, true],
  },
  'router.run.504-header-equals-body': {
    outcome: 'whoever reads the body of a timeout learns the same cause as from its class',
    async see(here) {
      const error = await errorOf(client(here).runModel(mockModel('deadline-exceeded')));
      return [error.name, error.bucket, (error.body as RouterErrorResponse).error_type];
    },
    kept: ['DeadlineExceededError', 'deadline_exceeded', 'deadline_exceeded'],
    breaks: 'differ',
    // The header is believed.
    broken: ['DeadlineExceededError', 'deadline_exceeded', 'provider_timeout'],
  },
  'router.idem.release-429': {
    outcome: 'a run that found no room is sent again under its key, and runs',
    async see(here) {
      const { runModel } = client(here, 'service-mock-one-slot');
      // Both at once: time moves by itself while a test waits for the first one to run.
      const first = runModel(mockModel('slow'));
      const second = await settle(runModel(mockModel('slow'), { idempotencyKey: 'second' }));
      await first;
      const keyed = here.sent.filter(({ headers }) => headers.get('idempotency-key') === 'second');
      const answer = second.ok ? second : second.error;
      if (!('headers' in answer)) throw answer;
      return [keyed[0]?.status, answer.status, isReplay(answer), here.mock.dispatches()['mock/slow']];
    },
    kept: [429, 200, false, 2],
    breaks: 'recorded',
    broken: [429, 429, true, 1],
  },
  'router.idem.release-408-425': {
    outcome: 'a run that came too early is sent again under its key, and tried anew each time',
    async see(here) {
      const error = await errorOf(client(here).runModel(mockModel('too-early')));
      const keys = new Set(here.sent.map(({ headers }) => headers.get('idempotency-key')));
      return [error.status, error.attempts, keys.size, isReplay(error)];
    },
    kept: [425, 3, 1, false],
    breaks: 'recorded',
    broken: [425, 3, 1, true],
  },
  'router.idem.release-on-drop': {
    outcome: 'a run whose answer is lost is sent again under its key, and runs anew',
    async see(here) {
      here.mock.scenarios.force({ name: 'cut-after' });
      const answer = await client(here).runModel(mockModel('ok', { prompt: 'x' }));
      return [answer.status, answer.attempts, answer.replayed, here.mock.dispatches()['mock/ok']];
    },
    kept: [200, 2, false, 2],
    breaks: 'recorded',
    broken: [200, 2, true, 1],
  },
  'router.headers.error-type': {
    outcome: 'every error answer has its class from the header, and only without one from the body',
    async see(here) {
      const calls = [
        client(here).getModel(mockModel('none')),
        client(here, 'wrong').listModels(),
        client(here, 'service-mock-forbidden').listModels(),
        client(here).runModel(mockModel('provider-error'), { retries: 0 }),
        client(here).runModel(mockModel('unavailable'), { retries: 0 }),
      ];
      const errors = await Promise.all(calls.map((call) => errorOf(call)));
      return errors.map(
        ({ name, status, headers }) => `${String(status)} ${name} ${String(headers.get(BUCKET))}`,
      );
    },
    kept: [
      '404 ModelNotFoundError model_not_found',
      '401 UnauthorizedError unauthorized',
      '403 ForbiddenError forbidden',
      '502 ProviderError provider_error',
      '503 ServiceUnavailableError service_unavailable',
    ],
    breaks: 'missing-on-404',
    broken: [
      '404 ModelNotFoundError null',
      '401 UnauthorizedError unauthorized',
      '403 ForbiddenError forbidden',
      '502 ProviderError provider_error',
      '503 ServiceUnavailableError service_unavailable',
    ],
  },
};

async function ready(deviations: readonly string[]): Promise<World> {
  const here = world({ apis: ['router'], deviations });
  onTestFinished(() => here.mock.close());
  await here.mock.ready();
  return here;
}

for (const [rule, { outcome, see, kept, breaks, broken }] of Object.entries(proofs)) {
  test(`${rule}: ${outcome}`, async () => {
    expect(await see(await ready([]))).toStrictEqual(kept);
  });
  test(`${rule}: a server that breaks it shows to the caller (${breaks})`, async () => {
    expect(await see(await ready([`${rule}~${breaks}`]))).toStrictEqual(broken);
  });
}

test('router.list.cursor-iff-more: a cursor on the last page is not followed', async () => {
  const here = await ready(['router.list.cursor-iff-more~on-last']);
  const last: unknown[] = [];
  for await (const { data } of client(here).listModels.pages({ limit: 5 })) last.push(data.next_cursor);
  expect(last.at(-1)).toBe('AAAA');
  expect(here.sent.length).toBe(last.length);
});
