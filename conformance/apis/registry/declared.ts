import { isInAuthorization } from '../../target/credential.ts';
import type { DeclaredApi } from '../../declared-api.ts';
import { member } from '../../exchanges/exchange.ts';
import { group, leaf } from '../../target/fixture-shape.ts';
import { registryOffers } from './offers.ts';

const node = group('a publisher and one of its nodes', {
  publisherId: leaf('text', 'the publisher id', '…'),
  nodeId: leaf('text', 'the node id', '…'),
});

/** The members of the fixtures file for this API. */
const fixtures = {
  publish: group('a node that may be published', {
    ...node.members,
    node: leaf('json', 'the node object of the request', {}),
    node_version: leaf('json', 'the version object; {next} is replaced with the next number', {
      version: '{next}',
    }),
    pat: leaf('secret', 'the personal access token', '$PAT'),
    nextVersion: leaf('text', 'the first version number to use', '1.4.0'),
    foreign: group('a publisher that the token has no rights for', node.members, ['publisherId', 'nodeId'], {
      publisherId: '…',
      nodeId: '…',
    }),
    second: group('another node', node.members, ['publisherId', 'nodeId'], { publisherId: '…', nodeId: '…' }),
  }),
  proxy: group('the partner proxy', {
    partner: leaf('text', 'the partner segment of the path', '…'),
    image: group('one image in both forms', {
      base64: leaf('text', 'Base64', '…'),
      url: leaf('text', 'HTTPS URL', 'https://…'),
    }),
  }),
};

/** Any credential that can be sent as a bearer token; the fixtures file has several members for one. */
const BEARER = 'a bearer credential';

const identities = {
  /**
   * Publishing requires a bearer token (document 2, Authentication, item 1): a JWT, or a key if keys are
   * accepted as such.
   */
  publisher: {
    need: BEARER,
    isDerived: true,
    placeholders: ['$JWT', '$API_KEY'],
    credential: ({ valid, fixtures, asBearer }) => {
      const isBearer = valid !== undefined && isInAuthorization(valid);
      const key = fixtures.capabilities?.keyAsBearer === true ? fixtures.cred?.apiKey : undefined;
      return asBearer(fixtures.cred?.jwt) ?? (isBearer ? valid : asBearer(key));
    },
  },
} as const satisfies DeclaredApi['identities'];

export const declaredRegistry = {
  api: 'registry',
  fixtures,
  lines: {
    [BEARER]: { cred: { jwt: '$JWT' } },
    publish: {
      publish: { publisherId: '…', nodeId: '…', node: {}, node_version: { version: '{next}' }, pat: '$PAT' },
    },
    'proxy.image': { proxy: { partner: '…', image: { base64: '…', url: 'https://…' } } },
  },
  identities,
  offers: registryOffers,
  secrets: ({ publish }) => [[publish?.pat, '$PAT']],
  isError: (json) => typeof member(json, 'error') === 'string' && typeof member(json, 'message') === 'string',
} satisfies DeclaredApi;
