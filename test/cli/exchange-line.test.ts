import { expect, test } from 'vitest';
import { exchangeLine } from '../../cli/exchange-line.ts';
import { createMock } from '../../mock/index.ts';

const terminal = { paint: (_colour: unknown, text: string) => text };

test.each([
  [
    'https://app.example.com',
    ' pages of "https://app.example.com" may not read the answer: the option cors is "loopback"',
  ],
  ['http://localhost:5173', undefined],
])('the line of a call from a page at %s says whether its origin was refused', async (origin, reason) => {
  const mock = createMock({ apis: ['router'] });
  await mock.fetch('http://127.0.0.1/v1/models', {
    headers: { Origin: origin, 'X-API-Key': 'service-mock-ok' },
  });
  const lines = mock.journal.entries().map((entry) => exchangeLine(entry, terminal));
  expect(lines).toStrictEqual([expect.stringContaining('200  GET  /v1/models')]);
  if (reason === undefined) expect(lines[0]).not.toContain('pages of');
  else expect(lines[0]).toContain(reason);
});

test.each([
  [
    'a body that the document refuses',
    '/v1/models/mock/ok',
    { prompt: 1 },
    {},
    ' body.prompt: must be string',
  ],
  [
    'a scenario that has no meaning here',
    '/v1/models/mock/ok',
    { prompt: 'x' },
    { Prefer: 'scenario=queue-full' },
    ' there is no scenario queue-full here',
  ],
])('the line says why: %s', async (_what, path, body, headers, reason) => {
  const mock = createMock({ apis: ['router'] });
  await mock.fetch(path, {
    method: 'POST',
    headers: { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(mock.journal.entries().map((entry) => exchangeLine(entry, terminal))).toStrictEqual([
    expect.stringContaining(reason),
  ]);
});
