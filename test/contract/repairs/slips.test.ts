import { expect, test } from 'vitest';
import type { LoadOptions } from '../../../contract/load.ts';
import { valueAt } from '../../../contract/pointer.ts';
import { ok, operation, schema, slipLoader } from './slip-documents.ts';

const load = slipLoader();
const A = '/components/schemas/A';

/** A document, the pointer of what is looked at, and how it is read. */
const slips: readonly (readonly [title: string, document: string, pointer: string, read: unknown])[] = [
  [
    'an item schema of OpenAPI 3.2 for lines of JSON',
    `openapi: 3.2.0\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {responses: {'200': {summary: fine, content: {application/jsonl: {itemSchema: {type: string}}}}}, parameters: [{name: q, in: querystring, content: {text/plain: {schema: {type: string}}}}]}}}`,
    '/paths/~1x/get',
    {
      responses: {
        '200': {
          description: 'fine',
          content: { 'application/jsonl': { schema: { type: 'array', items: { type: 'string' } } } },
        },
      },
      parameters: [],
    },
  ],
  [
    'a whole query that is named by a reference',
    `openapi: 3.2.0\ninfo: {title: t, version: '1'}\npaths: {/x: {parameters: [{$ref: '#/components/parameters/Q'}], get: {parameters: [{$ref: '#/components/parameters/R'}, {name: s, in: query, schema: {}}], ${ok}}}}\ncomponents: {parameters: {Q: {name: q, in: querystring, content: {application/json: {schema: {type: object}}}}, R: {name: r, in: querystring, content: {text/plain: {schema: {type: string}}}}}}`,
    '/paths/~1x',
    {
      parameters: [],
      get: {
        parameters: [{ name: 's', in: 'query', schema: {} }],
        responses: { '200': { description: 'ok' } },
      },
    },
  ],
  [
    'a method of OpenAPI 3.2 that is not in capitals',
    `openapi: 3.2.1\n$self: https://a.example/b\ninfo: {title: t, version: '1'}\npaths: {/x: {additionalOperations: {Copy: {${ok}}}, get: {parameters: [{name: c, in: cookie, style: cookie, schema: {}}], ${ok}}}}`,
    '/paths/~1x',
    {
      get: {
        parameters: [{ name: 'c', in: 'cookie', 'x-tallystick-style': 'cookie', schema: {} }],
        responses: { '200': { description: 'ok' } },
      },
    },
  ],
  [
    '$dynamicRef to an anchor of several schemas',
    schema(
      `{type: array, items: {$dynamicRef: '#T'}, $defs: {a: {$dynamicAnchor: T}, b: {$dynamicAnchor: T, type: string}}}`,
    ),
    `${A}/items`,
    {},
  ],
  [
    'the name of a type that is not defined',
    schema(`{type: Objectid, description: an id}`),
    A,
    { description: 'an id' },
  ],
  [
    'closed classes that extend a closed class',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {${ok}}}}\ncomponents: {schemas: {A: {type: object, properties: {k: {type: string}}, required: [k], additionalProperties: false}, B: {allOf: [{$ref: '#/components/schemas/A'}], properties: {x: {type: string}}, required: [x], additionalProperties: false}}}`,
    '/components/schemas',
    {
      A: { type: 'object', properties: { k: { type: 'string' } }, required: ['k'] },
      B: {
        allOf: [{ $ref: '#/components/schemas/A' }],
        properties: { x: { type: 'string' } },
        required: ['x'],
      },
    },
  ],
  [
    'a closed class that a member extends in its own place',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {${ok}}}}\ncomponents: {schemas: {A: {type: object, properties: {k: {type: string}}, additionalProperties: false}, B: {type: object, properties: {both: {allOf: [{$ref: '#/components/schemas/A'}, {type: object, properties: {x: {type: string}}, required: [x]}]}}}}}`,
    '/components/schemas/A',
    { type: 'object', properties: { k: { type: 'string' } } },
  ],
  [
    'numbers and words in the place of statuses',
    operation(`responses: {200 OK: {description: ok}, 600: {description: own}, '1001': {description: own}}`),
    '/paths/~1x/get/responses',
    { '200': { description: 'ok' } },
  ],
  [
    'booleans of other languages',
    operation(
      `${ok}, deprecated: 'yes', parameters: [{name: a, in: query, required: 'False', schema: {}}, {name: b, in: query, required: 1, schema: {}}]`,
    ),
    '/paths/~1x/get',
    {
      responses: { '200': { description: 'ok' } },
      deprecated: true,
      parameters: [
        { name: 'a', in: 'query', required: false, schema: {} },
        { name: 'b', in: 'query', required: true, schema: {} },
      ],
    },
  ],
  [
    'a schema beside the content of a request body',
    operation(
      `${ok}, requestBody: {schema: {type: object}, content: {application/json: {example: {}}, text/csv: {schema: {type: string}}}}`,
    ).replace('{get:', '{post:'),
    '/paths/~1x/post/requestBody',
    {
      content: {
        'application/json': { example: {}, schema: { type: 'object' } },
        'text/csv': { schema: { type: 'string' } },
      },
    },
  ],
  [
    'components at the root',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {responses: {'404': {$ref: '#/components/responses/Lost'}}}}}\nresponses: {Lost: {description: lost, content: {application/json: {schema: {$ref: '#/definitions/A'}}}}}\ndefinitions: {A: {type: string}}`,
    '/components',
    {
      responses: {
        Lost: {
          description: 'lost',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
        },
      },
      schemas: { A: { type: 'string' } },
    },
  ],
  [
    'a bearer token that is not defined',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\nsecurity: [{JWT-auth: []}, {permissions: [read]}]\npaths: {/x: {get: {${ok}}}}`,
    '/components/securitySchemes',
    { 'JWT-auth': { type: 'http', scheme: 'bearer' } },
  ],
  [
    'a security scheme that is not defined',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\nsecurity: [{JWT-auth: []}, {permissions: [read]}]\npaths: {/x: {get: {${ok}}}}`,
    '/security',
    [{ 'JWT-auth': [] }],
  ],
  [
    'a security scheme with a misspelt name',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {security: [{BearerAuth: [], other: []}], ${ok}}}}\ncomponents: {securitySchemes: {bearerAuth: {type: http, scheme: bearer}}}`,
    '/paths/~1x/get/security',
    [{ bearerAuth: [] }],
  ],
  [
    'a path parameter under another name',
    operation(
      `parameters: [{name: eticket_id, in: path, required: true, schema: {type: integer}}], ${ok}`,
      '/x/{ETicketId}',
    ),
    '/paths/~1x~1{ETicketId}/get/parameters',
    [{ name: 'ETicketId', in: 'path', required: true, schema: { type: 'integer' } }],
  ],
  [
    'a parameter twice with two descriptions',
    operation(
      `parameters: [{name: a, in: query, schema: {type: string}}, {name: a, in: query, description: again, schema: {type: string}}], ${ok}`,
    ),
    '/paths/~1x/get/parameters',
    [{ name: 'a', in: 'query', schema: { type: 'string' } }],
  ],
  [
    'swagger beside openapi',
    `swagger: {version: [3]}\nopenapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {${ok}}}}`,
    '/swagger',
    undefined,
  ],
  [
    'a $ref in the place of content',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {responses: {'200': {description: ok, content: {$ref: '#/components/mediaTypes/a'}}}}}}\ncomponents: {mediaTypes: {a: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}, schemas: {A: {type: object}}}`,
    '/paths/~1x/get/responses/200/content',
    { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
  ],
  [
    'a $ref in the place of properties',
    `${schema("{type: object, properties: {$ref: '#/components/schemas/B/properties'}}", '3.0.3').slice(0, -2)}, B: {type: object, properties: {b: {type: string}}}}}`,
    `${A}/properties`,
    { b: { type: 'string' } },
  ],
  [
    'an enum beside the schema of a parameter',
    operation(`parameters: [{name: q, in: query, schema: {type: string}, enum: [a, b], pattern: x}], ${ok}`),
    '/paths/~1x/get/parameters/0',
    { name: 'q', in: 'query', schema: { type: 'string', enum: ['a', 'b'], pattern: 'x' } },
  ],
  [
    'a default beside a schema by reference',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {parameters: [{name: q, in: query, schema: {$ref: '#/components/schemas/A'}, default: a}], ${ok}}}}\ncomponents: {schemas: {A: {type: string}}}`,
    '/paths/~1x/get/parameters/0/schema',
    { allOf: [{ $ref: '#/components/schemas/A' }], default: 'a' },
  ],
  [
    'an example that is JSON in a string',
    operation(
      `responses: {'200': {description: ok, content: {application/json: {schema: {allOf: [{properties: {a: {type: integer}}}]}, example: ' {"a": 1}'}}}}`,
    ),
    '/paths/~1x/get/responses/200/content/application~1json/example',
    { a: 1 },
  ],
  [
    'one of the examples that is JSON in a string',
    operation(
      `responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {}}, examples: {one: {value: '[1]'}, two: {value: [2]}}}}}}`,
    ),
    '/paths/~1x/get/responses/200/content/application~1json/examples',
    { one: { value: [1] }, two: { value: [2] } },
  ],
  [
    'a server with a host and no scheme',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\nservers: [{url: api.example.com/v2}, {url: 'localhost:8080'}, {url: v1}, {url: /v1}]\npaths: {/x: {get: {${ok}}}}`,
    '/servers',
    [{ url: 'https://api.example.com/v2' }, { url: 'http://localhost:8080' }, { url: 'v1' }, { url: '/v1' }],
  ],
  [
    'short names of media types',
    operation(
      `responses: {'200': {description: ok, content: {json: {}, 'text/plain ; charset=utf-8': {}}}}, requestBody: {content: {form: {}}}`,
    ),
    '/paths/~1x/get',
    {
      responses: {
        '200': { description: 'ok', content: { 'application/json': {}, 'text/plain; charset=utf-8': {} } },
      },
      requestBody: { content: { 'application/x-www-form-urlencoded': {} } },
    },
  ],
  [
    'a mapping of a discriminator that leads to nothing',
    schema(
      `{oneOf: [{$ref: '#/components/schemas/B'}], discriminator: {propertyName: k, mapping: {b: '#/components/schemas/B', c: '#/paths/~1y/get'}}}, B: {type: object}`,
    ),
    `${A}/discriminator/mapping`,
    { b: '#/components/schemas/B' },
  ],
  ['no info', `openapi: 3.1.0\npaths: {/x: {get: {${ok}}}}`, '/info', { title: 'slip', version: '0.0.0' }],
  ['no title', `openapi: 3.0.3\ninfo: {version: '1'}\npaths: {/x: {get: {${ok}}}}`, '/info/title', 'slip'],
  ['no version', `openapi: 3.0.3\ninfo: {title: t}\npaths: {/x: {get: {${ok}}}}`, '/info/version', '0.0.0'],
  [
    'a version that is a number',
    `openapi: 3.1.0\ninfo: {title: t, version: 1.0}\npaths: {/x: {get: {${ok}}}}`,
    '/info/version',
    '1.0',
  ],
  [
    'an OpenAPI version that is a number',
    `openapi: 3.0\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {${ok}}}}`,
    '/openapi',
    '3.0.3',
  ],
  [
    'an OpenAPI version without its last number',
    `openapi: '3.1'\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {${ok}}}}`,
    '/openapi',
    '3.1.0',
  ],
  [
    'an unknown member',
    `openapi: 3.0.3\ninfo: {title: t, version: '1', logo: x}\npaths: {/x: {get: {${ok}}}}`,
    '/info',
    { title: 't', version: '1' },
  ],
  [
    'a body among the parameters, of the media types that are consumed',
    operation(
      `consumes: [application/xml], parameters: [{name: b, in: body, required: true, description: d, schema: {type: object}}, {name: q, in: query, type: string}], ${ok}`,
    ),
    '/paths/~1x/get',
    {
      parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }],
      requestBody: {
        description: 'd',
        required: true,
        content: { 'application/xml': { schema: { type: 'object' } } },
      },
      responses: { '200': { description: 'ok' } },
    },
  ],
  [
    'a body that a parameter refers to',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\nconsumes: [text/plain]\npaths: {/x: {post: {parameters: [{$ref: '#/components/parameters/B'}], ${ok}}}}\ncomponents: {parameters: {B: {name: b, in: body, schema: {type: string}}}}`,
    '/paths/~1x/post/requestBody/content',
    { 'text/plain': { schema: { type: 'string' } } },
  ],
  [
    'fields of a form among the parameters',
    operation(
      `parameters: [{name: a, in: formData, type: string, required: true}, {name: l, in: formData, type: array, items: {type: string}}, {name: m, in: formData, type: array, items: {type: string}, collectionFormat: multi}], ${ok}`,
    ),
    '/paths/~1x/get/requestBody',
    {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            required: ['a'],
            properties: {
              a: { type: 'string' },
              l: { type: 'array', items: { type: 'string' } },
              m: { type: 'array', items: { type: 'string' } },
            },
          },
          encoding: { l: { explode: false } },
        },
      },
    },
  ],
  [
    'a file among the parameters',
    operation(`parameters: [{name: f, in: formData, type: file}], ${ok}`),
    '/paths/~1x/get/requestBody/content',
    {
      'multipart/form-data': {
        schema: { type: 'object', properties: { f: { type: 'string', format: 'binary' } } },
      },
    },
  ],
  [
    'a schema outside of content',
    operation(
      `produces: [text/csv], responses: {'200': {description: ok, schema: {type: string}, examples: {text/csv: a}}}`,
    ),
    '/paths/~1x/get/responses/200',
    { description: 'ok', content: { 'text/csv': { schema: { type: 'string' }, example: 'a' } } },
  ],
  [
    'a request body with a schema outside of content',
    operation(`requestBody: {schema: {type: object}}, ${ok}`),
    '/paths/~1x/get/requestBody/content',
    { 'application/json': { schema: { type: 'object' } } },
  ],
  [
    'a schema that is not in schema',
    operation(
      `responses: {'200': {description: ok, content: {application/json: {type: object, properties: {a: {type: string}}, example: {a: b}}}}}`,
    ),
    '/paths/~1x/get/responses/200/content/application~1json',
    { schema: { type: 'object', properties: { a: { type: 'string' } } }, example: { a: 'b' } },
  ],
  [
    'an address in the parts of Swagger 2.0',
    `openapi: 3.0.3\nhost: a.example\nbasePath: /v1\nschemes: [http]\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {${ok}}}}`,
    '/servers',
    [{ url: 'http://a.example/v1' }],
  ],
  [
    'a flow in the form of Swagger 2.0',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {${ok}}}}\ncomponents: {securitySchemes: {o: {type: oauth2, flow: application, tokenUrl: /t, scopes: {a: b}}}}`,
    '/components/securitySchemes/o/flows',
    { clientCredentials: { tokenUrl: '/t', scopes: { a: 'b' } } },
  ],
  [
    'empty objects that are written as empty lists',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {parameters: [{name: q, in: query, schema: []}], responses: {'200': {description: ok, content: [], headers: []}}}}}\ncomponents: {schemas: {A: {type: object, properties: []}, B: {properties: {a: []}}}, parameters: []}`,
    '',
    {
      openapi: '3.0.3',
      info: { title: 't', version: '1' },
      paths: {
        '/x': {
          get: {
            parameters: [{ name: 'q', in: 'query', schema: {} }],
            responses: { '200': { description: 'ok', content: {}, headers: {} } },
          },
        },
      },
      components: {
        schemas: { A: { type: 'object', properties: {} }, B: { properties: { a: {} } } },
        parameters: {},
      },
    },
  ],
  [
    'a path with the places of its query parameters',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {'/a?x={x}&y=1': {get: {parameters: [{name: x, in: query, schema: {}}], ${ok}}}}`,
    '/paths',
    {
      '/a?y=1': {
        get: {
          parameters: [{ name: 'x', in: 'query', schema: {} }],
          responses: { '200': { description: 'ok' } },
        },
      },
    },
  ],
  [
    'two paths that differ in the places of their query parameters',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {'/a?x={x}': {get: {operationId: a, parameters: [{name: x, in: query, schema: {}}], ${ok}}}, '/a?y={y}': {get: {operationId: b, parameters: [{name: y, in: query, schema: {}}], ${ok}}}}`,
    '/paths/~1a/get/operationId',
    'a',
  ],
  [
    'a server variable that is not declared',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://{x}.example.com'}]\npaths: {/x: {get: {${ok}}}}`,
    '/servers',
    [{ url: 'https://{x}.example.com', variables: { x: { default: '{x}' } } }],
  ],
  ['no paths, as a list', `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: []`, '/paths', {}],
  [
    'methods in capitals',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/x: {GET: {${ok}}, Post: {${ok}}}}`,
    '/paths/~1x',
    {
      get: { responses: { '200': { description: 'ok' } } },
      post: { responses: { '200': { description: 'ok' } } },
    },
  ],
  [
    'a response that is a text',
    operation(`responses: {'200': fine, default: bad}`),
    '/paths/~1x/get/responses',
    { '200': { description: 'fine' }, default: { description: 'bad' } },
  ],
  [
    'tags as objects, words and numbers',
    operation(`tags: [{name: a}, b, 5], ${ok}`),
    '/paths/~1x/get/tags',
    ['a', 'b', '5'],
  ],
  [
    'tags without names',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\ntags: [a, {description: d}]\npaths: {/x: {get: {${ok}}}}`,
    '/tags',
    [{ name: 'a' }],
  ],
  [
    'tags by name',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\ntags: {a: x}\npaths: {/x: {get: {${ok}}}}`,
    '/tags',
    [{ name: 'a' }],
  ],
  [
    'a parameter whose name is a number',
    operation(`parameters: [{name: 5, in: query, schema: {}}], ${ok}`),
    '/paths/~1x/get/parameters/0/name',
    '5',
  ],
  [
    'a style by the name of its collection format',
    operation(`parameters: [{name: a, in: query, style: csv, schema: {type: array}}], ${ok}`),
    '/paths/~1x/get/parameters/0',
    { name: 'a', in: 'query', schema: { type: 'array' }, explode: false },
  ],
  [
    'a path parameter twice, of which one is not required',
    operation(
      `parameters: [{name: id, in: path, schema: {type: string}}, {name: id, in: path, required: true, schema: {type: string}}], ${ok}`,
      '/x/{id}',
    ),
    '/paths/~1x~1{id}/get/parameters',
    [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
  ],
  [
    'a path that is another one',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {operationId: x, ${ok}}}, /y: {$ref: '#/paths/~1x'}}`,
    '/paths/~1y/get/operationId',
    'get_y',
  ],
  ['required of other values than strings', schema('{required: [1, a]}'), `${A}/required`, ['1', 'a']],
  [
    'a type without a word',
    schema(`{properties: {a: {type: ''}, b: {type: undefined}}}`),
    `${A}/properties`,
    { a: {}, b: {} },
  ],
  ['a path without a slash', operation(ok, 'x'), '/paths/~1x/get/responses/200/description', 'ok'],
  [
    'a response without a description',
    operation(`responses: {'200': {}}`),
    '/paths/~1x/get/responses/200/description',
    '',
  ],
  [
    'a description without a text',
    operation(`description: , ${ok}`),
    '/paths/~1x/get/description',
    undefined,
  ],
  [
    'an operation without responses',
    operation('summary: s'),
    '/paths/~1x/get/responses',
    { default: { description: '' } },
  ],
  [
    'a range of statuses in lower case',
    operation(`responses: {4xx: {description: bad}}`),
    '/paths/~1x/get/responses/4XX/description',
    'bad',
  ],
  [
    'an undeclared path parameter',
    operation(ok, '/x/{id}'),
    '/paths/~1x~1{id}/get/parameters/0',
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
  ],
  [
    'a path parameter that the path does not have',
    operation(`parameters: [{name: id, in: path, required: true, schema: {type: string}}], ${ok}`),
    '/paths/~1x/get/parameters',
    [],
  ],
  [
    'a path parameter that is not required',
    operation(`parameters: [{name: id, in: path, schema: {type: string}}], ${ok}`, '/x/{id}'),
    '/paths/~1x~1{id}/get/parameters/0/required',
    true,
  ],
  [
    'a parameter twice in the same words',
    operation(`parameters: [{name: a, in: query, schema: {}}, {name: a, in: query, schema: {}}], ${ok}`),
    '/paths/~1x/get/parameters',
    [{ name: 'a', in: 'query', schema: {} }],
  ],
  [
    'a parameter in the form of Swagger 2.0',
    operation(
      `parameters: [{name: a, in: query, type: array, items: {type: string}, collectionFormat: multi}], ${ok}`,
    ),
    '/paths/~1x/get/parameters/0',
    {
      name: 'a',
      in: 'query',
      style: 'form',
      explode: true,
      schema: { type: 'array', items: { type: 'string' } },
    },
  ],
  [
    'the case of a position',
    operation(`parameters: [{name: a, in: Query, schema: {}}], ${ok}`),
    '/paths/~1x/get/parameters/0/in',
    'query',
  ],
  [
    'a truth in quotes',
    operation(`parameters: [{name: a, in: query, required: 'true', schema: {}}], ${ok}`),
    '/paths/~1x/get/parameters/0/required',
    true,
  ],
  [
    'an operationId twice',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {operationId: a, ${ok}}, put: {operationId: a, ${ok}}}}`,
    '/paths/~1x/put/operationId',
    'put_x',
  ],
  [
    'an empty operationId',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/x: {put: {operationId: '', ${ok}}}}`,
    '/paths/~1x/put/operationId',
    'put_x',
  ],
  [
    'a placeholder with the pattern of a gateway',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {'/{name=shelves/*}': {get: {parameters: [{name: name, in: path, required: true, schema: {type: integer}}], ${ok}}}}`,
    '/paths/~1{name=shelves~1*}/get/parameters/0',
    { name: 'name=shelves/*', in: 'path', required: true, schema: { type: 'integer' } },
  ],
  [
    'a blank behind a status',
    operation(`responses: {'404 ': {description: none}}`),
    '/paths/~1x/get/responses/404/description',
    'none',
  ],
  [
    'the schema of a response in the place of Swagger 2.0',
    operation(`responses: {'200': {description: ok, schema: {type: integer}}}`),
    '/paths/~1x/get/responses/200/content',
    { 'application/json': { schema: { type: 'integer' } } },
  ],
  ['a tag without its list', operation(`tags: users, ${ok}`), '/paths/~1x/get/tags', ['users']],
  [
    'security without its list',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\nsecurity: {k: []}\npaths: {/x: {get: {${ok}}}}\ncomponents: {securitySchemes: {k: {type: apikey, in: header, name: K}}}`,
    '/security',
    [{ k: [] }],
  ],
  [
    'the case of a security scheme',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {${ok}}}}\ncomponents: {securitySchemes: {k: {type: apikey, in: Header, name: K}}}`,
    '/components/securitySchemes/k',
    { type: 'apiKey', in: 'header', name: 'K' },
  ],
  [
    'basic authentication as in Swagger 2.0',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {${ok}}}}\ncomponents: {securitySchemes: {k: {type: basic}}}`,
    '/components/securitySchemes/k',
    { type: 'http', scheme: 'basic' },
  ],
  [
    'example beside examples',
    operation(
      `responses: {'200': {description: ok, content: {application/json: {example: 1, examples: {a: {value: 2}}}}}}`,
    ),
    '/paths/~1x/get/responses/200/content/application~1json',
    { examples: { a: { value: 2 }, example: { value: 1 } } },
  ],
  [
    'examples as a list',
    operation(`responses: {'200': {description: ok, content: {application/json: {examples: [1]}}}}`),
    '/paths/~1x/get/responses/200/content/application~1json/examples',
    { example1: { value: 1 } },
  ],
  [
    'an example without value',
    operation(`responses: {'200': {description: ok, content: {application/json: {examples: {a: {id: 1}}}}}}`),
    '/paths/~1x/get/responses/200/content/application~1json/examples',
    { a: { value: { id: 1 } } },
  ],
  [
    'a description among the media types',
    operation(`responses: {'200': {content: {description: ok, application/json: {}}}}`),
    '/paths/~1x/get/responses/200',
    { description: 'ok', content: { 'application/json': {} } },
  ],
  [
    'a description among the statuses',
    operation(`responses: {description: ok, '200': {description: fine}}`),
    '/paths/~1x/get/responses',
    { '200': { description: 'fine' } },
  ],
  [
    'a name without a value',
    operation(`responses: {'200': }`),
    '/paths/~1x/get/responses/200',
    { description: '' },
  ],
  [
    'a server that is its URL',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\nservers: https://example.com\npaths: {/x: {get: {${ok}}}}`,
    '/servers',
    [{ url: 'https://example.com' }],
  ],
  [
    'tags that are names',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\ntags: [a]\npaths: {/x: {get: {${ok}}}}`,
    '/tags',
    [{ name: 'a' }],
  ],
  ['an enum that is one value', schema('{enum: a}'), A, { enum: ['a'] }],
  ['examples of a schema by names', schema('{examples: {a: {value: 1}}}'), A, { examples: [1] }],
  ['and without the member value', schema('{examples: {a: x, b: {value: y}}}'), A, { examples: ['x', 'y'] }],
  [
    'an identifier of an earlier draft',
    schema('{id: https://example.com/a, type: string}'),
    A,
    { type: 'string' },
  ],
  [
    'items as a list of one before others',
    schema('{items: [{type: string}], additionalItems: {type: integer}}', '3.0.3'),
    A,
    { prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
  ],
  [
    'a header with a name',
    operation(`responses: {'200': {description: ok, headers: {X-A: {name: X-A, schema: {}}}}}`),
    '/paths/~1x/get/responses/200/headers/X-A',
    { schema: {} },
  ],
  [
    'a name that a component cannot have',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Page«A»'}}}}}}}}\ncomponents: {schemas: {Page«A»: {type: string}}}`,
    '/components/schemas/Page_A',
    { type: 'string' },
  ],
  [
    'a reference as in Swagger 2.0',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/definitions/A'}}}}}}}}\ncomponents: {schemas: {A: {type: string}}}`,
    '/paths/~1x/get/responses/200/content/application~1json/schema',
    { $ref: '#/components/schemas/A' },
  ],
  [
    'a reference without its slash',
    schema(`{properties: {a: {$ref: '#components/schemas/A'}}}`),
    `${A}/properties/a/$ref`,
    '#/components/schemas/A',
  ],
  [
    'a pointer through a reference',
    `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {get: {responses: {'200': {$ref: '#/components/responses/R'}, '400': {description: no, content: {application/json: {schema: {$ref: '#/paths/~1x/get/responses/200/content/application~1json/schema/properties/a'}}}}}}}}\ncomponents: {responses: {R: {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}, schemas: {A: {properties: {a: {type: string}}}}}`,
    '/paths/~1x/get/responses/400/content/application~1json/schema',
    { $ref: '#/components/schemas/A_a' },
  ],
  [
    'a boolean exclusiveMinimum in 3.1',
    schema('{type: integer, minimum: 0, exclusiveMinimum: true}'),
    A,
    { type: 'integer', exclusiveMinimum: 0 },
  ],
  [
    'a boolean exclusiveMaximum that is false in 3.1',
    schema('{type: integer, maximum: 9, exclusiveMaximum: false}'),
    A,
    { type: 'integer', maximum: 9 },
  ],
  ['required twice', schema('{required: [a, a]}'), A, { required: ['a'] }],
  [
    'values twice in an enum',
    schema('{enum: [a, {x: 1, y: 2}, a, {y: 2, x: 1}]}'),
    A,
    { enum: ['a', { x: 1, y: 2 }] },
  ],
  ['an enum without values', schema('{enum: []}'), A, { allOf: [{ not: {} }] }],
  [
    'required in a property',
    schema('{properties: {a: {type: string, required: true}, b: {required: false}}}'),
    A,
    { properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
  ],
  [
    'nullable in 3.1',
    schema('{type: string, nullable: true, enum: [a]}'),
    A,
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    'nullable beside a reference in 3.1',
    schema(`{properties: {a: {$ref: '#/components/schemas/A', nullable: true}}}`),
    `${A}/properties/a`,
    { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] },
  ],
  ['null for a type', schema('{type: [string, null]}'), A, { type: ['string', 'null'] }],
  ['a type by another name', schema('{type: Int64}'), A, { type: 'integer', format: 'int64' }],
  ['a number in quotes', schema(`{type: string, maxLength: '10'}`), A, { type: 'string', maxLength: 10 }],
  [
    'a schema that is the name of a type',
    schema('{properties: {a: string}}'),
    A,
    { properties: { a: { type: 'string' } } },
  ],
  [
    'a discriminator as in Swagger 2.0',
    schema('{type: object, discriminator: kind}'),
    `${A}/discriminator`,
    { propertyName: 'kind' },
  ],
  [
    'items as a list',
    schema('{items: [{type: string}, {type: integer}], additionalItems: false}'),
    A,
    { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
  ],
  [
    'dependencies',
    schema('{dependencies: {a: [b], c: {required: [d]}}}'),
    A,
    { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
  ],
  [
    '$recursiveRef',
    schema(`{$recursiveAnchor: true, properties: {k: {$recursiveRef: '#'}}}`),
    A,
    { properties: { k: { $ref: '#/components/schemas/A' } } },
  ],
  [
    'a pattern without case',
    schema(`{pattern: '(?i)^ab[c-e]\\d$'}`),
    `${A}/pattern`,
    String.raw`^[aA][bB][c-eC-E]\d$`,
  ],
  [
    'a pattern of Python',
    schema(String.raw`{pattern: '\A(?P<y>\d{4})-(?P=y)\Z'}`),
    `${A}/pattern`,
    String.raw`^(?<y>\d{4})-\k<y>$`,
  ],
  ['a pattern with POSIX classes', schema(`{pattern: '^[[:alpha:]_]+$'}`), `${A}/pattern`, '^[A-Za-z_]+$'],
  ['a pattern with its delimiters', schema(`{pattern: '/^a.b$/i'}`), `${A}/pattern`, '^[aA].[bB]$'],
  [
    'an enum of texts that YAML reads as other values',
    `openapi: 3.1.0
info: {title: t, version: '1'}
paths: {/x: {get: {${ok}}}}
components:
  schemas:
    A:
      type: string
      default: 1
      enum:
        - 1
        - 1.10
        - true
        - yes`,
    A,
    { type: 'string', default: '1', enum: ['1', '1.10', 'true', 'yes'] },
  ],
  [
    'an enum of numbers in quotes',
    schema(`{type: [integer, 'null'], enum: ['1', '-2', null]}`),
    `${A}/enum`,
    [1, -2, null],
  ],
  [
    'content of an answer without a body',
    operation(`responses: {'204': {description: ok, content: {application/json: {schema: {type: string}}}}}`),
    '/paths/~1x/get/responses/204',
    { description: 'ok' },
  ],
  [
    'a schema in the place of a media type',
    operation(`responses: {'200': {description: ok, content: {schema: {type: string}}}}`),
    '/paths/~1x/get/responses/200/content',
    { 'application/json': { schema: { type: 'string' } } },
  ],
  [
    'a schema beside its media type',
    operation(
      `requestBody: {content: {text/csv: , schema: {type: string}}}, responses: {'200': {description: ok}}`,
    ),
    '/paths/~1x/get/requestBody/content',
    { 'text/csv': { schema: { type: 'string' } } },
  ],
  [
    'a path parameter after a colon',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {'/a/:id/b:act': {get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], ${ok}}}}`,
    '/paths',
    {
      '/a/{id}/b:act': {
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: { '200': { description: 'ok' } },
        },
      },
    },
  ],
  [
    'a path parameter without its second brace',
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {'/a/{id': {parameters: [{name: id, in: path, required: true, schema: {type: integer}}], get: {${ok}}}}`,
    '/paths/~1a~1{id}/parameters',
    [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
  ],
  [
    'a style of another place with a single value',
    operation(`parameters: [{name: q, in: query, style: matrix, schema: {type: string}}], ${ok}`),
    '/paths/~1x/get/parameters/0',
    { name: 'q', in: 'query', schema: { type: 'string' } },
  ],
  [
    'the case of a style',
    operation(`parameters: [{name: q, in: query, style: deepobject, schema: {type: object}}], ${ok}`),
    '/paths/~1x/get/parameters/0/style',
    'deepObject',
  ],
];

