import type { DocumentRule } from './document-rules.ts';
import { objectAt, pointer, valueAt } from './own-specs.ts';

const schemas = ['components', 'schemas'];
const publish = '/publishers/{publisherId}/nodes/{nodeId}/versions';
const task = [...schemas, 'SkinEnhancementResponse', 'properties', 'data', 'properties'];
const request = [...schemas, 'SkinEnhancementRequest'];

const states: Readonly<Record<string, readonly string[]>> = {
  NodeStatus: ['NodeStatusActive', 'NodeStatusDeleted', 'NodeStatusBanned'],
  NodeVersionStatus: [
    'NodeVersionStatusActive',
    'NodeVersionStatusDeleted',
    'NodeVersionStatusBanned',
    'NodeVersionStatusPending',
    'NodeVersionStatusFlagged',
  ],
  PublisherStatus: ['PublisherStatusActive', 'PublisherStatusBanned'],
};

const stateRules: Readonly<Record<string, string>> = {
  NodeStatus: 'registry.node.enum-status',
  NodeVersionStatus: 'registry.node-version.enum-status',
  PublisherStatus: 'registry.publisher.enum-status',
};

export const registryDocumentRules: readonly DocumentRule[] = [
  {
    id: 'registry.paths.no-version-prefix',
    check: ({ paths }) =>
      Object.keys(objectAt(paths)).filter((path) => !path.startsWith('/proxy/') && path !== publish),
    breaks: [{ path: ['paths', `/v1${publish}`], value: {} }],
  },
  {
    id: 'registry.node.no-required',
    check: (root) =>
      'required' in objectAt(root, ...schemas, 'Node') ? [pointer([...schemas, 'Node', 'required'])] : [],
    breaks: [{ path: [...schemas, 'Node', 'required'], value: ['id'] }],
  },
  {
    id: 'registry.names.created-at-mix',
    check: (root) =>
      [
        ['Node', 'created_at', 'createdAt'],
        ['NodeVersion', 'createdAt', 'created_at'],
        ['Publisher', 'createdAt', 'created_at'],
      ].flatMap(([schema = '', spelled = '', other = '']) => {
        const properties = objectAt(root, ...schemas, schema, 'properties');
        return spelled in properties && !(other in properties) ? [] : [`${schema}.${spelled}`];
      }),
    breaks: [
      { path: [...schemas, 'NodeVersion', 'properties', 'created_at'], value: { type: 'string' } },
      { path: [...schemas, 'Node', 'properties', 'created_at'], value: undefined },
      { path: [...schemas, 'Publisher', 'properties', 'createdAt'], value: undefined },
    ],
  },
  {
    id: 'registry.node.category-deprecated',
    check: (root) =>
      valueAt(root, ...schemas, 'Node', 'properties', 'category', 'deprecated') === true ? [] : ['category'],
    breaks: [
      { path: [...schemas, 'Node', 'properties', 'category'], value: undefined },
      { path: [...schemas, 'Node', 'properties', 'category', 'deprecated'], value: undefined },
    ],
  },
  ...Object.entries(states).map(([schema, values]) => ({
    id: stateRules[schema] ?? schema,
    check: (root: Parameters<DocumentRule['check']>[0]) =>
      JSON.stringify(valueAt(root, ...schemas, schema, 'enum')) === JSON.stringify(values) ? [] : [schema],
    breaks: [{ path: [...schemas, schema, 'enum'], value: ['active', 'banned'] }],
  })),
  {
    id: 'registry.node-version.download-url-output-only',
    check: (root) =>
      valueAt(root, ...schemas, 'NodeVersion', 'properties', 'downloadUrl', 'readOnly') === true
        ? []
        : ['downloadUrl'],
    breaks: [
      { path: [...schemas, 'NodeVersion', 'properties', 'downloadUrl', 'readOnly'], value: undefined },
    ],
  },
  {
    id: 'registry.publish.pat-not-echoed',
    check: (root) => {
      const token = objectAt(
        root,
        ...schemas,
        'PublishNodeVersionRequest',
        'properties',
        'personal_access_token',
      );
      return token['writeOnly'] === true && token['format'] === 'password' ? [] : ['personal_access_token'];
    },
    breaks: [
      {
        path: [...schemas, 'PublishNodeVersionRequest', 'properties', 'personal_access_token', 'writeOnly'],
        value: undefined,
      },
    ],
  },
  {
    id: 'proxy.skin.status-open',
    check: (root) =>
      Object.keys(objectAt(root, ...task, 'status'))
        .sort()
        .join() === 'description,type'
        ? []
        : ['status'],
    breaks: [{ path: [...task, 'status', 'enum'], value: ['CREATED'] }],
  },
  {
    id: 'proxy.skin.webhook-optional',
    check: (root) => ('required' in objectAt(root, ...request) ? [pointer([...request, 'required'])] : []),
    breaks: [{ path: [...request, 'required'], value: ['image', 'webhook_url'] }],
  },
];
