import { type SchemaPair, schemaPairs } from './schemas.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each check changes the part that it is about
type Sample = Record<string, any>;
export type DocumentPair = readonly [old: object, next: object];

const text = { type: 'string' };
const json = (schema: unknown): object => ({
  content: { 'application/json': schema === undefined ? {} : { schema } },
});
const tagged = (tag: string): object => ({
  type: 'object',
  required: ['is'],
  properties: { is: { const: tag } },
});

/** A document with one operation, and these parts in it. */
function documentOf(change: (operation: Sample, document: Sample) => void): object {
  const operation: Sample = {
    operationId: 'make',
    tags: ['a'],
    security: [{ Key: [] }],
    parameters: [],
    requestBody: { required: true, ...json({ type: 'object' }) },
    responses: { 200: { description: 'ok', headers: {}, ...json({ type: 'object' }) } },
  };
  const document: Sample = {
    openapi: '3.1.0',
    info: { title: 'Sample', version: '1.0.0' },
    paths: { '/things': { post: operation } },
    webhooks: {},
    components: {
      securitySchemes: {
        Key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        Token: {
          type: 'oauth2',
          flows: {
            clientCredentials: { tokenUrl: 'https://a.example.com', scopes: { read: 'r', write: 'w' } },
          },
        },
      },
      schemas: { Cat: tagged('cat'), Dog: tagged('dog'), Fish: tagged('fish') },
    },
  };
  change(operation, document);
  return document;
}

type Change = (operation: Sample, document: Sample) => void;
const nothing: Change = () => undefined;
const from = (old: Change, next: Change): DocumentPair => [documentOf(old), documentOf(next)];
const added = (change: Change): DocumentPair => from(nothing, change);
const removed = (change: Change): DocumentPair => from(change, nothing);

const answer = (operation: Sample): Sample => operation['responses'][200];
const parameter =
  (more: object): Change =>
  (operation) =>
    operation['parameters'].push({ name: 'q', in: 'query', schema: text, ...more });
const member =
  (place: 'request' | 'response', schema: object, isRequired = false): Change =>
  (operation) => {
    const around = {
      type: 'object',
      properties: { it: schema },
      ...(isRequired ? { required: ['it'] } : {}),
    };
    Object.assign(place === 'request' ? operation['requestBody'] : answer(operation), json(around));
  };
const header =
  (more: object): Change =>
  (operation) =>
    (answer(operation)['headers']['X-It'] = { schema: text, ...more });

/** Where a schema is put, by the beginning of the id. The longest that fits is taken. */
const places: Readonly<Record<string, (schema: unknown) => Change>> = {
  'request-body-': (schema) => (operation) => Object.assign(operation['requestBody'], json(schema)),
  'request-property-': (schema) => member('request', schema as object),
  'request-parameter-': (schema) => parameter({ schema }),
  'request-parameter-property-': (schema) =>
    parameter({ style: 'deepObject', explode: true, schema: { type: 'object', properties: { it: schema } } }),
  'request-header-property-': (schema) =>
    parameter({ in: 'header', schema: { type: 'object', properties: { it: schema } } }),
  'request-read-only-property-': (schema) => member('request', { ...(schema as object), readOnly: true }),
  'response-body-': (schema) => (operation) => Object.assign(answer(operation), json(schema)),
  'response-property-': (schema) => member('response', schema as object),
  'response-write-only-property-': (schema) => member('response', { ...(schema as object), writeOnly: true }),
  'response-header-': (schema) => header({ schema }),
  'response-mediatype-': (schema) => (operation) => Object.assign(answer(operation), json(schema)),
};

const scopes =
  (...names: readonly string[]): Change =>
  (operation) =>
    (operation['security'] = [{ Token: names }]);
const everywhere =
  (security: object[]): Change =>
  (operation, document) => {
    delete operation['security'];
    document['security'] = security;
  };
const noToken: Change = (_, document) => delete document['components'].securitySchemes.Token;
const token =
  (more: object): Change =>
  (_, document) =>
    Object.assign(document['components'].securitySchemes.Token, more);
const flows = (more: object): Change =>
  token({
    flows: {
      clientCredentials: { tokenUrl: 'https://a.example.com', scopes: { read: 'r', write: 'w' }, ...more },
    },
  });
const implicit = (authorizationUrl: string): Change =>
  token({ flows: { implicit: { authorizationUrl, scopes: {} } } });
const gone: Change = (_, document) => delete document['paths']['/things'].post;
const goneWithPath: Change = (_, document) => (document['paths'] = {});
const deprecated: Change = (operation) => (operation['deprecated'] = true);
const status =
  (code: string): Change =>
  (operation) =>
    (operation['responses'][code] = { description: 'more' });
const taken =
  (holder: (operation: Sample) => Sample, ...types: readonly string[]): Change =>
  (operation) =>
    (holder(operation)['content'] = Object.fromEntries(types.map((type) => [type, {}])));