test.each(slips)('%s is repaired with a warning that has its place', async (_, document, pointer, read) => {
  const result = await load(document);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  const repairs = result.warnings.filter(({ code }) => code === 'repaired');
  expect(repairs).not.toStrictEqual([]);
  for (const { location, help } of repairs) {
    expect(location?.file).toBe('slip.yaml');
    expect(help).toMatch(/^read as: \S/);
  }
  expect(valueAt(result.contract.document.root, pointer)).toStrictEqual(read);
});

const refused = [
  'no info',
  'a response without a description',
  'required twice',
  'an undeclared path parameter',
];

test.each(slips.filter(([title]) => refused.includes(title)))(
  '%s is refused under strict',
  async (_, document) => {
    const result = await load(document, { strict: true });
    expect(result.ok).toBe(false);
  },
);

test.each([
  [
    'a member that may be a misspelt one',
    operation(`parameters: [{name: a, in: query, requred: true, schema: {}}], ${ok}`),
    'did you mean required?',
  ],
  [
    'a path parameter that may be a misspelt one',
    operation(`parameters: [{name: ids, in: path, required: true, schema: {}}], ${ok}`, '/x/{id}'),
    undefined,
  ],
  [
    'parameters that differ under one name',
    operation(
      `parameters: [{name: a, in: query, schema: {}}, {name: a, in: query, schema: {type: string}}], ${ok}`,
    ),
    'remove one of the two',
  ],
  [
    'a schema beside content, which would be lost',
    operation(`responses: {'200': {description: ok, schema: {type: string}, content: {}}}`),
    'OpenAPI has it in another place: move it there, or remove it',
  ],
  [
    'a body among the parameters beside a request body',
    operation(`parameters: [{name: b, in: body, schema: {}}], requestBody: {content: {}}, ${ok}`),
    undefined,
  ],
  [
    'a parameter with schema and content',
    operation(`parameters: [{name: a, in: query, schema: {}, content: {text/plain: {}}}], ${ok}`),
    'keep one of the two',
  ],
  ['items as a list of one', schema('{items: [{type: string}]}'), undefined],
  [
    'a reference that leads nowhere',
    schema(`{properties: {a: {$ref: '#/components/schemas/B'}}}`),
    undefined,
  ],
])('%s is refused, with advice', async (_, document, help) => {
  const result = await load(document);
  expect(result.ok).toBe(false);
  const told = result.ok ? [] : result.diagnostics.filter(({ severity }) => severity === 'error');
  expect(told.length).toBeGreaterThan(0);
  if (help !== undefined) expect(told.map((each) => each.help)).toContain(help);
});

