import { check } from '../../../scenarios/check.ts';
import { isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Fixtures } from '../../../target/fixtures.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';

export const ROUTE = '/proxy/{partner}/v1/ai/skin-enhancer/creative';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function partner(fixtures: Fixtures): Readonly<Record<string, string>> {
  return { partner: fixtures.proxy?.partner ?? '' };
}

/** A complete request; the callback address does not exist. */
export function whole(fixtures: Fixtures): {
  readonly image: unknown;
  readonly sharpen: number;
  readonly smart_grain: number;
  readonly webhook_url: string;
} {
  const { base64, url } = fixtures.proxy?.image ?? {};
  return {
    image: base64 ?? url,
    sharpen: 50,
    smart_grain: 2,
    webhook_url: 'https://tallystick.invalid/callback',
  };
}

export const enhancement = scenario({
  id: 'proxy.skin.enhancement',
  api: 'registry',
  title: 'an enhancement with everything that it can have',
  permissions: ['billed'],
  needs: ['proxy.partner', 'proxy.image'],
  judges: ['proxy.skin.200', 'proxy.skin.200-shape', 'proxy.skin.task-id-uuid', 'proxy.auth.bearer-and-key'],
  requests: {
    run: { method: 'POST', target: ROUTE, as: 'valid', times: 1 },
    byToken: { method: 'POST', target: ROUTE, as: 'jwt', times: 2, isOptional: true },
    byKey: { method: 'POST', target: ROUTE, as: 'apiKey', times: 2, isOptional: true },
  },
  run: async function* ({ send, fixtures, knows }) {
    const answer = await send('run', { fill: partner(fixtures), body: whole(fixtures) });
    if (!isSuccess(answer))
      throw new BrokenFixture('proxy.image', `it returned ${answer.status}`, [answer.id]);
    // Document 2, POST /proxy/…/creative: 200, started.
    yield check('proxy.skin.200', answer, answer.status === 200, 'status 200', String(answer.status));
    // Document 2, Skin enhancer response, table.
    const data = member(answer.json, 'data');
    const [generated, status, task] = ['generated', 'status', 'task_id'].map((name) => member(data, name));
    const texts = Array.isArray(generated) && generated.every((one) => typeof one === 'string');
    const shaped = texts && typeof status === 'string' && typeof task === 'string';
    yield check(
      'proxy.skin.200-shape',
      answer,
      shaped,
      'strings data.generated, data.status and data.task_id',
    );
    const named = typeof task === 'string' && UUID.test(task);
    yield check('proxy.skin.task-id-uuid', answer, named, 'a UUID', `task_id ${sketch(task)}`);
    // With each other credential: oracles judge the answer. Keys may be accepted as bearer only.
    for (const [name, as] of [
      ['byToken', 'jwt'],
      ['byKey', 'apiKey'],
    ] as const)
      if (knows(as)) {
        const first = await send(name, { fill: partner(fixtures), body: whole(fixtures) });
        const { base64, url } = fixtures.proxy?.image ?? {};
        if (!isSuccess(first) || base64 === undefined || url === undefined) continue;
        // Document 2, Authentication, item 3: a credential of the route, regardless of the form of the image.
        const other = await send(name, { fill: partner(fixtures), body: { ...whole(fixtures), image: url } });
        if (![401, 403].includes(other.status)) continue;
        const expected = 'the credential accepted for both forms of an image';
        yield check('proxy.auth.bearer-and-key', [first, other], false, expected, String(other.status));
      }
  },
});

/** Both bounds, and values close to them: with an exponent, and with many decimals. */
const STRENGTHS = [
  [0, 100],
  [100, 0],
  [100, 100],
  [0, 0],
  [0.0000001, 99.9999999],
  [99.9999999, 0.0000001],
] as const;

const JSON_TYPE = [['Content-Type', 'application/json']] as const;

/**
 * Equivalent addresses (RFC 3986, section 6.2.3, and section 3.5), if there are any. An existing query may be
 * signed.
 */
function inFull(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, username, host, port, pathname, search } = new URL(url);
  if (protocol !== 'https:' || username !== '') return url;
  const query = search === '' ? `?tallystick=${'1'.repeat(300)}` : search;
  return `https://${host}${port === '' ? ':443' : ''}${pathname}${query}#tallystick`;
}

