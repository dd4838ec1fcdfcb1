import type { Classified } from './reason.ts';

/** Survivors in the files of the registry and the proxy. */
export const registryReasons: readonly Classified[] = [
  {
    mutation: "proxy.ts: refusal(404, 'nowhere'",
    is: 'open',
    because:
      'document 2, POST /proxy/…/creative: other proxy routes and the statuses of errors are not shown',
  },
  {
    mutation: "proxy.ts: refusal(405, 'not so'",
    is: 'open',
    because: 'other methods are not part of document 2',
  },
  {
    mutation: 'proxy.ts: !account.hasAccess',
    is: 'open',
    because: 'document 2, Authentication, does not say which credentials lack access to a partner',
  },
  {
    mutation: "proxy.ts: status: 'IN_THE_DARKROOM'",
    is: 'open',
    because: 'document 2: allowed values of data.status are not shown',
  },
  {
    mutation: "proxy.ts: value !== '' && base64",
    is: 'open',
    because: 'document 2 does not say whether an empty text is an image',
  },
  { mutation: 'proxy.ts: value?.startsWith', is: 'equal', because: 'only a known fault runs it' },
  { mutation: "proxy.ts: name === 'x-api-key'", is: 'equal', because: 'only a known fault runs it' },
  {
    mutation: "proxy.ts: refusal(403, 'shut out'",
    is: 'open',
    because: 'document 2: the values of `error` are not shown',
  },
  {
    mutation: 'registry.ts: body: Buffer.alloc(0)',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation: 'registry.ts: /^\\/publishers',
    is: 'open',
    because: 'which paths beside the listed one a server answers is not stated',
  },
  {
    mutation: "registry.ts: refusal(403, 'SHUT_OUT'",
    is: 'open',
    because: 'document 2, Authentication, does not say how a credential without access is refused',
  },
  {
    mutation: 'registry.ts: account?.hasAccess === false',
    is: 'open',
    because: 'document 2, Authentication, does not say how a credential without access is refused',
  },
  {
    mutation: 'registry.ts: retry: false',
    is: 'open',
    because: 'document 2, ErrorResponse, does not say that an error has no further members',
  },
  {
    mutation: 'registry.ts: call.path.startsWith',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation: 'registry.ts: call.method !== ',
    is: 'open',
    because: 'other methods are not part of document 2',
  },
  {
    mutation: "registry.ts: refusal(403, 'NOT_YOURS', 'Not your publisher.') → refusal(403, ''",
    is: 'open',
    because: 'document 2, ErrorResponse: `error` is a string; its values are not shown',
  },
  {
    mutation: "registry.ts: refusal(400, 'TAKEN', 'This version is published.') → refusal(401",
    is: 'open',
    because: 'document 2, Limits, item 2, does not say with which status a version that is taken is refused',
  },
  { mutation: 'registry.ts: refusal(405', is: 'open', because: 'other methods are not part of document 2' },
  {
    mutation: "registry.ts: refusal(409, 'THERE'",
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation: 'registry.ts: call.query.get',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation: 'registry.ts: uploaded.',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation: 'registry.ts: sign',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation:
      "registry.ts: refusal(400, 'BAD_BODY', 'A node, a node_version and a personal_access_token are needed.') → refusal(400, ''",
    is: 'open',
    because: 'document 2, ErrorResponse: `error` is a string; its values are not shown',
  },
  {
    mutation: 'registry.ts: new Date(now()).toISOString()',
    is: 'equal',
    because: 'the same time in another spelling of RFC 3339',
  },
  {
    mutation: 'registry.ts: status: 204',
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation:
      "registry.ts: !isObject(node) || !isObject(given) || typeof token !== 'string' → !isObject(node) || !isObject(given)",
    is: 'open',
    because:
      'a missing token is refused anyway; in which order a body is checked, and so with which status, is not stated',
  },
  {
    mutation: 'registry.ts: node_id: nodeId → nothing',
    is: 'open',
    because: 'document 2, NodeVersion: no member is required',
  },
  {
    mutation: "registry.ts: given['version'] ?? ''",
    is: 'equal',
    because: 'neither is a semantic version',
  },
  {
    mutation: "registry.ts: nodes: ['ink-well'] → nothing",
    is: 'equal',
    because: 'the nodes of a publisher for whom no fixture has a token',
  },
  {
    mutation: "registry.ts: ['pat-2nd-beta', 'beta']",
    is: 'equal',
    because: 'no fixture has this token',
  },
  {
    mutation: 'registry.ts: lastNode = ',
    is: 'equal',
    because: 'only a known fault reads it',
  },
  {
    mutation: "registry.ts: refusal(403, 'NOT_SIGNED'",
    is: 'open',
    because: 'document 2 does not show how the signed address is used',
  },
  {
    mutation: 'registry.ts: publisher?.nodes.includes(nodeId) !== true → false',
    is: 'open',
    because: 'document 2, POST …/versions: what a node that does not exist gets is not stated',
  },
  {
    mutation: 'proxy.ts: /(\\d)e[-+]',
    is: 'equal',
    because: 'only a known fault runs it',
  },
  {
    mutation: 'proxy.ts: body.toString().replaceAll',
    is: 'equal',
    because: 'only a known fault runs it',
  },
  {
    mutation: "proxy.ts: refusal(422, 'misfit', `${wrong} is not what it should be.`) → refusal(422, ''",
    is: 'open',
    because: 'document 2: the values of `error` are not shown',
  },
  {
    mutation: "proxy.ts: refusal(400, 'no object', 'The body is no JSON object.') → refusal(401",
    is: 'open',
    because: 'document 2, POST /proxy/…/creative: the statuses of errors are not shown',
  },
  {
    mutation: "registry.ts: ['ink-well'] → ['']",
    is: 'equal',
    because: 'the nodes of a publisher for whom no fixture has a token',
  },
  {
    mutation: "registry.ts: refusal(400, 'NO_NODE'",
    is: 'open',
    because: 'document 2, POST …/versions: what a node that does not exist gets is not stated',
  },
  {
    mutation:
      "registry.ts: refusal(400, 'BAD_VERSION', 'The version is not a semantic one.') → refusal(400, ''",
    is: 'open',
    because: 'document 2, ErrorResponse: the texts of error are not shown',
  },
];
