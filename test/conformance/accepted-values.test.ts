import { beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.0.3
info: { title: Ovens, version: '1' }
paths:
  /bakes:
    post:
      operationId: bake
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name, setting]
              properties:
                name: { type: string, example: bread }
                setting:
                  type: object
                  properties:
                    heat: { type: number, minimum: 0, maximum: 300, example: 200 }
                    steps: { type: integer, example: 2 }
                    fan: { type: boolean, example: true }
                    mode: { type: string, enum: [top, both, grill] }
                    remark: { type: string }
                    start: { type: string, format: date-time }
                    trays: { type: array, items: { type: string } }
      responses: { '201': { description: ok }, '400': { description: no }, '409': { description: busy } }
`;

const SHEET = `
api: ovens
contract: '1'
document: 1
policies:
  - { kind: diagnostics, findings: [], accepts: { bake: [setting] } }
rules: []
unspecified: []
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('ovens', DOCUMENT, SHEET);
});

type Setting = Readonly<Record<string, unknown>>;

/** Each refuses some settings that the document allows. */
const FAULTS: Readonly<Record<string, (setting: Setting, text: string) => boolean>> = {
  'the upper end': ({ heat }) => heat === 300,
  'the lower end': ({ heat }) => heat === 0,
  fractions: ({ heat }) => heat !== undefined && !Number.isInteger(heat),
  exponents: ({ heat }) => typeof heat === 'number' && String(heat).includes('e'),
  'minus zero': (_, text) => text.includes(':-0'),
  zero: ({ steps }) => steps === 0,
  no: ({ fan }) => fan === false,
  'one of the modes': ({ mode }) => mode === 'grill',
  'two lines': ({ remark }) => String(remark).includes('\n'),
  'another zone': ({ start }) => String(start).includes('+02'),
  'an empty list': ({ trays }) => Array.isArray(trays) && trays.length === 0,
  'no setting at all': (setting) => Object.keys(setting).length === 0,
};

/** Servers that refuse for other reasons than the values. */
const ODDITIES: Readonly<Record<string, (setting: Setting, count: number) => number | undefined>> = {
  none: () => undefined,
  'busy each second time': (_, count) => (count % 2 === 0 ? 409 : undefined),
  'not for this caller': ({ mode }) => (mode === 'grill' ? 403 : undefined),
  'refused whatever it is': () => 400,
  'two values that do not go together': ({ heat, fan }) => (heat === 0 && fan === false ? 400 : undefined),
};

async function wrongBy(refusal: (setting: Setting, text: string, count: number) => number | undefined) {
  let count = 0;
  const { transport } = scripted((request: WireRequest): Scripted => {
    const text = new TextDecoder().decode(request.body);
    const { setting } = JSON.parse(text) as { readonly setting: Setting };
    count += 1;
    return { status: refusal(setting, text, count) ?? 201 };
  });
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://ovens.localhost',
    allow: ['negatives', 'writes'],
    rules: ['diagnostics.*'],
    fixtures: { writes: ['bake'], bodies: { bake: { name: 'bread', setting: { heat: 200, fan: true } } } },
    transport,
  });
  expect(count).toBeLessThan(20);
  return report.rules
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id, expected }) => `${id}: ${expected ?? ''}`);
}

test.each(Object.keys(FAULTS))('values that the document allows are refused: %s', async (name) => {
  const isRefused = FAULTS[name];
  const found = await wrongBy((setting, text) => (isRefused?.(setting, text) === true ? 400 : undefined));
  expect(found).toEqual([
    expect.stringMatching(/^diagnostics\.bake\.accepted: no refusal of setting\S* [^,]+,/),
  ]);
});

test.each(Object.keys(ODDITIES))('refusals that are not about the values are no alarm: %s', async (name) => {
  expect(await wrongBy((setting, _, count) => ODDITIES[name]?.(setting, count))).toEqual([]);
});
