import { expect, test } from 'vitest';
import { valueAt } from '../../../contract/pointer.ts';
import { ok, operation, schema, slipLoader } from './slip-documents.ts';

const load = slipLoader();
const A = '/components/schemas/A';
const GET = '/paths/~1x/get';
const PET = { $ref: '#/components/schemas/Pet' };

const answer = (content: string): string =>
  operation(`responses: {'200': {description: ok, content: ${content}}}`);
const CONTENT = `${GET}/responses/200/content`;
const body = (text: string): string => operation(`requestBody: ${text}, ${ok}`);
const BODY = `${GET}/requestBody`;
const scheme = (text: string, use = '{s: []}'): string =>
  `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {security: [${use}], ${ok}}}}\ncomponents: {securitySchemes: {s: ${text}}}`;
const S = '/components/securitySchemes/s';
const reference = (text: string): string => answer(`{application/json: {schema: {$ref: '${text}'}}}`);
const REFERENCE = `${CONTENT}/application~1json/schema`;

/** A document, the pointer of what is looked at, and how it is read. */
const slips: readonly (readonly [title: string, document: string, pointer: string, read: unknown])[] = [
  // References
  ['a reference with a space at its end', reference('#/components/schemas/Pet '), REFERENCE, PET],
  ['a reference with a space at its beginning', reference(' #/components/schemas/Pet'), REFERENCE, PET],
  ['a reference with a slash at its end', reference('#/components/schemas/Pet/'), REFERENCE, PET],
  ['a reference with two slashes', reference('#//components/schemas/Pet'), REFERENCE, PET],
  ['a reference with a colon', reference('#:/components/schemas/Pet'), REFERENCE, PET],
  ['a reference to the section in the singular', reference('#/components/schema/Pet'), REFERENCE, PET],
  ['a reference in other capitals', reference('#/Components/Schemas/pet'), REFERENCE, PET],
  [
    'definitions and the schema of a response of Swagger 2.0, which refers to them',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {responses: {'200': {description: ok, schema: {$ref: '#/definitions/Pet'}}}}}}\ndefinitions: {Pet: {type: object}}`,
    REFERENCE,
    PET,
  ],
  [
    'a response that is a reference to a schema',
    operation(`responses: {'200': {$ref: '#/components/schemas/Pet'}}`),
    `${GET}/responses/200`,
    { description: '', content: { 'application/json': { schema: PET } } },
  ],
  [
    'a request body that is a reference to a schema',
    body(`{$ref: '#/components/schemas/Pet'}`),
    BODY,
    { content: { 'application/json': { schema: PET } } },
  ],
  [
    'a media type that is a reference to a schema',
    answer(`{application/json: {$ref: '#/components/schemas/Pet'}}`),
    CONTENT,
    { 'application/json': { schema: PET } },
  ],
  [
    'a media type that is a schema with references',
    answer(`{application/json: {type: array, items: {$ref: '#/components/schemas/Pet'}}}`),
    CONTENT,
    { 'application/json': { schema: { type: 'array', items: PET } } },
  ],
  [
    'a list of schemas that is one reference',
    schema(`{properties: {a: {allOf: {$ref: '#/components/schemas/A'}}}}`),
    `${A}/properties/a`,
    { allOf: [{ $ref: '#/components/schemas/A' }] },
  ],
  [
    'a mapping to a file of another layout',
    schema(
      `{properties: {a: {oneOf: [{$ref: '#/components/schemas/A'}], discriminator: {propertyName: k, mapping: {a: ./schemas/A.yaml}}}}}`,
    ),
    `${A}/properties/a/discriminator/mapping`,
    { a: '#/components/schemas/A' },
  ],
  // Components
  [
    'a component without a value that is referred to',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents: {schemas: {A: {properties: {n: {$ref: '#/components/schemas/N'}}}, N: null}}`,
    '/components/schemas/N',
    {},
  ],
  [
    'components under a name in the singular',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents: {schema: {A: {type: string}}}`,
    '/components/schemas',
    { A: { type: 'string' } },
  ],
  [
    'an example among the components that is the value itself',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents: {examples: {E: 5}}`,
    '/components/examples/E',
    { value: 5 },
  ],
  // Paths and parameters
  [
    'a path parameter with a regular expression',
    operation(
      `parameters: [{name: id, in: path, required: true, schema: {type: string}}], ${ok}`,
      '/x/{id:[0-9]+}',
    ),
    '/paths/~1x~1{id}/get/parameters/0/name',
    'id',
  ],
  [
    'a path parameter with a type',
    operation(
      `parameters: [{name: id, in: path, required: true, schema: {type: string}}], ${ok}`,
      '/x/{id:int}/y',
    ),
    '/paths/~1x~1{id}~1y/get/parameters/0/name',
    'id',
  ],
  ...['{id?}', '{+id}', '{id*}', '{ id }', '{{id}}'].map(
    (expression) =>
      [
        `the path parameter ${expression}`,
        operation(
          `parameters: [{name: id, in: path, required: true, schema: {type: string}}], ${ok}`,
          `/x/${expression}`,
        ),
        '/paths/~1x~1{id}/get/parameters/0/name',
        'id',
      ] as const,
  ),
  [
    'a member of paths that is a text',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {description: all, /x: {get: {${ok}}}}`,
    '/paths',
    { '/x': { get: { responses: { '200': { description: 'ok' } } } } },
  ],
  [
    'one parameter instead of a list',
    operation(`parameters: {name: q, in: query, schema: {type: string}}, ${ok}`),
    `${GET}/parameters`,
    [{ name: 'q', in: 'query', schema: { type: 'string' } }],
  ],
  [
    'a parameter without a value',
    operation(`parameters: [null, {name: q, in: query, schema: {type: string}}], ${ok}`),
    `${GET}/parameters`,
    [{ name: 'q', in: 'query', schema: { type: 'string' } }],
  ],
  [
    'a position in the plural',
    operation(`parameters: [{name: q, in: headers, schema: {type: string}}], ${ok}`),
    `${GET}/parameters/0/in`,
    'header',
  ],
  [
    'a parameter without a position whose name is in the path',
    operation(`parameters: [{name: id, required: true, schema: {type: string}}], ${ok}`, '/x/{id}'),
    '/paths/~1x~1{id}/get/parameters/0/in',
    'path',
  ],
  [
    'a list in the style of paths as a query parameter',
    operation(
      `parameters: [{name: q, in: query, style: simple, schema: {type: array, items: {type: string}}}], ${ok}`,
    ),
    `${GET}/parameters/0`,
    { name: 'q', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
  ],
  // Responses
  [
    'two statuses with one response',
    operation(`responses: {'200, 201': {description: ok}}`),
    `${GET}/responses`,
    { '200': { description: 'ok' }, '201': { description: 'ok' } },
  ],
  [
    'statuses of a decade',
    operation(`responses: {20x: {description: ok}}`),
    `${GET}/responses`,
    { '2XX': { description: 'ok' } },
  ],
  [
    'words in the place of statuses',
    operation(`responses: {ok: {description: ok}, error: {description: bad}, '': {description: none}}`),
    `${GET}/responses`,
    { '2XX': { description: 'ok' }, default: { description: 'bad' } },
  ],
  [
    'a word beside statuses',
    operation(`responses: {'200': {description: ok}, ok: {description: what}}`),
    `${GET}/responses`,
    { '200': { description: 'ok' } },
  ],
  [
    'responses in the singular',
    operation(`response: {'200': {description: ok}}`),
    `${GET}/responses`,
    { '200': { description: 'ok' } },
  ],
  [
    'a header that is the name of its type',
    operation(`responses: {'200': {description: ok, headers: {X-A: integer}}}`),
    `${GET}/responses/200/headers`,
    { 'X-A': { schema: { type: 'integer' } } },
  ],
  [
    'content as a list of media types',
    answer(`[application/json, text/plain]`),
    CONTENT,
    { 'application/json': {}, 'text/plain': {} },
  ],
  ['content as a media type', answer(`application/json`), CONTENT, { 'application/json': {} }],
  [
    'an extension in content',
    answer(`{x-a: 1, application/json: {schema: {type: string}}}`),
    CONTENT,
    { 'application/json': { schema: { type: 'string' } } },
  ],
  [
    'a media type outside of content',
    operation(`responses: {'200': {description: ok, application/json: {schema: {type: string}}}}`),
    CONTENT,
    { 'application/json': { schema: { type: 'string' } } },
  ],
  [
    'members of a schema beside the schema of a media type',
    answer(`{application/json: {type: object, description: d, schema: {type: string}}}`),
    CONTENT,
    { 'application/json': { schema: { type: 'string' } } },
  ],
  [
    'a description that is an object',
    operation(`summary: [a, b], responses: {'200': {description: {en: ok}}}`),
    GET,
    { summary: 'a\nb', responses: { '200': { description: 'ok' } } },
  ],
  ['tags without a value', operation(`tags: [null, a], ${ok}`), `${GET}/tags`, ['a']],
  // Request bodies
  [
    'a list of one request body',
    body(`[{content: {text/plain: {}}}]`),
    BODY,
    { content: { 'text/plain': {} } },
  ],
  [
    'a request body that is a schema',
    body(`{type: object, properties: {a: {$ref: '#/components/schemas/Pet'}}}`),
    BODY,
    { content: { 'application/json': { schema: { type: 'object', properties: { a: PET } } } } },
  ],
  [
    'a request body that is its content',
    body(`{application/json: {schema: {type: object}}}`),
    BODY,
    { content: { 'application/json': { schema: { type: 'object' } } } },
  ],
  [
    'a request body with the members of a parameter',
    body(`{in: body, name: pet, required: [a], content: {text/plain: {}}}`),
    BODY,
    { required: true, content: { 'text/plain': {} } },
  ],
  [
    'a list of one media type',
    body(`{content: {application/json: [{schema: {type: string}}]}}`),
    BODY,
    { content: { 'application/json': { schema: { type: 'string' } } } },
  ],
  // Security and servers
  [
    'a bearer token with the members of a key',
    scheme('{type: http, scheme: bearer, in: header, name: Authorization}'),
    S,
    { type: 'http', scheme: 'bearer' },
  ],
  [
    'a key with the members of a token',
    scheme('{type: apiKey, in: header, name: X, scheme: bearer, bearerFormat: JWT}'),
    S,
    { type: 'apiKey', in: 'header', name: 'X' },
  ],
  ['a bearer token without a scheme', scheme('{type: http, bearerFormat: JWT}'), `${S}/scheme`, 'bearer'],
  [
    'OpenID Connect without an address',
    scheme('{type: openIdConnect}'),
    S,
    { type: 'openIdConnect', openIdConnectUrl: '' },
  ],
  ['OAuth without flows', scheme('{type: oauth2}'), S, { type: 'oauth2', flows: {} }],
  [
    'a flow without an address',
    scheme('{type: oauth2, flows: {authorizationCode: {scopes: {}}}}'),
    `${S}/flows/authorizationCode`,
    { authorizationUrl: '', tokenUrl: '', scopes: {} },
  ],
  ['an invalid security scheme that nothing requires', scheme('{}', ''), '/components/securitySchemes', {}],
  [
    'a scope instead of a list',
    scheme('{type: oauth2, flows: {}}', '{s: read}'),
    `${GET}/security`,
    [{ s: ['read'] }],
  ],
  [
    'server variables that are texts, or have no default',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://{a}.{b}.example.com', variables: {a: eu, b: {description: d}}}]\npaths: {}`,
    '/servers/0/variables',
    { a: { default: 'eu' }, b: { description: 'd', default: '{b}' } },
  ],
  // Schemas
  [
    'a pattern that JavaScript cannot say',
    schema(`{type: string, pattern: '(?>a+)b'}`),
    A,
    { type: 'string' },
  ],
  [
    'a file name with an asterisk as a pattern',
    schema(`{type: string, pattern: '*.png'}`),
    A,
    { type: 'string' },
  ],
  [
    'values of an enum by names',
    schema(`{type: string, enum: {A: a, B: b}}`),
    A,
    { type: 'string', enum: ['a', 'b'] },
  ],
  ['an enum without a value, of a type', schema(`{type: string, enum: null}`), A, { type: 'string' }],
  ['a multiple of nothing', schema(`{type: number, multipleOf: 0}`), A, { type: 'number' }],
  ['a format in a list', schema(`{type: string, format: [date]}`), A, { type: 'string', format: 'date' }],
  [
    'bounds of a length that are not whole',
    schema(`{minLength: 1.5, maxLength: 10.5}`),
    A,
    { minLength: 2, maxLength: 10 },
  ],
  ['a bound that is a word', schema(`{type: integer, minimum: none}`), A, { type: 'integer' }],
  ['a type in a type', schema(`{type: {type: string, format: date}}`), A, { type: 'string', format: 'date' }],
  [
    'deprecated with its reason',
    schema(`{type: string, deprecated: use B}`),
    A,
    { type: 'string', deprecated: true },
  ],
  [
    'a title that is a list',
    schema(`{type: string, title: [], description: [a, b]}`),
    A,
    { type: 'string', description: 'a\nb' },
  ],
  [
    'a list of one schema',
    schema(`{type: object, properties: {a: [{type: string}]}}`),
    A,
    { type: 'object', properties: { a: { type: 'string' } } },
  ],
  // Versions
  ['the version 3 as a text', schema(`{}`, `'3'`), '/openapi', '3.0.3'],
  ['a version with a caret', schema(`{}`, `^3.0.0`), '/openapi', '3.0.0'],
  ['version 3 of Swagger', schema(`{}`).replace('openapi: 3.1.0', 'swagger: 3.0.1'), '/openapi', '3.0.1'],
];

