/**
 * `npx tsx test/soak/malformed.ts [REQUESTS]`, 1,000,000 when left out: requests that are wrong in every way, made from a
 * seed, to all three APIs in one process. Each is answered, none with an unlabelled 5xx, and memory stays flat. Exit 1
 * otherwise. With `--write` the table goes to docs/soak.md.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createMock, virtualClock } from '../../mock/index.ts';
import { seededRandom } from '../../conformance/seed.ts';
import { writeSection } from './page.ts';

const requests = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 1_000_000);
const seed = 'malformed 1';
const random = seededRandom(seed);
const mock = createMock({ clock: virtualClock({ auto: false }), journalSize: 100 });
await mock.ready();

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
const targets = [
  '/v1/models',
  '/v1/models?limit=%zz&cursor=',
  '/v1/models/mock/ok',
  '/v1/models/%2e%2e/x',
  '/v1/models/mock/ok/openapi.json',
  '/api/v2/jobs',
  '/api/v2/jobs/x/events',
  '/api/v2/jobs/x/cancel',
  '/publishers/acme/nodes/acme-upscaler/versions',
  '/proxy/northwind/v1/ai/skin-enhancer/creative',
  '/uploads/x?signature=x&expires=1',
  '',
  '//',
  '*',
  'http://[::1',
];
const noise = [
  '\u0000',
  '%',
  '/',
  '?',
  '&',
  '=',
  '..',
  'ä',
  '{',
  '"',
  '[',
  '1e999',
  '\ud800',
  '%00',
  '\r\n',
  "'",
  ';',
];
const bodies = [
  '',
  '{',
  'null',
  '[]',
  '{"prompt":"x"}',
  '{"1":{"class_type":"WriteText","inputs":{"text":"a"}}}',
  '{"node":{},"node_version":{"version":"1.0.0"},"personal_access_token":"pat-mock-ok"}',
  '{"image":"QQ==","sharpen":1e400}',
  '['.repeat(2_000),
  '{"__proto__":{"x":1},"constructor":1}',
];
const bent = (text: string): string => {
  let bent = text;
  for (let cuts = Math.floor(random() * 4); cuts > 0; cuts -= 1) {
    const at = Math.floor(random() * (bent.length + 1));
    bent = `${bent.slice(0, at)}${pick(noise)}${bent.slice(at + Math.floor(random() * 3))}`;
  }
  return bent;
};
const headerNames = ['Idempotency-Key', 'Content-Type', 'If-None-Match', 'Prefer', 'Origin'];
const headerValues = [
  'service-mock-ok',
  'Bearer service-mock-ok',
  'application/json',
  'scenario=slow',
  '"x"',
  '',
  'a'.repeat(300),
];

/** What is still in use after a collection. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
function keptBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const counts = new Map<string, number>();
let unlabelled = 0;
let unanswered = 0;
let early = 0;
for (let number = 0; number < requests; number += 1) {
  const names = headerNames.filter(() => random() < 0.5);
  const rawHeaders = [
    'Host',
    'x',
    ...names.flatMap((name) => [name, random() < 0.7 ? pick(headerValues) : bent(pick(headerValues))]),
  ];
  // Most of them get past the credentials: what lies behind is more.
  if (random() < 0.8) rawHeaders.unshift('Authorization', 'Bearer service-mock-ok');
  const gone = new AbortController();
  const handled = mock.handle({
    method: pick(['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'BREW', '']),
    target: bent(pick(targets)),
    rawHeaders,
    body: Buffer.from(bent(pick(bodies))),
    signal: gone.signal,
  });
  // Whatever waits for the clock is not hung: its caller goes away.
  setImmediate(() => {
    gone.abort(new Error('gone'));
  });
  try {
    const { reply, settle } = await handled;
    counts.set(String(reply.status), (counts.get(String(reply.status)) ?? 0) + 1);
    if (
      reply.status >= 500 &&
      mock.journal
        .entries()
        .at(-1)
        ?.trail.every(({ because }) => because === undefined) === true
    )
      unlabelled += 1;
    if (!(reply.body instanceof Uint8Array)) await reply.body[Symbol.asyncIterator]().return?.();
    settle('delivered');
  } catch {
    unanswered += 1;
  }
  // A turn of the event loop now and then: what waits for it is no memory of the mock.
  if (number % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  if (number === Math.floor(requests / 10)) early = keptBytes();
}
mock.close();
const grown = Math.round((keptBytes() - early) / 2 ** 20);
const statuses = [...counts].sort().map(([status, count]) => `${status}: ${String(count)}`);
process.stdout.write(
  `${writeSection('malformed', [
    ['requests', 'answers by status', 'unanswered', 'unlabelled 5xx', 'memory grown since the first tenth'],
    [String(requests), statuses.join(', '), String(unanswered), String(unlabelled), `${String(grown)} MB`],
  ])}\n`,
);
if (unanswered + unlabelled > 0) process.exitCode = 1;
