import { type Exchange, isSuccess } from '../../../exchanges/exchange.ts';
import { check } from '../../../scenarios/check.ts';
import { type Check, scenario } from '../../../scenarios/scenario.ts';
import { sketchRefusal } from './answers.ts';
import { anyModel, catalogue, catalogueIds } from './catalogue.ts';

/**
 * Document 1, Identifier schemas, rules 1 and 2: raw segments on which no handler may act. The status of the
 * refusal is not documented.
 */
export function badSegments(id: string): readonly string[] {
  const [provider = '', model = ''] = id.split('/');
  return [
    `${provider.toUpperCase()}/${model}`,
    `${provider}/${model.toUpperCase()}`,
    `${provider}..${provider}/${model}`,
    `${provider}/${model}..${model}`,
    `${provider}/-${model}`,
    // Valid after two separators are collapsed to one.
    `${withTwoSeparators(provider)}/${model}`,
    `${provider}/${withTwoSeparators(model)}`,
    `%2e%2e/${model}`,
    `..%2fadmin/${model}`,
    `${provider}%2F${model}/${model}`,
    `${provider}/${model}%2Ffast`,
    `${provider}%2F${model}`,
    `${provider}/${model}%00`,
    // Its decoded form is listed; rule 1 says that percent-encoding is not allowed.
    `${provider}/%${model.charCodeAt(0).toString(16)}${model.slice(1)}`,
    // Valid after trimming.
    `${provider}/${model}%20`,
    `%20${provider}/${model}`,
    `${provider}/${model}.`,
    `${provider}./${model}`,
    `${provider}/${model}_`,
    `${provider}/${model}-`,
    // Valid if the rest is treated as a path parameter (RFC 3986, section 3.3).
    `${provider}/${model};v=1`,
    `${provider}/.${model}`,
    `${provider}/${model}%09`,
    `${'a'.repeat(65)}/${model}`,
    `${provider}/${'a'.repeat(129)}`,
  ];
}

function withTwoSeparators(segment: string): string {
  return /[._-]/.test(segment) ? segment.replace(/[._-]/, '$&$&') : `${segment}--1`;
}

/** Listed IDs whose segments have the maximum length, with one additional character in one of them. */
function tooLong(listed: readonly string[]): readonly string[] {
  const parts = listed.map((id) => id.split('/'));
  const [provider, name] = parts.find(([one = '']) => one.length === 64) ?? [];
  const [other, longest] = parts.find(([, one = '']) => one.length === 128) ?? [];
  return [
    ...(provider === undefined ? [] : [`${provider}x/${name}`]),
    ...(other === undefined ? [] : [`${other}/${longest}x`]),
  ];
}

/**
 * Listed IDs with each separator that they have repeated (rule 1): a server that collapses the two reads one of
 * them.
 */
function repeatedSeparators(listed: readonly string[]): readonly string[] {
  return SEPARATORS.flatMap((separator) => {
    const id = listed.find((one) => one.includes(separator));
    return id === undefined ? [] : [id.replace(separator, separator.repeat(2))];
  });
}

const SEPARATORS = ['.', '_', '-'] as const;

/** Includes a name that a server may treat as an implied default. */
const VARIANTS = ['fast', 'default', 'latest'];

/** The check of a request that must not succeed, with any refusal. */
function noSuccess(rule: string, answer: Exchange): Check {
  return check(rule, answer, !isSuccess(answer), 'no success', sketchRefusal(answer));
}

const BAD_SEGMENTS = badSegments('provider/model').length;

export const badSegmentReads = scenario({
  id: 'router.ids.bad-segment-reads',
  api: 'router',
  title: 'reads with segments that fail their pattern',
  judges: ['router.ids.segment-revalidated', 'router.ids.variant-not-addressable'],
  uses: [catalogue],
  severalCases: ['router.ids.segment-revalidated', 'router.ids.variant-not-addressable'],
  requests: {
    detail: { method: 'GET', target: '/v1/models/{id}', as: 'valid', times: BAD_SEGMENTS },
    schema: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'valid', times: BAD_SEGMENTS },
    longer: { method: 'GET', target: '/v1/models/{id}', as: 'valid', times: 2 + SEPARATORS.length },
    variant: { method: 'GET', target: '/v1/models/{id}/{variant}', as: 'valid', times: 3 },
    variantSchema: {
      method: 'GET',
      target: '/v1/models/{id}/{variant}/openapi.json',
      as: 'valid',
      times: 3,
    },
  },
  run: async function* (session) {
    const id = await anyModel(session);
    for (const bad of badSegments(id))
      for (const name of ['detail', 'schema'] as const) {
        const answer = await session.send(name, { fill: { id: bad } });
        yield noSuccess('router.ids.segment-revalidated', answer);
      }
    // One character more than the longest ones: a server that truncates it reads one of them.
    const listed = await catalogueIds(session);
    for (const longer of [...tooLong(listed), ...repeatedSeparators(listed)]) {
      const answer = await session.send('longer', { fill: { id: longer } });
      yield noSuccess('router.ids.segment-revalidated', answer);
    }
    // Document 1, Identifier schemas, rule 4: a path with a third segment addresses nothing.
    for (const variant of VARIANTS)
      for (const name of ['variant', 'variantSchema'] as const) {
        const answer = await session.send(name, { fill: { id, variant } });
        yield noSuccess('router.ids.variant-not-addressable', answer);
      }
  },
});

export const badSegmentRuns = scenario({
  id: 'router.ids.bad-segment-runs',
  api: 'router',
  title: 'runs with segments that fail their pattern, with a variant, and on the queue route',
  permissions: ['negatives'],
  judges: ['router.ids.segment-revalidated', 'router.ids.variant-not-addressable', 'router.queue.not-served'],
  uses: [catalogue],
  severalCases: [
    'router.ids.segment-revalidated',
    'router.ids.variant-not-addressable',
    'router.queue.not-served',
  ],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: BAD_SEGMENTS },
    variant: { method: 'POST', target: '/v1/models/{id}/{variant}', as: 'valid', times: 3 },
    queue: { method: 'POST', target: '/v1/queue/models/{id}', as: 'valid', times: 1 },
    queueRead: { method: 'GET', target: '/v1/queue/models/{id}', as: 'valid', times: 1 },
  },
  run: async function* (session) {
    const id = await anyModel(session);
    const body = session.fixtures.model?.ok?.input ?? {};
    for (const bad of badSegments(id)) {
      const answer = await session.send('run', { fill: { id: bad }, body });
      yield noSuccess('router.ids.segment-revalidated', answer);
    }
    for (const variant of VARIANTS) {
      const answer = await session.send('variant', { fill: { id, variant }, body });
      yield noSuccess('router.ids.variant-not-addressable', answer);
    }
    // Document 1, What the service does, deliberate properties, and Versioning, item 2: planned, and not
    // served.
    for (const queue of [
      await session.send('queue', { fill: { id }, body }),
      await session.send('queueRead', { fill: { id } }),
    ])
      yield noSuccess('router.queue.not-served', queue);
  },
});
