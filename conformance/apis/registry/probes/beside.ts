import { isObject } from '../../../exchanges/exchange.ts';
import { judgeCompany } from '../../../scenarios/company.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { SendOptions } from '../../../scenarios/scenario.ts';
import { once, place, publication, publishFresh, freshTimes, versionNumbers } from './publication.ts';
import { ROUTE, partner, whole } from './proxy.ts';

/** How many different requests are sent at the same time. */
const TOGETHER = 4;

export const publishedBeside = scenario({
  id: 'registry.publish.beside',
  api: 'registry',
  title: 'versions of two nodes that are published at the same time',
  permissions: ['publish'],
  needs: ['publish', 'publish.second'],
  lock: 'registry.node',
  sensitive: true,
  // Oracles judge whether each answer is about its own request.
  judges: ['registry.publish.201'],
  searches: ['registry.publish.201'],
  uses: [versionNumbers],
  requests: {
    fresh: { ...once, times: freshTimes },
    together: { ...once, times: TOGETHER, judgesRefusal: true },
    alone: { ...once, times: TOGETHER },
  },
  run: async function* (session) {
    const { fixtures } = session;
    // The numbers after a fresh one are free.
    await publishFresh(session, 'fresh');
    const numbers = await session.obtain(versionNumbers);
    const { publisherId = '', nodeId = '' } = fixtures.publish?.second ?? {};
    const second = { publisher: encodeURIComponent(publisherId), node: encodeURIComponent(nodeId) };
    const calls = Array.from({ length: TOGETHER }, (_, index): SendOptions => {
      const body = publication(fixtures, numbers.next());
      const changelog = `Changelog ${index} of ${TOGETHER}.`;
      const one = { ...body, node_version: { ...body.node_version, changelog } };
      if (index % 2 === 0) return { fill: place(fixtures), body: one };
      const node = isObject(body.node) && 'id' in body.node ? { ...body.node, id: nodeId } : body.node;
      return { fill: second, body: { ...one, node } };
    });
    const answers = await session.race('together', calls);
    // Document 2, POST …/versions, responses, 400: for invalid input data.
    yield* judgeCompany('registry.publish.201', answers, (index) =>
      session.send('alone', calls[index] ?? {}),
    );
  },
});

export const enhancedBeside = scenario({
  id: 'proxy.skin.beside',
  api: 'registry',
  title: 'different enhancements that are started at the same time',
  permissions: ['billed'],
  needs: ['proxy.partner', 'proxy.image'],
  sensitive: true,
  // An oracle judges whether each request has its own task.
  judges: ['proxy.skin.200'],
  searches: ['proxy.skin.200'],
  requests: {
    together: { method: 'POST', target: ROUTE, as: 'valid', times: TOGETHER, judgesRefusal: true },
    alone: { method: 'POST', target: ROUTE, as: 'valid', times: TOGETHER },
  },
  run: async function* (session) {
    const { race, fixtures } = session;
    const calls = Array.from({ length: TOGETHER }, (_, index) => ({
      fill: partner(fixtures),
      body: { ...whole(fixtures), sharpen: 10 + index },
    }));
    const answers = await race('together', calls);
    yield* judgeCompany('proxy.skin.200', answers, (index) => session.send('alone', calls[index] ?? {}));
  },
});
