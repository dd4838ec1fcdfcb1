import type { Json } from '../../../contract/index.ts';
import type { Fixtures } from '../../target/fixtures.ts';
import type { Occasions } from '../../target/occasions.ts';

/** The fixtures of publications and of images by operation and occasion. */
export function registryOffers({
  publish,
  proxy,
}: Pick<Fixtures, 'publish' | 'proxy'>): Pick<Fixtures, 'parameters' | 'bodies' | 'occasions'> {
  const { publisherId, nodeId, node, node_version: version, pat, second } = publish ?? {};
  const { partner, image: { base64, url } = {} } = proxy ?? {};
  const publication = {
    node: node ?? {},
    // A free text and a list.
    node_version: { ...(version as Readonly<Record<string, Json>>), version: '1.0.0', tags: ['image'] },
    personal_access_token: pat ?? '',
  };
  const occasions: Occasions = {
    ...(second === undefined
      ? {}
      : {
          publishNodeVersion: {
            other: {
              parameters: { publisherId: second.publisherId, nodeId: second.nodeId },
              body: { ...publication, node: { ...(node as object), id: second.nodeId } },
            },
          },
        }),
    ...(url === undefined ? {} : { startSkinEnhancement: { other: { body: { image: url } } } }),
  };
  return {
    parameters: known({ publisherId, nodeId, partner }),
    bodies: {
      ...(pat === undefined ? {} : { publishNodeVersion: publication }),
      ...(base64 === undefined ? {} : { startSkinEnhancement: { image: base64 } }),
    },
    occasions,
  };
}

// --- internal ---

function known(values: Readonly<Record<string, string | undefined>>): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