export const acceptedForms = scenario({
  id: 'proxy.skin.accepted-forms',
  api: 'registry',
  title: 'limits of the ranges, both forms of an image, and no callback',
  permissions: ['billed'],
  needs: ['proxy.partner', 'proxy.image'],
  judges: [
    'proxy.skin.range-inclusive',
    'proxy.skin.image-forms',
    'proxy.skin.webhook-optional',
    'proxy.skin.200-shape',
  ],
  severalCases: ['proxy.skin.range-inclusive', 'proxy.skin.image-forms'],
  searches: ['proxy.skin.200-shape'],
  requests: {
    run: { method: 'POST', target: ROUTE, as: 'valid', times: 12 },
    control: { method: 'POST', target: ROUTE, as: 'valid', times: 8 },
  },
  run: async function* ({ send, fixtures }) {
    const fill = partner(fixtures);
    const { base64, url } = fixtures.proxy?.image ?? {};
    const images = [
      ['Base64', base64],
      ['an address', url],
      ['an address with its port, a query and a fragment', url === undefined ? url : inFull(url)],
    ] as const;
    const tried: { form: string; image: unknown; answer: Exchange }[] = [];
    for (const [form, image] of images)
      if (image !== undefined)
        tried.push({ form, image, answer: await send('run', { fill, body: { ...whole(fixtures), image } }) });
    const working = tried.find(({ answer }) => isSuccess(answer));
    if (working === undefined) {
      const [first] = tried;
      throw new BrokenFixture(
        'proxy.image',
        `it returned ${first?.answer.status ?? 'nothing'}`,
        tried.map(({ answer }) => answer.id),
      );
    }
    // Document 2, Skin enhancer request, row image.
    for (const { form, answer } of tried)
      yield check(
        'proxy.skin.image-forms',
        answer,
        isSuccess(answer),
        `a success for an image as ${form}`,
        String(answer.status),
      );
    const { webhook_url: webhook, ...others } = whole(fixtures);
    const withoutWebhook = { ...others, image: working.image };
    const usual = { ...withoutWebhook, webhook_url: webhook };
    // Document 2, Limits, item 1: the bounds belong to the range, and a number may have a fraction. Skin
    // enhancer request, row webhook_url: optional.
    const cases = [
      ...STRENGTHS.map(([sharpen, grain]) => ({
        rule: 'proxy.skin.range-inclusive',
        // One pair with an exponent that has no sign, and a fraction that is zero (RFC 8259, section 6).
        body: JSON.stringify({ ...usual, sharpen, smart_grain: grain }).replace(
          '"sharpen":100,"smart_grain":100',
          '"sharpen":1e2,"smart_grain":100.0',
        ),
        what: `a success for sharpen ${sharpen} and smart_grain ${grain}`,
      })),
      {
        rule: 'proxy.skin.range-inclusive',
        body: JSON.stringify({ ...usual, sharpen: 0, smart_grain: 100 })
          .replace('"sharpen":0', '"sharpen":-0')
          .replace('"smart_grain":100', '"smart_grain":1E+2'),
        what: 'a success for sharpen -0 and smart_grain 1E+2, which are other spellings of 0 and 100',
      },
      { rule: 'proxy.skin.webhook-optional', body: withoutWebhook, what: 'a success without webhook_url' },
    ];
    for (const { rule, body, what } of cases) {
      const answer = await send('run', { fill, body, headers: JSON_TYPE });
      // Whether this value is refused, or every request now.
      if (!isSuccess(answer)) {
        const control = await send('control', { fill, body: usual });
        if (!isSuccess(control))
          throw new BrokenFixture('proxy.image', `it returned ${control.status}`, [answer.id, control.id]);
      }
      yield check(rule, answer, isSuccess(answer), what, String(answer.status));
    }
    // Whether the intensities are required is not shown. If not, oracles judge this success as well.
    await send('run', { fill, body: { image: working.image } });
  },
});

const NO_ADDRESSES = ['', 'tallystick', '/callback', 'https://[callback'] as const;

