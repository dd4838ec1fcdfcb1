import { expect, test } from 'vitest';
import { curlScripts, renderReport, reportFormats, runConformance } from '../../conformance/index.ts';
import type { Fixtures, Transport, WireRequest } from '../../conformance/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { allContracts } from './servers.ts';

const secrets = {
  key: 'service-planted-key-0001',
  jwt: 'planted.jwt/with+odd=signs-0002',
  forbidden: 'service-planted-forbidden-0003',
  second: 'service-planted-second-0004',
  noCredits: 'service-planted-poor-0005',
  pat: 'planted-pat-"quoted"-0006',
  spend: 'service-planted-spend-0007',
  session: 'planted-session-0008',
  signature: 'planted-signature-0009',
  stranger: 'planted.stranger.bearer-0010',
};

const fixtures: Fixtures = {
  cred: {
    valid: { header: 'X-API-Key', value: secrets.key },
    apiKey: secrets.key,
    jwt: secrets.jwt,
    forbidden: secrets.forbidden,
    secondAccount: secrets.second,
  },
  account: { noCredits: secrets.noCredits },
  spend: { bound: { cents: 5, cred: secrets.spend, id: 'p/m', input: {}, calls: 2 } },
  model: { ok: { id: 'p/m', input: {} }, echo: { id: 'p/m', input: {}, expectedOutput: {} } },
  publish: { publisherId: 'p', nodeId: 'n', node: {}, node_version: {}, pat: secrets.pat },
  proxy: { partner: 'p' },
  surface: 'cloud',
  job: { ok: { workflow: {} }, tiny: { workflow: {} }, slow: { workflow: {} }, invalid: { workflow: {} } },
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Gives back all that it was sent, in every place of an answer, and adds secrets of its own. */
function gossip(status: (count: number) => number): Transport {
  let count = 0;
  return (request: WireRequest) => {
    count += 1;
    const sent = request.headers.map(([name, value]) => `${name}: ${value}`).join(' ');
    const body = new TextDecoder().decode(request.body ?? new Uint8Array());
    const told = {
      error_type: `bucket ${sent}`,
      detail: [{ loc: ['a'], msg: `${sent} ${body}`, type: 't', input: sent }],
      data: [{ id: sent, provider: body, model: secrets.key }],
      [secrets.key]: body,
      personal_access_token: secrets.pat,
      signedUrl: `https://s.example/f?sig=${secrets.signature}`,
      note: `Authorization: Bearer ${secrets.stranger} https://s.example/?X-Amz-Signature=${secrets.signature}`,
      all: Object.values(secrets).slice(0, 7),
      encoded: encodeURIComponent(secrets.jwt),
    };
    const odd = count % 5 === 0;
    const text = odd ? `not JSON ${sent} ${body}` : JSON.stringify(told);
    const answer = {
      status: status(count),
      headers: [
        ['Content-Type', odd ? 'text/html' : 'application/json'],
        ['Set-Cookie', `session=${secrets.session}`],
        ['X-Service-Error-Type', secrets.key],
        ['Location', `https://x.example/?token=${secrets.key}`],
        ['WWW-Authenticate', sent],
      ] as const,
      body: (async function* () {
        yield encode(text);
        if (count % 7 === 0) yield new Uint8Array([255, 254]);
        if (count % 11 === 0) throw new Error(`cut while ${sent}`);
      })(),
    };
    return Promise.resolve(answer);
  };
}

test.each<[string, (count: number) => number]>([
  ['success', () => 200],
  ['refusals of many kinds', (count) => [400, 401, 403, 404, 422, 500][count % 6] ?? 400],
  ['success and failure by turns', (count) => (count % 2 === 0 ? 200 : 422)],
])('no planted secret is in any form of a report: %s', async (_, status) => {
  const report = await runConformance({
    contracts: await allContracts(),
    baseUrl: 'https://api.example.com',
    fixtures,
    transport: gossip(status),
    clock: virtualClock({ startAt: 0 }),
    allow: ['negatives', 'billed', 'publish', 'jobs', 'slow'],
  });
  expect(report.exchanges.length).toBeGreaterThan(50);
  const forms = [
    ...reportFormats.map((format) => [format, renderReport(report, format)] as const),
    ...Object.entries(curlScripts(report)),
  ];
  const kept = report.exchanges.flatMap(({ request, answer }) =>
    [request.body, answer?.body].flatMap((body) =>
      body?.encoding === 'base64' ? [Buffer.from(body.text, 'base64').toString('latin1')] : [],
    ),
  );
  for (const [name, secret] of Object.entries(secrets)) {
    const spellings = [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString('base64'),
    ];
    for (const [form, text] of [...forms, ...kept.map((text) => ['bytes', text] as const)]) {
      for (const spelling of spellings) {
        const at = text.indexOf(spelling);
        const around = at < 0 ? '' : text.slice(Math.max(0, at - 120), at + spelling.length + 20);
        expect(`${name} in ${form}: ${around}`).toBe(`${name} in ${form}: `);
      }
    }
  }
});