test('operations of the methods of OpenAPI 3.2 are operations like others, without a warning', async () => {
  const document = `openapi: 3.2.0\ninfo: {title: t, version: '1'}\npaths: {/x: {query: {operationId: q, ${ok}}, additionalOperations: {COPY: {tags: [a], ${ok}}}, get: {operationId: q, ${ok}}}}`;
  const operations = async (options?: Partial<LoadOptions>): Promise<unknown> => {
    const result = await load(document, options);
    return result.ok && result.contract.operations.map(({ id, method }) => [id, method]);
  };
  expect(await operations()).toStrictEqual([
    ['q', 'get'],
    ['query_x', 'query'],
    ['COPY_x', 'COPY'],
  ]);
  expect(await operations({ only: ['a'], strict: true })).toStrictEqual([['COPY_x', 'COPY']]);
});

test('a carriage return ends a line', async () => {
  const result = await load(schema('{type: string}').replaceAll('\n', '\r'));
  expect(result.ok && valueAt(result.contract.document.root, A)).toStrictEqual({ type: 'string' });
});

test('references by anchors, also dynamic ones, become references by pointers, without a warning', async () => {
  const result = await load(
    schema(
      `{type: object, $dynamicAnchor: node, $defs: {o: {$anchor: other, type: string}}, properties: {a: {$dynamicRef: '#node'}, b: {$ref: '#other'}}}`,
    ),
  );
  expect(result.ok && result.warnings).toStrictEqual([]);
  const properties = result.ok ? valueAt(result.contract.document.root, `${A}/properties`) : undefined;
  expect(properties).toStrictEqual({
    a: { $ref: '#/components/schemas/A' },
    b: { $ref: '#/components/schemas/A_o' },
  });
});