export const badCallbacks = scenario({
  id: 'proxy.skin.bad-callbacks',
  api: 'registry',
  title: 'callback addresses that are not strings, or strings that are not addresses',
  permissions: ['negatives'],
  needs: ['proxy.partner'],
  judges: ['proxy.skin.webhook-refused'],
  severalCases: ['proxy.skin.webhook-refused'],
  requests: { bad: { method: 'POST', target: ROUTE, as: 'valid', times: 4 + NO_ADDRESSES.length } },
  run: async function* ({ send, fixtures }) {
    // Document 2, Skin enhancer request, row webhook_url (inference): a string. The status is not shown.
    const address = 'https://tallystick.invalid/callback';
    for (const webhook of [7, true, [address], { url: address }]) {
      const body = { ...whole(fixtures), webhook_url: webhook };
      const answer = await send('bad', { fill: partner(fixtures), body });
      yield check(
        'proxy.skin.webhook-refused',
        answer,
        !isSuccess(answer),
        `no success for the webhook_url ${JSON.stringify(webhook)}`,
        String(answer.status),
      );
    }
    // For the shape of their errors: which strings are accepted is not documented.
    for (const webhook of NO_ADDRESSES) {
      const body = { ...whole(fixtures), webhook_url: webhook };
      await send('bad', { fill: partner(fixtures), body });
    }
  },
});

/** Bodies that must not start work: not JSON, not objects, and null beside a value out of range. */
const NO_REQUESTS = [
  '{',
  '[]',
  '"text"',
  'null',
  '{"sharpen":null,"smart_grain":101}',
  '{"smart_grain":null,"sharpen":-1}',
] as const;

const INTENSITIES = [
  ['proxy.skin.sharpen-range', 'sharpen'],
  ['proxy.skin.grain-range', 'smart_grain'],
] as const;

/** Numbers beyond both ends of the range whose first digits are within it (RFC 8259, section 6). */
const SPELLED_OUTSIDE = ['1e3', '1.01E+2', '0.2e+4', '-5e-1'] as const;

export const outOfRange = scenario({
  id: 'proxy.skin.out-of-range',
  api: 'registry',
  title: 'intensities out of range, and an empty body',
  permissions: ['negatives'],
  needs: ['proxy.partner'],
  judges: ['proxy.skin.sharpen-range', 'proxy.skin.grain-range'],
  severalCases: ['proxy.skin.sharpen-range', 'proxy.skin.grain-range'],
  requests: {
    outside: { method: 'POST', target: ROUTE, as: 'valid', times: 32 + 2 * SPELLED_OUTSIDE.length },
    empty: { method: 'POST', target: ROUTE, as: 'valid', times: 1 + NO_REQUESTS.length },
  },
  run: async function* ({ send, fixtures }) {
    // Document 2, Limits, item 1. The status is not shown.
    const outside = [
      -1,
      -0.5,
      -0.0001,
      -1e-30,
      100.00001,
      100.0001,
      100.4,
      100.5,
      101,
      1e21,
      '50',
      '50%',
      '',
      [50],
      {},
      true,
    ];
    const { image } = whole(fixtures);
    const small = { image: fixtures.proxy?.image?.url ?? image };
    for (const [rule, name] of INTENSITIES) {
      for (const [index, value] of outside.entries()) {
        // Alternately with all members that a request can have, and with few.
        const body = { ...(index % 2 === 0 ? whole(fixtures) : small), [name]: value };
        // Some in chunks (RFC 9112, section 7.1). A value close to each of them is sent with its length.
        const answer = await send('outside', { fill: partner(fixtures), body, isChunked: index % 4 === 3 });
        const expected = `no success for ${name} ${JSON.stringify(value)}`;
        yield check(rule, answer, !isSuccess(answer), expected, String(answer.status));
      }
    }
    for (const [rule, name] of INTENSITIES)
      for (const number of SPELLED_OUTSIDE) {
        const body = JSON.stringify({ ...whole(fixtures), [name]: 0 }).replace(
          `"${name}":0`,
          `"${name}":${number}`,
        );
        const answer = await send('outside', { fill: partner(fixtures), body, headers: JSON_TYPE });
        const expected = `no success for ${name} ${number}`;
        yield check(rule, answer, !isSuccess(answer), expected, String(answer.status));
      }
    // For the shapes of their errors. The required members are not documented, so a success is not a
    // violation.
    await send('empty', { fill: partner(fixtures), body: {} });
    for (const body of NO_REQUESTS) await send('empty', { fill: partner(fixtures), body });
  },
});
