import { describe, expect, test } from 'vitest';
import { bucketOf, run, send } from '../fixtures/second-server/client.ts';
import type { Case, Fixtures, Got } from '../fixtures/second-server/client.ts';
import { start } from './start.ts';

describe('runs', () => {
  test.each<[keyof Fixtures['model'], number, string | null]>([
    ['ok', 200, null],
    ['slow', 200, null],
    ['noSchema', 200, null],
    ['hugeOutput', 200, null],
    ['reject422', 422, 'provider_error'],
    ['policy', 451, 'content_policy_violation'],
    ['deadline', 504, 'deadline_exceeded'],
    ['providerTimeout', 504, 'provider_timeout'],
    ['5xx', 500, 'provider_error'],
    ['503', 503, 'service_unavailable'],
    ['425', 425, 'provider_error'],
  ])('the model %s answers %i', async (name, status, bucket) => {
    const { server, fixtures } = await start();
    const got = await run(server, fixtures.model[name] as Case);
    expect([got.status, bucketOf(got)]).toEqual([status, bucket]);
    expect(got.headers.get('x-service-request-id')).toBeTruthy();
  });

  test('input and output pass byte for byte', async () => {
    const { server, fixtures } = await start();
    const { id, rawInput, rawOutput } = fixtures.model.echo;
    const headers = { 'content-type': 'application/json' };
    expect((await send(server, `/v1/models/${id}`, { method: 'POST', headers, body: rawInput })).text).toBe(
      rawOutput,
    );
  });

  test('a 422 has one entry for each bad field and no error_type', async () => {
    const { server, fixtures } = await start();
    const body = JSON.parse((await run(server, fixtures.model.reject422)).text) as { detail: unknown[] };
    expect(body.detail).toHaveLength(fixtures.model.reject422.expectedFailures);
    expect(body).not.toHaveProperty('error_type');
    expect(JSON.stringify(body.detail)).toContain('"layers",1,"opacity"');
  });

  test.each([
    ['no JSON', '{', 400],
    ['no object', '[]', 400],
    ['not what the schema says', '{"prompt":7}', 400],
  ])('a body that is %s is invalid input', async (_name, body, status) => {
    const { server, fixtures } = await start();
    const headers = { 'content-type': 'application/json' };
    const got = await send(server, `/v1/models/${fixtures.model.ok.id}`, { method: 'POST', headers, body });
    expect([got.status, bucketOf(got)]).toEqual([status, 'invalid_input']);
  });

  test('an unknown model is a 404 with suggestions that the caller may see', async () => {
    const { server, fixtures } = await start();
    for (const id of [fixtures.model.unknown, fixtures.model.unknownProvider]) {
      const got = await run(server, { id, input: {} });
      expect([got.status, bucketOf(got)]).toEqual([404, 'model_not_found']);
      expect(got.text).not.toContain(fixtures.model.unreleased);
    }
  });

  test('credits are shown for the provider on the list alone', async () => {
    const { server, fixtures } = await start();
    const shown = await run(server, fixtures.model.creditsHeader);
    const other = await run(server, fixtures.model.ok);
    expect([shown, other].map(({ headers }) => headers.has('x-service-credits-used'))).toEqual([true, false]);
  });

  test('the bound on calls and the bound on spend refuse with their own words', async () => {
    const { server, fixtures } = await start();
    const flood = async (bound: Case & { cred: string }, times: number): Promise<Got | undefined> => {
      const all = await Promise.all(
        Array.from({ length: times }, () => run(server, bound, { 'x-api-key': bound.cred })),
      );
      expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        ...Array.from({ length: times - 1 }, () => 200),
        429,
      ]);
      return all.find(({ status }) => status === 429);
    };
    const byCount = await flood(fixtures.concurrency, fixtures.concurrency.bound + 1);
    const bySpend = await flood(fixtures.spend.bound, fixtures.spend.bound.calls);
    expect(byCount?.text).toContain('calls under way (2)');
    expect(byCount?.headers.has('x-committed-spend-limit')).toBe(false);
    expect(bySpend?.text).toContain('spend committed');
    expect(
      ['limit', 'current', 'remaining'].map((name) => bySpend?.headers.get(`x-committed-spend-${name}`)),
    ).toEqual(['500', '487.5', '12.5']);
  });
});