test.each([
  ['a schema that allows texts', `{type: [string, object]}`, '{"a": 1}'],
  ['a schema that says nothing', `{}`, '{"a": 1}'],
  ['a text that is no JSON', `{type: object}`, '{a: 1}'],
])('an example with braces is not changed: %s', async (_, of, example) => {
  const result = await load(
    operation(
      `responses: {'200': {description: ok, content: {application/json: {schema: ${of}, example: '${example}'}}}}`,
    ),
  );
  const at = '/paths/~1x/get/responses/200/content/application~1json/example';
  expect(result.ok && valueAt(result.contract.document.root, at)).toBe(example);
});

test('a slip at a thousand places is reported ten times, and once more with the number', async () => {
  const responses = Array.from({ length: 100 }, (_, index) => `'${String(200 + index)}': {}`).join(', ');
  const result = await load(operation(`responses: {${responses}}`));
  expect(result.ok && result.warnings.length).toBe(11);
  expect(result.ok && result.warnings.map(({ message }) => message).join('\n')).toContain('90 more places');
});

test('what is repaired below a renamed member is found where it was written', async () => {
  const result = await load(
    `openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  x:\n    get:\n      responses:\n        4xx: {}`,
  );
  const places = (result.ok ? result.warnings : []).map(
    ({ location }) => `${String(location?.line)}:${String(location?.column)}`,
  );
  expect(places).toStrictEqual(['4:3', '7:9', '7:9']);
});