const body = (operation: Sample): Sample => operation['requestBody'];
const noBody: Change = (operation) => delete operation['requestBody'];
const optionalBody: Change = (operation) => (operation['requestBody'].required = false);
const marked = (mark: string): object => ({ ...text, [mark]: true });
const pathParameter: Change = (operation, document) => {
  operation['parameters'].push({ name: 'id', in: 'path', required: true, schema: text });
  document['paths'] = { '/things/{id}': document['paths']['/things'] };
};
const webhook: Change = (_, document) =>
  (document['webhooks'].sent = { post: { responses: { 200: { description: 'ok' } } } });

const special: Readonly<Record<string, DocumentPair>> = {
  'endpoint-added': from(gone, nothing),
  'endpoint-deprecated': added(deprecated),
  'endpoint-reactivated': removed(deprecated),
  'api-removed-without-deprecation': added(gone),
  'api-removed-with-deprecation': from(deprecated, gone),
  'api-path-removed-without-deprecation': added(goneWithPath),
  'api-path-removed-with-deprecation': from(deprecated, goneWithPath),
  'api-operation-id-added': from((operation) => delete operation['operationId'], nothing),
  'api-operation-id-removed': added((operation) => delete operation['operationId']),
  'api-tag-added': added((operation) => operation['tags'].push('b')),
  'api-tag-removed': added((operation) => (operation['tags'] = [])),
  'api-schema-removed': added((_, document) => delete document['components'].schemas.Fish),
  'api-security-added': added((operation) => operation['security'].push({ Token: ['read'] })),
  'api-security-removed': removed((operation) => operation['security'].push({ Token: ['read'] })),
  'api-security-scope-added': from(scopes('read'), scopes('read', 'write')),
  'api-security-scope-removed': from(scopes('read', 'write'), scopes('read')),
  'api-global-security-added': from(everywhere([{ Key: [] }]), everywhere([{ Key: [] }, { Token: [] }])),
  'api-global-security-removed': from(everywhere([{ Key: [] }, { Token: [] }]), everywhere([{ Key: [] }])),
  'api-global-security-scope-added': from(
    everywhere([{ Token: ['read'] }]),
    everywhere([{ Token: ['read', 'write'] }]),
  ),
  'api-global-security-scope-removed': from(
    everywhere([{ Token: ['read', 'write'] }]),
    everywhere([{ Token: ['read'] }]),
  ),
  'api-security-component-added': from(noToken, nothing),
  'api-security-component-removed': added(noToken),
  'api-security-component-type-changed': added(
    (_, document) => (document['components'].securitySchemes.Key = { type: 'http', scheme: 'bearer' }),
  ),
  'api-security-component-oauth-scope-added': from(flows({ scopes: { read: 'r' } }), nothing),
  'api-security-component-oauth-scope-removed': added(flows({ scopes: { read: 'r' } })),
  'api-security-component-oauth-scope-changed': added(flows({ scopes: { read: 'other words', write: 'w' } })),
  'api-security-component-oauth-token-url-changed': added(flows({ tokenUrl: 'https://b.example.com' })),
  'api-security-component-oauth-url-changed': from(
    implicit('https://a.example.com'),
    implicit('https://b.example.com'),
  ),
  'new-optional-request-parameter': added(parameter({})),
  'new-required-request-parameter': added(parameter({ required: true })),
  'new-request-path-parameter': added(pathParameter),
  'new-optional-request-default-parameter-to-existing-path': added(
    (_, document) => (document['paths']['/things'].parameters = [{ name: 'q', in: 'query', schema: text }]),
  ),
  'new-required-request-default-parameter-to-existing-path': added(
    (_, document) =>
      (document['paths']['/things'].parameters = [{ name: 'q', in: 'query', required: true, schema: text }]),
  ),
  'new-optional-request-property': from(member('request', text), (operation) =>
    Object.assign(body(operation), json({ type: 'object', properties: { it: text, more: text } })),
  ),
  'new-required-request-property': added(member('request', text, true)),
  'new-required-request-property-with-default': added(member('request', { ...text, default: 'a' }, true)),
  'new-required-request-header-property': from(
    parameter({ in: 'header', schema: { type: 'object' } }),
    parameter({ in: 'header', schema: { type: 'object', required: ['it'], properties: { it: text } } }),
  ),
  'request-header-property-became-required': from(
    parameter({ in: 'header', schema: { type: 'object', properties: { it: text } } }),
    parameter({ in: 'header', schema: { type: 'object', required: ['it'], properties: { it: text } } }),
  ),
  'request-body-added-optional': from(noBody, optionalBody),
  'request-body-added-required': from(noBody, nothing),
  'request-body-removed': added(noBody),
  'request-body-became-optional': added(optionalBody),
  'request-body-became-required': removed(optionalBody),
  'request-body-media-type-added': from(
    taken(body, 'application/json'),
    taken(body, 'application/json', 'application/xml'),
  ),
  'request-body-media-type-removed': from(
    taken(body, 'application/json', 'application/xml'),
    taken(body, 'application/json'),
  ),
  'request-body-media-type-schema-added': from(taken(body, 'application/json'), nothing),
  'request-body-media-type-schema-removed': added(taken(body, 'application/json')),
  'response-body-media-type-schema-added': from(taken(answer, 'application/json'), nothing),
  'response-body-media-type-schema-removed': added(taken(answer, 'application/json')),
  'request-parameter-removed': removed(parameter({})),
  'request-parameter-removed-with-deprecation': removed(parameter({ deprecated: true })),
  'request-parameter-became-required': from(parameter({}), parameter({ required: true })),
  'request-parameter-became-optional': from(parameter({ required: true }), parameter({})),
  'request-parameter-deprecated': from(parameter({}), parameter({ deprecated: true })),
  'request-parameter-reactivated': from(parameter({ deprecated: true }), parameter({})),
  'request-property-removed': removed(member('request', text)),
  'request-property-became-required': from(member('request', text), member('request', text, true)),
  'request-property-became-required-with-default': from(
    member('request', { ...text, default: 'a' }),
    member('request', { ...text, default: 'a' }, true),
  ),
  'request-property-became-optional': from(member('request', text, true), member('request', text)),
  'response-property-became-required': from(member('response', text), member('response', text, true)),
  'response-property-became-optional': from(member('response', text, true), member('response', text)),
  'response-write-only-property-became-required': from(
    member('response', marked('writeOnly')),
    member('response', marked('writeOnly'), true),
  ),
  'response-write-only-property-became-optional': from(
    member('response', marked('writeOnly'), true),
    member('response', marked('writeOnly')),
  ),
  'response-header-added': added(header({})),
  'response-header-became-optional': from(header({ required: true }), header({})),
  'required-response-header-removed': removed(header({ required: true })),
  'optional-response-header-removed': removed(header({})),
  'response-media-type-added': from(
    taken(answer, 'application/json'),
    taken(answer, 'application/json', 'application/xml'),
  ),
  'response-media-type-removed': from(
    taken(answer, 'application/json', 'application/xml'),
    taken(answer, 'application/json'),
  ),
  'response-media-type-name-changed': from(
    taken(answer, 'application/json; v=1'),
    taken(answer, 'application/json; v=2'),
  ),
  'response-media-type-name-generalized': from(
    taken(answer, 'application/json'),
    taken(answer, 'application/*'),
  ),
  'response-media-type-name-specialized': from(
    taken(answer, 'application/*'),
    taken(answer, 'application/json'),
  ),
  'response-success-status-added': added(status('202')),
  'response-success-status-removed': removed(status('202')),
  'response-non-success-status-added': added(status('404')),
  'response-non-success-status-removed': removed(status('404')),
  'webhook-added': added(webhook),
  'webhook-removed': removed(webhook),
};