test.each(slips)('%s is repaired with a warning that has its place', async (_, document, pointer, read) => {
  const result = await load(document);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  const told = result.warnings.filter(({ code }) => code !== 'schema-type-missing');
  expect(told).not.toStrictEqual([]);
  for (const { location } of told) expect(location?.file).toBe('slip.yaml');
  expect(valueAt(result.contract.document.root, pointer)).toStrictEqual(read);
});

// Two braces are valid, and mean that the address has braces.
test.each(slips.filter(([title]) => !title.includes('{{id}}')).map(([title, document]) => [title, document]))(
  '%s is refused under strict',
  async (_, document) => {
    const result = await load(document, { strict: true });
    expect(result.ok).toBe(false);
  },
);

test.each([
  [
    'two schemas that differ from a reference in capitals only',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents: {schemas: {Pet: {}, PET: {}, A: {$ref: '#/components/schemas/pet'}}}`,
  ],
  [
    'a status of which there are two forms',
    operation(`responses: {2xx: {description: a}, 20x: {description: b}}`),
  ],
  ['a misspelt default', operation(`responses: {defalt: {description: a}}`)],
  ['a key without a position', scheme('{type: apiKey, name: X}')],
  [
    'a parameter without a position whose name is not in the path',
    operation(`parameters: [{name: q, schema: {}}], ${ok}`),
  ],
  ['a list of two schemas', schema(`{properties: {a: [{type: string}, {type: integer}]}}`)],
])('%s: refused, because there are several meanings', async (_, document) => {
  expect((await load(document)).ok).toBe(false);
});

test('a keyword that no draft has can refer to the schema around it', async () => {
  const result = await load(schema(`{properties: {a: {extends: {$ref: '#/components/schemas/A'}}}}`));
  expect(result.ok && result.warnings.filter(({ code }) => code === 'repaired')).toStrictEqual([]);
});

test('letters of other scripts stay in the names of components, and of two that are written alike each has its own', async () => {
  const result = await load(
    `openapi: 3.1.0
info: {title: t, version: '1'}
paths: {}
components:
  schemas:
    Größe: {type: integer}
    "Gro\\u0308ße": {type: string}
    名 前: {$ref: '#/components/schemas/Gr%C3%B6%C3%9Fe'}
    A: {properties: {a: {$ref: '#/components/schemas/Größe'}, b: {$ref: "#/components/schemas/Gro\\u0308ße"}, c: {$ref: '#/components/schemas/名 前'}}}
    foo bar: {type: integer}
    foo_bar: {type: string}
    foo«bar»: {type: boolean}`,
  );
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  expect(valueAt(result.contract.document.root, '/components/schemas')).toStrictEqual({
    Größe: { type: 'integer' },
    Größe_2: { type: 'string' },
    名_前: { $ref: '#/components/schemas/Größe' },
    A: {
      properties: {
        a: { $ref: '#/components/schemas/Größe' },
        b: { $ref: '#/components/schemas/Größe_2' },
        c: { $ref: '#/components/schemas/名_前' },
      },
    },
    foo_bar_2: { type: 'integer' },
    foo_bar: { type: 'string' },
    foo_bar_3: { type: 'boolean' },
  });
});
