import { member, parseJson } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { moduleWrites } from '../../writes/module-writes.ts';

/** Document 2: a publication makes a version, and an enhancement a task. No operation removes them. */
export const registryWrites = moduleWrites(
  'registry',
  [
    {
      ...{ operation: 'publishNodeVersion', method: 'POST', effect: 'creates' },
      path: '/publishers/{publisherId}/nodes/{nodeId}/versions',
      idMade: versionMade,
    },
    {
      ...{ operation: 'startSkinEnhancement', method: 'POST', effect: 'creates' },
      path: '/proxy/{partner}/v1/ai/skin-enhancer/creative',
      idMade: ({ json }) => textOf(member(member(json, 'data'), 'task_id')),
    },
  ],
  {
    given: ({ publish, proxy }) => [
      [publish, publish?.second, publish?.foreign].map((one) => one?.nodeId),
      proxy?.partner,
    ],
  },
);

// --- internal ---

/** The version that was sent: an answer of a faulty server may show another one. */
function versionMade({ request, json }: Exchange): string | undefined {
  const sent = parseJson(new TextDecoder().decode(request.body));
  return textOf(
    member(member(sent, 'node_version'), 'version') ?? member(member(json, 'node_version'), 'version'),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