/** The member that a body has, is given or loses, and is marked or unmarked: ids that say all of it in words. */
function memberPair(id: string): DocumentPair | undefined {
  const [, side, need, writeOnly, what] =
    /^(request|response)-(optional|required)-(write-only-)?property-(added|removed)$/.exec(id) ?? [];
  const place = (name: string | undefined): 'request' | 'response' =>
    name === 'request' ? 'request' : 'response';
  if (what !== undefined) {
    const change = member(
      place(side),
      writeOnly === undefined ? text : marked('writeOnly'),
      need === 'required',
    );
    return what === 'added' ? added(change) : removed(change);
  }
  const [, where, required, not, mark] =
    /^(request|response)-(optional|required)-property-became-(not-)?(read-only|write-only)$/.exec(id) ?? [];
  if (mark === undefined) return undefined;
  const isRequired = required === 'required';
  const name = mark === 'read-only' ? 'readOnly' : 'writeOnly';
  const pair = [
    member(place(where), text, isRequired),
    member(place(where), marked(name), isRequired),
  ] as const;
  return not === undefined ? from(...pair) : from(pair[1], pair[0]);
}

/** Two documents that show what a check of oasdiff is about; `undefined` for what no document of OpenAPI says by itself. */
export function pairFor(id: string): DocumentPair | undefined {
  const known = special[id] ?? memberPair(id);
  if (known !== undefined) return known;
  const begins = Object.keys(places).filter(
    (each) => id.startsWith(each) && id.slice(each.length) in schemaPairs,
  );
  const begin = begins.sort((a, b) => b.length - a.length)[0];
  const place = begin === undefined ? undefined : places[begin];
  const pair: SchemaPair | undefined = begin === undefined ? undefined : schemaPairs[id.slice(begin.length)];
  return place === undefined || pair === undefined ? undefined : from(place(pair[0]), place(pair[1]));
}
