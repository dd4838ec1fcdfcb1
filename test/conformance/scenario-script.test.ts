import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { curlScripts, renderReport } from '../../conformance/index.ts';
import type { Report, RuleResult, StoredExchange } from '../../conformance/index.ts';

const secret = 'service-secret-4711';
let server: Server | undefined;
afterEach(() => server?.close());

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that tells what it was asked. */
async function listening(
  answer: (asked: Asked, count: number, response: ServerResponse) => void,
): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const made = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body };
      asked.push(one);
      answer(one, asked.length, response);
    });
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(made.address() as AddressInfo).port}`, asked };
}

const key = '0c4b2f60-6f0d-4f43-9b7d-3a3a8f7b1a11';

function exchange(id: string, change: Partial<StoredExchange> = {}): StoredExchange {
  return {
    id,
    api: 'router',
    scenario: 'router.idem.replay',
    course: 'x0001',
    startedAtMs: 0,
    durationMs: 3,
    request: {
      method: 'GET',
      target: '/v1/models',
      as: 'valid',
      headers: [['X-API-Key', '$API_KEY']],
      body: undefined,
    },
    answer: { status: 200, headers: [], body: undefined },
    failure: undefined,
    ...change,
  };
}

function run(id: string, change: Partial<StoredExchange> = {}): StoredExchange {
  const body = { bytes: 7, text: '{"n":1}', encoding: 'text', cut: false } as const;
  const headers: StoredExchange['request']['headers'] = [
    ['X-API-Key', '$API_KEY'],
    ['Content-Type', 'application/json'],
    ['Idempotency-Key', key],
  ];
  return exchange(id, {
    request: { method: 'POST', target: '/v1/models/a/b', as: 'valid', headers, body },
    ...change,
  });
}

function answered(
  text: string,
  headers: readonly (readonly [string, string])[] = [],
): StoredExchange['answer'] {
  return { status: 200, headers, body: { bytes: text.length, text, encoding: 'text', cut: false } };
}

function reportOf(url: string, exchanges: readonly StoredExchange[], deciding: readonly string[]): Report {
  const rule: RuleResult = {
    id: 'router.idem.replay',
    api: 'router',
    level: 'must',
    says: 'A rule.\n$(touch never)',
    source: { document: 1, section: 'Limits', item: 'row 1' },
    verdict: 'fail',
    reason: undefined,
    missing: undefined,
    fixtureLine: undefined,
    expected: 'this',
    observed: 'that\u001b[2J\n$(touch never)',
    exchanges: deciding,
    checks: 1,
    failed: 1,
    failures: [{ expected: 'this', observed: 'that', exchanges: deciding }],
    repeat: { replay: '', curl: '' },
  };
  return {
    schemaVersion: 1,
    tool: { name: 'tallystick', version: '1.2.3' },
    contract: { router: '1' },
    target: { baseUrl: url, identity: 'API key' },
    status: 'judged',
    startedAt: '2026-01-05T09:00:00.000Z',
    durationMs: 1,
    seed: 7,
    allowed: [],
    requests: { sent: exchanges.length, billable: 0, billedAtMost: 0 },
    summary: {
      pass: 0,
      fail: 1,
      warn: 0,
      'not-exercised': 0,
      'not-applicable': 0,
      inconclusive: 0,
      error: 0,
    },
    findings: [],
    rules: [rule],
    observations: [],
    notJudged: [],
    exchanges,
  };
}

function scriptOf(report: Report): string {
  return curlScripts(report)['router.idem.replay.sh'] ?? '';
}

function shell(script: string, environment: Readonly<Record<string, string>> = { API_KEY: secret }) {
  return new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    const env = { PATH: process.env['PATH'] ?? '', ...environment };
    const child = execFile('sh', ['-s'], { env, cwd: tmpdir() }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
    child.stdin?.end(script);
  });
}

test('keys are fresh, and the same where the scenario repeated one', { tags: 'curl' }, async () => {
  const { url, asked } = await listening((_, count, response) => response.end(`{"count":${count}}`));
  const other = '9d1a44c2-7a53-4a04-8ea2-9a64f2c0f001';
  const third = run('x0003');
  const headers = third.request.headers.map(([name, value]): readonly [string, string] =>
    name === 'Idempotency-Key' ? [name, `${other}-tail`] : [name, value],
  );
  const exchanges = [
    run('x0001'),
    run('x0002'),
    { ...third, request: { ...third.request, headers } },
    run('x0004'),
  ];
  const { output } = await shell(scriptOf(reportOf(url, exchanges, ['x0003', 'x0002'])));
  const keys = asked.map((one) => String(one.headers['idempotency-key']));
  expect(keys).toHaveLength(3);
  expect(keys[0]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).toMatch(/-tail$/);
  expect(new Set([key, other, keys[0], keys[2]?.replace('-tail', '')]).size).toBe(4);
  expect(asked.every(({ body, headers: sent }) => body === '{"n":1}' && sent['x-api-key'] === secret)).toBe(
    true,
  );
  expect(output).toContain('then 200, this one decided');
  expect(output).toContain('{"count":3}');
});

test(
  'cursors, tags, links and ids of new things come from the answers of now',
  { tags: 'curl' },
  async () => {
    const { url, asked } = await listening(({ method }, _, response) => {
      response.setHeader('ETag', 'W/"now"');
      response.end(
        method === 'POST'
          ? '{"id":"job-now","urls":{"self":"http:\\/\\/elsewhere.example\\/jobs\\/job-now?sig=now\\u0026x=1"}}'
          : '{ "next_cursor" : "now+/=" }',
      );
    });
    const get = (id: string, target: string, headers: readonly (readonly [string, string])[] = []) =>
      exchange(id, { request: { method: 'GET', target, as: 'valid', headers, body: undefined } });
    const exchanges = [
      { ...exchange('x0001'), answer: answered('{"next_cursor":"then+/="}', [['ETag', 'W/"then"']]) },
      {
        ...run('x0002'),
        answer: answered('{"id":"job-then","urls":{"self":"http://x.example/jobs/job-then?sig=…&x=1"}}'),
      },
      get('x0003', '/v1/models?cursor=then%2B%2F%3D&limit=2'),
      get('x0004', '/v1/models', [['If-None-Match', '"then", W/"then"']]),
      get('x0005', '/jobs/job-then?sig=…&x=1'),
      get('x0006', '/jobs/job-then/events'),
    ];
    await shell(scriptOf(reportOf(url, exchanges, ['x0006'])));
    expect(asked.map((one) => one.url)).toEqual([
      '/v1/models',
      '/v1/models/a/b',
      '/v1/models?cursor=now%2B%2F%3D&limit=2',
      '/v1/models',
      '/jobs/job-now?sig=now&x=1',
      '/jobs/job-now/events',
    ]);
    expect(asked[3]?.headers['if-none-match']).toBe('"now", W/"now"');
  },
);

test('requests that were concurrent are concurrent in the script', { tags: 'curl' }, async () => {
  const waiting: ServerResponse[] = [];
  const { url, asked } = await listening((_, count, response) => {
    // The first three are answered when all of them are there.
    if (count > 3) return response.end('last');
    if (waiting.push(response) === 3) for (const one of waiting) one.end('together');
    return undefined;
  });
  const exchanges = [
    run('x0001'),
    run('x0002', { during: ['x0001'] }),
    run('x0003', { during: ['x0001', 'x0002'] }),
    exchange('x0004', { startedAtMs: 10 }),
  ];
  const { output } = await shell(scriptOf(reportOf(url, exchanges, ['x0004'])));
  expect(output.match(/together/g)).toHaveLength(3);
  expect(asked.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET']);
});

test(
  'a secret that a server echoes is not printed, and what steers a terminal is shown',
  { tags: ['curl', 'attack'] },
  async () => {
    const { url } = await listening((_, __, response) => {
      response.setHeader('Set-Cookie', 'session=hidden-cookie');
      response.end(
        `{"echo":"${secret}${secret}","signedUrl":"https://x.example/up?token=hidden-token"}\u001b[2J\u009b`,
      );
    });
    const { output } = await shell(scriptOf(reportOf(url, [run('x0001')], ['x0001'])));
    expect(output).toContain('"echo":"$API_KEY$API_KEY"');
    expect(output).not.toMatch(/service-secret|hidden|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  },
);

test('without the secret nothing is sent', { tags: 'curl' }, async () => {
  const { url, asked } = await listening((_, __, response) => response.end());
  const { code, output } = await shell(scriptOf(reportOf(url, [run('x0001')], ['x0001'])), {});
  expect(output).toContain('API_KEY: is not set');
  expect(code).not.toBe(0);
  expect(asked).toEqual([]);
});

test(
  'a script explains each variable, and names the place of one that is not set',
  { tags: 'curl' },
  async () => {
    const { url, asked } = await listening((_, __, response) => response.end());
    const text = '{"name":"Bo","pass$(touch never)word":"$OTHER_KEY"}';
    const sent = exchange('x0001', {
      request: {
        method: 'POST',
        target: '/v1/users',
        as: 'valid',
        headers: [
          ['X-API-Key', '$API_KEY'],
          ['X-Gateway}`touch never`', '$HEADER_1'],
        ],
        body: { bytes: text.length, text, encoding: 'text', cut: false },
      },
    });
    const script = scriptOf(reportOf(url, [sent], ['x0001']));
    const [, explained = ''] = /# The report hides these secrets[^\n]*\n((?:# .*\n)+)/.exec(script) ?? [];
    expect(explained.trimEnd().split('\n')).toEqual([
      '#   API_KEY is the value of the header X-API-Key of x0001, and taken from TALLYSTICK_API_KEY or TALLYSTICK_BEARER if it is not set.',
      '#   HEADER_1 is the value of the header X-Gatewaytouchnever of x0001.',
      '#   OTHER_KEY is the value of passtouchneverword in the body of x0001.',
    ]);
    const some = { API_KEY: secret, HEADER_1: 'gateway' };
    const { code, output } = await shell(script, some);
    expect(output).toContain(
      'OTHER_KEY: is not set: it is the value of passtouchneverword in the body of x0001',
    );
    expect([code === 0, asked.length, existsSync(join(tmpdir(), 'never'))]).toEqual([false, 0, false]);
  },
);

test('text of a server never runs as a command in a script', { tags: ['curl', 'attack'] }, async () => {
  const { url, asked } = await listening((_, __, response) => {
    response.setHeader('ETag', '"$(touch never)`touch never`"');
    response.end('{"next_cursor":"$(touch never);touch never","a$(touch never)":"b"}');
  });
  const odd = `'"$(touch never)\`touch never\`$API_KEY\n;touch never\\`;
  const exchanges = [
    {
      ...exchange('x0001'),
      answer: answered(`{"next_cursor":"$(touch then)"}`, [['ETag', '"$(touch then)"']]),
    },
    exchange('x0002', {
      request: {
        method: 'POST',
        target: `/v1/models?cursor=$(touch%20then)&odd=${odd.replaceAll(/\s/g, '')}`,
        as: 'valid',
        headers: [
          ['If-None-Match', '"$(touch then)"'],
          ['X-Odd', '$API_KEY and $(touch never)'],
        ],
        body: { bytes: 9, text: odd.replaceAll('$API_KEY', ''), encoding: 'text', cut: false },
      },
      answer: { status: 200, headers: [], body: undefined },
    }),
  ];
  const report = reportOf(url, exchanges, ['x0002']);
  const { output } = await shell(scriptOf(report));
  expect(output).not.toContain('not found');
  expect(existsSync(join(tmpdir(), 'never'))).toBe(false);
  expect(asked[1]?.headers['x-odd']).toBe('$API_KEY and $(touch never)');
  expect(asked[1]?.url).not.toContain(secret);
  expect(asked[1]?.headers['if-none-match']).toBe('"$(touch never)`touch never`"');
  expect(asked[1]?.body).toBe(odd.replaceAll('$API_KEY', ''));
  // The same report in a page is text as well.
  expect(renderReport(report, 'html')).not.toContain('\u001b');
});

test('a binary body is sent unchanged', { tags: 'curl' }, async () => {
  const { url, asked } = await listening((_, __, response) => response.end());
  const one = run('x0001');
  const body = {
    bytes: 4,
    text: Buffer.from('a\u00ffb').toString('base64'),
    encoding: 'base64',
    cut: false,
  } as const;
  await shell(scriptOf(reportOf(url, [{ ...one, request: { ...one.request, body } }], ['x0001'])));
  expect(asked[0]?.body).toBe('a\u00ffb');
});
