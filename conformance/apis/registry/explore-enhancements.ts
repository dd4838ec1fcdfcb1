import { check } from '../../scenarios/check.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { exploration } from '../../explore/exploration.ts';
import { FRAMINGS, framed } from '../../explore/framing.ts';
import { operation } from '../../explore/model.ts';
import type { ModelOperation } from '../../explore/model.ts';
import { BrokenFixture, Hindered } from '../../scenarios/scenario.ts';
import type { Check, RequestPlan, Session } from '../../scenarios/scenario.ts';
import { registryOracles } from './oracles/index.ts';
import { ROUTE, partner, whole } from './probes/proxy.ts';

const enhance = { method: 'POST', target: ROUTE, times: 1, judgesRefusal: true } as const;

const requests = {
  'enhance valid': { ...enhance, as: 'valid', perExplore: 0.25 },
  'enhance none': { ...enhance, as: 'none', perExplore: 0.05 },
  'enhance unusable': { ...enhance, as: 'unusable', perExplore: 0.05 },
} as const satisfies Readonly<Record<string, RequestPlan>>;

type Name = keyof typeof requests;

/** Requests to the partner, which are independent of each other. */
export const exploredEnhancements = exploration<unknown, typeof requests>({
  id: 'registry.explore.enhancements',
  api: 'registry',
  title: 'courses of enhancements: images, ranges, callbacks, callers',
  permissions: ['billed'],
  needs: ['proxy.partner', 'proxy.image'],
  judges: [
    'proxy.skin.image-forms',
    'proxy.skin.webhook-optional',
    'proxy.skin.range-inclusive',
    'proxy.skin.sharpen-range',
    'proxy.skin.grain-range',
    'proxy.skin.image-refused',
    'proxy.auth.required',
  ],
  requests,
  oracles: registryOracles,
  model: ({ fixtures }) => {
    const { base64, url } = fixtures.proxy?.image ?? {};
    const images = { ...(base64 === undefined ? {} : { base64 }), ...(url === undefined ? {} : { url }) };
    return Promise.resolve({
      start: () => undefined,
      operations: { enhance: enhancing(images), 'enhance badly': enhancingBadly(images) },
      opening: [],
    });
  },
});

// --- internal ---

type Sends = Readonly<Partial<Record<Name, number>>>;
type EnhanceOperation = ModelOperation<unknown, Name>;
type Images = Readonly<Partial<Record<'base64' | 'url', string>>>;

const INSIDE = ['50', '0', '100', '0.5', '99.99'] as const;

/** Document 2, Skin enhancer request, and Limits, item 1. */
function enhancing(images: Images): EnhanceOperation {
  return operation({
    factors: {
      as: ['valid', 'none', 'unusable'],
      image: Object.keys(images),
      sharpen: INSIDE,
      grain: INSIDE,
      webhook: ['given', 'none'],
      framing: FRAMINGS,
    },
    sends: ({ as }): Sends => (as === 'valid' ? { 'enhance valid': 4 } : { [`enhance ${as}`]: 1 }),
    perform: async function* ({ session, choices: { as, image, sharpen, grain, webhook, framing } }) {
      const { webhook_url: address, ...usual } = whole(session.fixtures);
      const body = {
        ...usual,
        image: images[image as keyof Images],
        sharpen: Number(sharpen),
        smart_grain: Number(grain),
        ...(webhook === 'given' ? { webhook_url: address } : {}),
      };
      const answer = await ask(session, as, body, framing);
      if (as !== 'valid') {
        yield check('proxy.auth.required', answer, !isSuccess(answer), 'no success', String(answer.status));
        return;
      }
      if (isSuccess(answer)) return;
      // Whether one of these values is refused, or every request now.
      const control = await ask(session, as, whole(session.fixtures), 'length');
      if (!isSuccess(control))
        throw new BrokenFixture('proxy.image', `it returned ${control.status}`, [answer.id, control.id]);
      const plain = whole(session.fixtures);
      const others = [
        ['proxy.skin.image-forms', { ...plain, image: body.image }],
        ['proxy.skin.webhook-optional', usual],
      ] as const;
      for (const [rule, other] of others) {
        const alone = await ask(session, as, other, 'length');
        if (!isSuccess(alone))
          return yield check(rule, [alone, control], false, 'a success', String(alone.status));
      }
      const rule = 'proxy.skin.range-inclusive';
      yield check(rule, [answer, control], false, 'a success', String(answer.status));
    },
  });
}

/** The same places: the work must not begin. */
function enhancingBadly(images: Images): EnhanceOperation {
  return operation({
    factors: {
      member: ['sharpen', 'smart_grain', 'image'],
      value: ['below', 'above', 'far away', 'another type'],
      image: Object.keys(images),
      framing: FRAMINGS,
    },
    sends: (): Sends => ({ 'enhance valid': 1 }),
    perform: async function* ({ session, choices: { member, value, image, framing } }) {
      const usual = { ...whole(session.fixtures), image: images[image as keyof Images] };
      const body = { ...usual, [member]: member === 'image' ? NO_IMAGE[value] : OUTSIDE[value] };
      const answer = await ask(session, 'valid', body, framing);
      // The contract does not say that the numbers are refused if they have another type.
      if (member !== 'image' && value === 'another type') return;
      yield* judgeRefused(answer, RULES[member]);
    },
  });
}

const RULES = {
  sharpen: 'proxy.skin.sharpen-range',
  smart_grain: 'proxy.skin.grain-range',
  image: 'proxy.skin.image-refused',
} as const;

const OUTSIDE = { below: -0.5, above: 100.5, 'far away': 1e9, 'another type': 'much' } as const;
const NO_IMAGE = {
  below: 'http://tallystick.invalid/portrait.jpg',
  above: 'not an image!',
  'far away': 'ftp://tallystick.invalid/portrait.jpg',
  'another type': 7,
} as const;

/** @throws {Hindered} when the server has no capacity for it */
async function ask(
  session: Session<Name>,
  as: 'valid' | 'none' | 'unusable',
  body: unknown,
  framing: string,
): Promise<Exchange> {
  const answer = await session.send(`enhance ${as}`, {
    fill: partner(session.fixtures),
    body,
    ...framed(framing),
    ...(as === 'unusable' ? { credential: ['Authorization', 'Bearer tallystick.no.token'] } : {}),
  });
  if (answer.status === 429 || answer.status === 503)
    throw new Hindered(`the server returned ${answer.status}`, [answer.id]);
  return answer;
}

function* judgeRefused(answer: Exchange, rule: string): Generator<Check> {
  yield check(rule, answer, !isSuccess(answer), 'no success', String(answer.status));
}
