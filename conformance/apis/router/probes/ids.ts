import { isSuccess } from '../../../exchange.ts';
import { check } from '../../../check.ts';
import { scenario } from '../../../scenario.ts';
import { sketchRefusal } from './answers.ts';
import { anyModel, catalogue } from './catalogue.ts';

/**
 * Document 1, Identifier schemas, rules 1 and 2: what no handler may act on, as it stands on the wire. Which status
 * refuses it is not shown.
 */
export function badSegments(id: string): readonly string[] {
  const [provider = '', model = ''] = id.split('/');
  return [
    `${provider.toUpperCase()}/${model}`,
    `${provider}/${model.toUpperCase()}`,
    `${provider}..${provider}/${model}`,
    `${provider}/${model}..${model}`,
    `${provider}/-${model}`,
    `%2e%2e/${model}`,
    `..%2fadmin/${model}`,
    `${provider}%2F${model}/${model}`,
    `${provider}/${model}%2Ffast`,
    `${provider}/${model}%00`,
    // Its decoded form is listed; rule 1 says that percent-encoding is not allowed.
    `${provider}/%${model.charCodeAt(0).toString(16)}${model.slice(1)}`,
    `${'a'.repeat(65)}/${model}`,
    `${provider}/${'a'.repeat(129)}`,
  ];
}

export const badSegmentReads = scenario({
  id: 'router.ids.bad-segment-reads',
  api: 'router',
  title: 'reads with segments that fail their pattern',
  judges: ['router.ids.segment-revalidated', 'router.ids.variant-not-addressable'],
  uses: [catalogue],
  severalCases: ['router.ids.segment-revalidated'],
  requests: {
    detail: { method: 'GET', target: '/v1/models/{id}', as: 'valid', times: 13 },
    variant: { method: 'GET', target: '/v1/models/{id}/fast', as: 'valid', times: 1 },
  },
  run: async function* (session) {
    const id = await anyModel(session);
    for (const bad of badSegments(id)) {
      const answer = await session.send('detail', { fill: { id: bad } });
      yield check(
        'router.ids.segment-revalidated',
        answer,
        !isSuccess(answer),
        'no success',
        sketchRefusal(answer),
      );
    }
    // Document 1, Identifier schemas, rule 4: a third segment addresses nothing.
    const variant = await session.send('variant', { fill: { id } });
    yield check(
      'router.ids.variant-not-addressable',
      variant,
      !isSuccess(variant),
      'no success',
      sketchRefusal(variant),
    );
  },
});

export const badSegmentRuns = scenario({
  id: 'router.ids.bad-segment-runs',
  api: 'router',
  title: 'runs with segments that fail their pattern, with a variant, and on the queue route',
  permissions: ['negatives'],
  judges: ['router.ids.segment-revalidated', 'router.ids.variant-not-addressable', 'router.queue.not-served'],
  uses: [catalogue],
  severalCases: ['router.ids.segment-revalidated'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 13 },
    variant: { method: 'POST', target: '/v1/models/{id}/fast', as: 'valid', times: 1 },
    queue: { method: 'POST', target: '/v1/queue/models/{id}', as: 'valid', times: 1 },
  },
  run: async function* (session) {
    const id = await anyModel(session);
    const body = session.fixtures.model?.ok?.input ?? {};
    for (const bad of badSegments(id)) {
      const answer = await session.send('run', { fill: { id: bad }, body });
      yield check(
        'router.ids.segment-revalidated',
        answer,
        !isSuccess(answer),
        'no success',
        sketchRefusal(answer),
      );
    }
    const variant = await session.send('variant', { fill: { id }, body });
    yield check(
      'router.ids.variant-not-addressable',
      variant,
      !isSuccess(variant),
      'no success',
      sketchRefusal(variant),
    );
    // Document 1, What the service does, deliberate properties, and Versioning, item 2: planned, and not served.
    const queue = await session.send('queue', { fill: { id }, body });
    yield check('router.queue.not-served', queue, !isSuccess(queue), 'no success', sketchRefusal(queue));
  },
});
