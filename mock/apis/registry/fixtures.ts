import { MOCK_JWT, mockKeyPrefix } from '../../call/caller.ts';
import type { KnownValues } from '../../api.ts';
import type { Fixtures } from '../../fixtures.ts';
import type { Registry } from './context.ts';
import { made } from './publishers.ts';
import { compareVersions, readVersion } from './semantic-version.ts';
import type { NodeVersion } from './stored-forms.ts';

/** The fixtures of the registry and of its partner route for the suite. */
export function registryFixtures(registry: Registry): Fixtures {
  const { facts, assume, besideRouter } = registry;
  const keyHeader =
    besideRouter || assume('A-55').apiKeyIn === 'either header' ? facts.credentials.keyHeader : undefined;
  const key = (name: string): string => `${mockKeyPrefix(facts.credentials)}${name}`;
  return {
    cred: {
      valid:
        keyHeader === undefined
          ? { header: 'Authorization', value: `Bearer ${key('ok')}` }
          : { header: keyHeader, value: key('ok') },
      apiKey: key('ok'),
      jwt: MOCK_JWT,
      forbidden: key('forbidden'),
      secondAccount: key('ok+second'),
    },
    capabilities: { keyAsBearer: true },
    publish: publication(registry),
    proxy: {
      partner: 'northwind',
      image: { base64: ONE_PIXEL, url: 'https://files.example.com/portrait.jpg' },
    },
  };
}

/** A publication that the mock accepts. */
export function knownPublication(registry: Registry): KnownValues {
  const { publisherId, nodeId, node, pat, nextVersion, ...rest } = publication(registry);
  const [tokenMember = ''] = registry.facts.secrets;
  return {
    parameters: { publisherId, nodeId },
    body: { node, node_version: { ...rest.node_version, version: nextVersion }, [tokenMember]: pat },
  };
}

// --- internal ---

/** A GIF of one pixel. */
const ONE_PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

/** The publications that a caller may make, and its identity. */
function publication({ assume, state }: Registry) {
  return {
    publisherId: made.publisher,
    nodeId: made.node,
    node: {
      id: made.node,
      name: 'Upscaler',
      description: 'Enlarges pictures.',
      tags: ['image'],
      license: 'LICENSE',
      repository: 'https://git.example.com/acme/upscaler',
    },
    node_version: { version: '{next}', changelog: 'Sharper edges', dependencies: ['numpy'] },
    pat: `${assume('A-41').prefix}ok`,
    nextVersion: nextVersion(state.store('').nodes.get(made.node)?.versions ?? []),
    foreign: { publisherId: made.foreignPublisher, nodeId: made.foreignNode },
    second: { publisherId: made.publisher, nodeId: made.secondNode },
  };
}

/** A version that the node does not have, with room above it. */
function nextVersion(known: readonly NodeVersion[]): string {
  const versions = known
    .map(({ version }) => readVersion(version))
    .filter((version) => version !== undefined);
  const highest = versions.sort(compareVersions).at(-1);
  return highest === undefined ? '1.0.0' : `${highest.core[0]}.${String(BigInt(highest.core[1]) + 1n)}.0`;
}
