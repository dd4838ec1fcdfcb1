import { keys, tokenFor } from './accounts.ts';
import { assets } from './graph.ts';

const prompt = { prompt: 'a tally stick, split in two' };
const exact = '{ "n":1.0, "big":9007199254740993,\t"escaped":"\\u00e9\\/", "z":-0.0, "a":[1e2,{}]}';

/** The fixtures of this server for the conformance suite. */
export function fixturesOf(
  url: string,
  {
    deadlineMs,
    mount,
    expiredCursor,
  }: { readonly deadlineMs: number; readonly mount: string; readonly expiredCursor: string },
): object {
  const patient = { id: 'acme/patient', input: prompt };
  const graphOf = (name: string, given: object = {}): object => ({
    graph: { first: { class: name, with: given } },
  });
  const assetOf = (id: string): object => graphOf('place', { asset: { kind: 'core/ASSET', id } });
  return {
    baseUrl: url,
    jobsBaseUrl: url + mount,
    deadlineMs,
    surface: 'serverless',
    cred: {
      valid: { header: 'X-API-Key', value: keys.main },
      apiKey: keys.main,
      jwt: tokenFor('main'),
      forbidden: keys.barred,
      secondAccount: keys.second,
    },
    account: { noCredits: keys.penniless },
    concurrency: { bound: 2, cred: keys.narrow, ...patient },
    spend: { bound: { cents: 500, cred: keys.thrifty, ...patient, calls: 4 } },
    cursor: { expired: expiredCursor },
    capabilities: { keyAsBearer: true },
    model: {
      ok: { id: 'acme/picture-2.1', input: prompt },
      echo: {
        id: 'acme/echo-1',
        input: { a: [1, { b: null }] },
        expectedOutput: { a: [1, { b: null }] },
        rawInput: exact,
        rawOutput: exact,
      },
      slow: { ...patient, minMs: Math.floor(deadlineMs * 0.5) },
      reject422: {
        id: 'brook/strict',
        input: { ...prompt, steps: 900, layers: ['thin', 'thick'] },
        single: { ...prompt, steps: 900 },
        expectedFailures: 2,
      },
      policy: { id: 'brook/prudish', input: prompt },
      deadline: { id: 'acme/endless', input: prompt },
      providerTimeout: { id: 'brook/late', input: prompt },
      '5xx': { id: 'brook/broken', input: prompt },
      '503': { id: 'brook/closed', input: prompt },
      '425': { id: 'brook/early', input: prompt },
      hugeOutput: { id: 'acme/wall', input: prompt },
      noSchema: { id: 'brook/untyped', input: { anything: [true] } },
      creditsHeader: { id: 'acme/metered', input: prompt },
      unreleased: 'cove/secret',
      unknown: 'acme/nothing',
      unknownProvider: 'nobody/echo-1',
    },
    sse: { eventNames: { status: 'status', progress: 'progress', preview: 'preview' } },
    job: {
      graphPointer: '/graph',
      siblingPointer: '',
      allowedExtraData: { mood: 'calm' },
      mountPrefix: mount,
      ok: graphOf('paint', { motif: 'a tree' }),
      tiny: graphOf('dot'),
      slow: graphOf('brood'),
      fail: graphOf('stumble'),
      preview: graphOf('sketch', { motif: 'a hand' }),
      invalid: graphOf('paint'),
      unknownClass: graphOf('teleport'),
      uiFormat: { nodes: [{ id: 1, type: 'paint' }], links: [], version: 0.4 },
      unknownAsset: assetOf(assets.missing),
      foreignAsset: assetOf(assets.foreign),
    },
  };
}
