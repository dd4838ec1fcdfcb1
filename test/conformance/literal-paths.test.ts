import { beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Tunes, version: '1' }
security: [{ token: [] }]
paths:
  /tunes:
    get:
      operationId: listTunes
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Tune' } } } } } }
  /tunes/{name}:
    get:
      operationId: getTune
      parameters: [{ name: name, in: path, required: true, schema: { type: string, pattern: '^[a-z0-9-]+$' } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Tune' } } } }, '404': { description: no } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    Tune: { type: object, properties: { name: { type: string }, links: { type: object, additionalProperties: { type: string } } } }
`;
const ROLES = [
  ...['badInput', 'policyRefusal', 'providerFailure', 'providerTimeout', 'noCredits', 'unknownModel'],
  ...['noCredential', 'noAccess', 'capacity', 'disconnected', 'internal', 'deadline', 'notEnabled'],
  ...['unavailable', 'rateLimit'],
];
const SHEET = `
api: tunes
contract: '1'
document: 1
policies:
  - { kind: plain-segments, operations: [getTune], parameters: [name] }
  - { kind: links, schema: Tune, property: links, members: { getTune: self } }
  - kind: error-buckets
    header: X-Bucket
    bodyMember: bucket
    detailMember: detail
    fallback: internal
    forecast: []
    buckets: [${ROLES.map((name) => `{ name: ${name.toLowerCase()}, level: request }`).join(', ')}]
    roles: { ${ROLES.map((name) => `${name}: ${name.toLowerCase()}`).join(', ')} }
rules: []
unspecified: []
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('tunes', DOCUMENT, SHEET);
});

/** A server with one tune and at most one fault. */
function tunes(fault: string): (request: WireRequest) => Scripted {
  const is = (one: string): boolean => fault === one;
  const refuse = (status: number, bucket: string, said = bucket): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json', 'X-Bucket': bucket },
    body: { bucket: said },
  });
  const show = (body: unknown): Scripted => ({
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const links = { self: is('link elsewhere') ? '/tunes/other' : '/api/tunes/blue-moon' };
  const tune = { name: 'blue-moon', links };
  return (request) => {
    if (headerIn(request, 'authorization') !== 'Bearer good')
      return is('wrong role') ? refuse(401, 'badinput') : refuse(401, 'nocredential');
    const [path = ''] = request.target.split('?');
    if (path === '/tunes') return show([tune]);
    const sent = path.slice('/tunes/'.length);
    const read = [
      is('decodes') && !/%2f/i.test(sent) ? decodeURIComponent(sent) : sent,
      is('any case') ? sent.toLowerCase() : sent,
      is('drops parameters') ? sent.split(';')[0] : sent,
      is('collapses') ? sent.replace(/-+/g, '-') : sent,
      is('decodes slashes') ? sent.split(/%2f/i)[0] : sent,
    ];
    if (read.includes(tune.name) || is('finds anything')) return show(tune);
    return is('differs') ? refuse(404, 'unknownmodel', 'badinput') : refuse(404, 'unknownmodel');
  };
}

const broken = ({ rules }: Report): readonly string[] =>
  rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);

test.each([
  ['nothing', undefined],
  ...['decodes', 'any case', 'drops parameters', 'collapses', 'decodes slashes'].map(
    (fault) => [fault, 'plain-segments.getTune.literal'] as const,
  ),
  ['link elsewhere', 'links.Tune-links.leads'],
  ['differs', 'error-buckets.body'],
  ['wrong role', 'error-buckets.roles'],
  ['finds anything', 'error-buckets.roles'],
] as const)('what a server does with paths, links and buckets: %s', async (fault, rule) => {
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://tunes.localhost',
    rules: ['plain-segments.*', 'links.*', 'error-buckets.*'],
    credential: { header: 'Authorization', value: 'Bearer good' },
    transport: scripted(tunes(fault)).transport,
    clock: virtualClock(),
  });
  if (rule === undefined) {
    expect(broken(report)).toEqual([]);
    const passed = report.rules.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    expect(passed).toEqual(
      expect.arrayContaining([
        'plain-segments.getTune.literal',
        'links.Tune-links.leads',
        'error-buckets.roles',
      ]),
    );
  } else expect(broken(report)).toContain(rule);
});
